import type { Clock } from '../../../kernel/clock.js';
import { METRICS, splitSeries } from '../../../proto/metrics.js';
import { invalidField, notFound } from '../../errors.js';
import { type Route, readRoute } from '../../http/route.js';
import { metricsWindow, requestedRange } from '../../retention/metrics-query.js';
import type { PointsBudget } from '../../retention/points-budget.js';
import { bucketMs } from '../../retention/resolution.js';
import { keptMs } from '../../retention/retention.js';
import { metricOfSeries } from '../samples/metrics.js';
import { ServerId } from '../schema.js';
import type { ServerDirectory } from '../servers.js';
import type { HistoryReader } from './reader.js';
import { ServerMetricsQuery, ServerMetricsView } from './schema.js';
import { seriesJson } from './series-json.js';

/** The limit for all series together. `auto` stays below it even if the samples contain the maximum number of values. */
const RESPONSE_POINTS_MAX = 1_000_000;

interface MetricsRouteNeeds {
  servers: Pick<ServerDirectory, 'find'>;
  readHistory: HistoryReader;
  budget: PointsBudget;
  clock: Clock;
}

/** Returns the route for the metric history of a server. */
export function createMetricsRoutes({ servers, readHistory, budget, clock }: MetricsRouteNeeds): Route[] {
  const serverMetrics = readRoute({
    method: 'GET',
    path: '/v1/servers/{id}/metrics',
    access: 'servers:read',
    tag: 'Servers',
    summary: "Get a server's metrics as series",
    description: `\`auto\` selects the finest resolution that the plan keeps and that has at most 1,500 points per series; the response contains it. Without \`metrics\`, the response has all series, including those of devices. \`disk_used_percent\` selects the series of the whole server, \`disk_used_percent:/var\` that of one device, and \`disk_used_percent:*\` those of all devices. The metrics are ${METRICS.map(({ name, device }) => (device === null ? `\`${name}\`` : `\`${name}\` (also per ${device.replace('_', ' ')})`)).join(', ')}.`,
    params: ServerId,
    query: ServerMetricsQuery,
    replies: { 200: ServerMetricsView },
    async handle({ actor, params, query }) {
      const nowMs = clock.now();
      const range = requestedRange(query, nowMs);
      const wanted = query.metrics === undefined ? EVERYTHING : wantedSeries(query.metrics);
      const server = await servers.find(actor.workspaceId, params.id);
      if (server === null) throw notFound('server');
      budget.admit(actor.workspaceId);
      const { resolution, fromMs, toMs } = metricsWindow(range, {
        requested: query.resolution ?? 'auto',
        nowMs,
        rawPeriodMs: server.report_interval_ms,
        kept: keptMs(actor.retentionPlan),
      });
      const blocks = await readHistory({
        ...{ workspaceId: actor.workspaceId, serverId: server._id, fromMs, toMs, resolution },
        metrics: wanted.metrics,
        wants: wanted.wants,
        pointsMax: RESPONSE_POINTS_MAX,
      });
      if (blocks === null) {
        budget.charge(actor.workspaceId, RESPONSE_POINTS_MAX);
        throw invalidField(
          '/query/metrics',
          `selects more than ${RESPONSE_POINTS_MAX} points; request fewer metrics or a shorter time range`,
          'too_large',
        );
      }
      const points = blocks.reduce((sum, { times, series }) => sum + times.length * series.size, 0);
      budget.charge(actor.workspaceId, points);
      const firstMs = fromMs - (fromMs % (bucketMs(resolution) ?? 1));
      const body = seriesJson({ serverId: server._id, resolution, blocks, fromMs: firstMs, toMs, named: wanted.named });
      return { status: 200, raw: { type: 'application/json; charset=utf-8', body } };
    },
  });
  return [serverMetrics];
}

interface WantedSeries {
  /** The names of the selected metrics; null for all. */
  metrics: readonly string[] | null;
  wants(series: string): boolean;
  /** Series that are in the response even without points, so that clients can tell a series without data from an unknown one. */
  named: readonly string[];
}

const EVERYTHING: WantedSeries = { metrics: null, wants: () => true, named: METRICS.map(({ name }) => name) };

/** Throws 422 with the first unknown name. */
function wantedSeries(text: string): WantedSeries {
  const names = text.split(',').map((part) => part.trim());
  const metrics = new Set<string>();
  for (const name of names) {
    const metric = metricOfSeries(name);
    if (metric === null) {
      const known = METRICS.map((one) => one.name).join(', ');
      throw invalidField(
        '/query/metrics',
        `contains the unknown metric ${JSON.stringify(name)}; the metrics are ${known}`,
      );
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
