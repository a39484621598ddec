import { METRICS, splitSeries } from '../../../proto/metrics.js';
import type { Actor } from '../../actor.js';
import type { Mount } from '../../http/mount.js';
import type { LatestValues } from '../samples/latest.js';
import { metricOf } from '../samples/metrics.js';
import type { SampledServer, ServerStore } from '../store.js';

/** Prometheus' text exposition format 0.0.4, https://prometheus.io/docs/instrumenting/exposition_formats/ */
const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const PAGE_SERVERS = 500;

/** The additional label of a device's series, by the kind of device. */
const DEVICE_LABEL = { mount: 'mountpoint', block_device: 'device', interface: 'interface', core: 'cpu' } as const;

/** Returns `GET /metrics/servers`: the latest values of the online servers of a workspace, for a key with `servers:read`. */
export function serverMetricsMount(needs: {
  store: Pick<ServerStore, 'online'>;
  latest(server: SampledServer): LatestValues;
  /** Returns the caller. Throws 401 or 403. */
  authorize(ctx: Parameters<Mount['handle']>[0]): Actor;
}): Mount {
  const { store, latest, authorize } = needs;
  return {
    path: '/metrics/servers',
    async handle(ctx) {
      const actor = authorize(ctx);
      const lines = new Map<string, string[]>();
      let after: string | null = null;
      for (;;) {
        const page = await store.online(actor.workspaceId, after, PAGE_SERVERS);
        for (const server of page) collect(lines, server, latest(server));
        after = page.at(-1)?._id ?? null;
        if (page.length < PAGE_SERVERS) break;
      }
      ctx.set('Content-Type', TEXT_TYPE);
      ctx.body = exposition(lines);
    },
  };
}

/** Returns the labels of a series of a server: the server's id, and the device if it is the series of a device. */
export function seriesLabels(serverId: string, series: string): Record<string, string> {
  const { metric, device } = splitSeries(series);
  const kind = metricOf(metric)?.device ?? null;
  return {
    server: serverId,
    ...(device === '' || kind === null ? {} : { [DEVICE_LABEL[kind]]: device }),
  };
}

/** Returns `picket_server_cpu_percent`. Series of devices have a different name, so that sums do not count them twice. */
export function prometheusName(series: string): string {
  const { metric, device } = splitSeries(series);
  return device === '' ? `picket_server_${metric}` : `picket_server_device_${metric}`;
}

function collect(lines: Map<string, string[]>, server: SampledServer, latest: LatestValues): void {
  const add = (name: string, labels: Record<string, string>, value: number) => {
    const ofName = lines.get(name) ?? [];
    lines.set(name, ofName);
    const text = Object.entries(labels).map(([label, content]) => `${label}="${escapeLabel(content)}"`);
    ofName.push(`${name}{${text.join(',')}} ${value}`);
  };
  for (const [series, value] of latest) {
    add(prometheusName(series), { ...seriesLabels(server._id, series), name: server.name }, value);
  }
  add('picket_server_last_seen_seconds', { server: server._id, name: server.name }, (server.live?.at_ms ?? 0) / 1_000);
}

function exposition(lines: ReadonlyMap<string, readonly string[]>): string {
  const blocks = [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ofName]) => {
      return `# HELP ${name} ${helpOf(name)}\n# TYPE ${name} gauge\n${ofName.join('\n')}\n`;
    });
  return blocks.join('');
}

function helpOf(name: string): string {
  const metric = METRICS.find(
    (known) => name === `picket_server_${known.name}` || name === `picket_server_device_${known.name}`,
  );
  if (metric === undefined) return 'Unix time of the latest sample of the server.';
  return `${metric.help} (${metric.unit.replaceAll('_', ' ')})`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
