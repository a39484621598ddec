import { METRICS, splitSeries } from '../../../proto/metrics.js';
import type { Actor } from '../../actor.js';
import type { Mount } from '../../http/mount.js';
import type { ServerDocument } from '../documents.js';
import { metricOf } from '../samples/sample.js';
import type { ServerStore } from '../store.js';
import type { LatestValues } from '../view.js';

/** Prometheus' text exposition format 0.0.4, https://prometheus.io/docs/instrumenting/exposition_formats/ */
const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const PAGE_SERVERS = 500;

/** Labels of a series beside `server` and `name`, by what its device is. */
const DEVICE_LABEL = { mount: 'mountpoint', block_device: 'device', interface: 'interface', core: 'cpu' } as const;

/** `GET /metrics/servers`: the latest values of the workspace's servers that are online, for a key with `servers:read`. */
export function serverMetricsMount(dependencies: {
  store: Pick<ServerStore, 'online'>;
  latest(server: ServerDocument): LatestValues;
  /** Who asks; throws 401 or 403. */
  authorize(ctx: Parameters<Mount['handle']>[0]): Promise<Actor>;
}): Mount {
  const { store, latest, authorize } = dependencies;
  return {
    path: '/metrics/servers',
    async handle(ctx) {
      const actor = await authorize(ctx);
      const samples = new Map<string, string[]>();
      let after: string | null = null;
      for (;;) {
        const page = await store.online(actor.workspaceId, after, PAGE_SERVERS);
        for (const server of page) collect(samples, server, latest(server));
        after = page.at(-1)?._id ?? null;
        if (page.length < PAGE_SERVERS) break;
      }
      ctx.set('Content-Type', TEXT_TYPE);
      ctx.body = exposition(samples);
    },
  };
}

/** The labels of one series of a server: its id, and its device where it is one device's. */
export function seriesLabels(serverId: string, series: string): Record<string, string> {
  const { metric, device } = splitSeries(series);
  const kind = metricOf(metric)?.device ?? null;
  return {
    server: serverId,
    ...(device === '' || kind === null ? {} : { [DEVICE_LABEL[kind]]: device }),
  };
}

/** `picket_server_cpu_percent`. A value of one device stands under a name of its own, so that sums do not count twice. */
export function prometheusName(series: string): string {
  const { metric, device } = splitSeries(series);
  return device === '' ? `picket_server_${metric}` : `picket_server_device_${metric}`;
}

function collect(samples: Map<string, string[]>, server: ServerDocument, latest: LatestValues): void {
  const add = (name: string, labels: Record<string, string>, value: number) => {
    const lines = samples.get(name) ?? [];
    samples.set(name, lines);
    const text = Object.entries(labels).map(([label, content]) => `${label}="${escapeLabel(content)}"`);
    lines.push(`${name}{${text.join(',')}} ${value}`);
  };
  for (const [series, value] of latest) {
    add(prometheusName(series), { ...seriesLabels(server._id, series), name: server.name }, value);
  }
  add('picket_server_last_seen_seconds', { server: server._id, name: server.name }, (server.live?.at_ms ?? 0) / 1_000);
}

function exposition(samples: ReadonlyMap<string, readonly string[]>): string {
  const blocks = [...samples]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, lines]) => {
      return `# HELP ${name} ${helpOf(name)}\n# TYPE ${name} gauge\n${lines.join('\n')}\n`;
    });
  return blocks.join('');
}

function helpOf(name: string): string {
  const metric = METRICS.find(
    (known) => name === `picket_server_${known.name}` || name === `picket_server_device_${known.name}`,
  );
  if (metric === undefined) return 'When the server last reported, seconds since the epoch.';
  return `${metric.help} (${metric.unit.replaceAll('_', ' ')})`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
