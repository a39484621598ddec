import type { Clock } from '../../../kernel/clock.js';
import { METRICS, splitSeries } from '../../../proto/metrics.js';
import { invalidField, notFound } from '../../errors.js';
import { type Route, readRoute } from '../../http/route.js';
import { isoTimes } from '../../retention/iso-times.js';
import { askedRange, metricsWindow, type SeriesPoint } from '../../retention/metrics-query.js';
import { bucketMs } from '../../retention/resolution.js';
import { keptMs } from '../../retention/retention.js';
import { metricOfSeries } from '../samples/sample.js';
import { ServerId } from '../schema.js';
import type { ServerDirectory } from '../servers.js';
import { pointsOf } from './points.js';
import type { HistoryReader } from './read-metrics.js';
import { ServerMetricsQuery, ServerMetricsView } from './schema.js';
import type { SeriesBlock } from './series-block.js';

/** Of all series together. `auto` stays below it even for a report that is as full as it may be. */
const ANSWER_POINTS_MAX = 1_000_000;

interface MetricsRouteDependencies {
  servers: Pick<ServerDirectory, 'find'>;
  readHistory: HistoryReader;
  clock: Clock;
}

/** The history of a server as series. */
export function createMetricsRoutes({ servers, readHistory, clock }: MetricsRouteDependencies): Route[] {
  const serverMetrics = readRoute({
    method: 'GET',
    path: '/v1/servers/{id}/metrics',
    access: 'servers:read',
    tag: 'Servers',
    summary: "Get a server's metrics as series",
    description: `\`auto\` takes the finest resolution with at most 1,500 points a series that the plan still keeps; the answer names it. Without \`metrics\` the answer has every series that there is, of devices, too. A name alone asks for the series of the whole server, \`disk_used_percent:/var\` for that of a device, \`disk_used_percent:*\` for those of all devices of the metric. There are ${METRICS.map(({ name, device }) => (device === null ? `\`${name}\`` : `\`${name}\` (also by ${device.replace('_', ' ')})`)).join(', ')}.`,
    params: ServerId,
    query: ServerMetricsQuery,
    replies: { 200: ServerMetricsView },
    async handle({ actor, params, query }) {
      const nowMs = clock.now();
      const range = askedRange(query, nowMs);
      const wanted = query.metrics === undefined ? EVERYTHING : wantedSeries(query.metrics);
      const server = await servers.find(actor.workspaceId, params.id);
      if (server === null) throw notFound('server');
      const { resolution, fromMs, toMs } = metricsWindow(range, {
        requested: query.resolution ?? 'auto',
        nowMs,
        rawPeriodMs: server.report_interval_ms,
        kept: keptMs(actor.plan),
      });
      const blocks = await readHistory({
        ...{ workspaceId: actor.workspaceId, serverId: server._id, fromMs, toMs, resolution },
        metrics: wanted.metrics,
        wants: wanted.wants,
        pointsMax: ANSWER_POINTS_MAX,
      });
      if (blocks === null) {
        throw invalidField(
          '/query/metrics',
          `asks for more than ${ANSWER_POINTS_MAX} points; name fewer or a shorter time`,
        );
      }
      const firstMs = fromMs - (fromMs % (bucketMs(resolution) ?? 1));
      const series = seriesOf(blocks, firstMs, toMs, wanted.named);
      return { status: 200, data: { server_id: server._id, resolution, series } };
    },
  });
  return [serverMetrics];
}

interface WantedSeries {
  /** Names of metrics of which something is wanted; null for all. */
  metrics: readonly string[] | null;
  wants(series: string): boolean;
  /** Series that are in the answer even without a point, so that a client can tell "no data" from "no such". */
  named: readonly string[];
}

const EVERYTHING: WantedSeries = { metrics: null, wants: () => true, named: METRICS.map(({ name }) => name) };

/** Throws 422 naming the first name that there cannot be. */
function wantedSeries(text: string): WantedSeries {
  const names = text.split(',').map((part) => part.trim());
  const metrics = new Set<string>();
  for (const name of names) {
    const metric = metricOfSeries(name);
    if (metric === null) {
      const known = METRICS.map((one) => one.name).join(', ');
      throw invalidField('/query/metrics', `has no metric ${JSON.stringify(name)}; there are ${known}`);
    }
    metrics.add(metric.name);
  }
  const named = new Set(names);
  const allDevicesOf = new Set(names.filter((name) => name.endsWith(':*')).map((name) => name.slice(0, -2)));
  return {
    metrics: [...metrics],
    wants(series) {
      if (named.has(series)) return true;
      const { metric, device } = splitSeries(series);
      return device !== '' && allDevicesOf.has(metric);
    },
    named: [...named].filter((name) => !name.endsWith(':*')),
  };
}

function seriesOf(
  blocks: readonly SeriesBlock[],
  fromMs: number,
  toMs: number,
  named: readonly string[],
): Record<string, SeriesPoint[]> {
  const points = pointsOf<SeriesPoint>(blocks, fromMs, toMs, ({ times }) => {
    const texts = isoTimes(times);
    return (slot, v) => ({ t: texts[slot] as string, v });
  });
  const isNamed = new Set(named);
  const others = [...points.keys()].filter((name) => !isNamed.has(name)).sort();
  return Object.fromEntries([...named, ...others].map((name) => [name, points.get(name) ?? []]));
}
