import { Type } from 'typebox';
import type { Clock } from '../../kernel/clock.js';
import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { invalidField, notFound } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import type { MonitorDocument, ResultDocument } from '../monitors/documents.js';
import { MetricsQuery, MetricsView, MonitorId, ResultsQuery, ResultView } from '../monitors/schema.js';
import type { MonitorStore } from '../monitors/store.js';
import type { LocationDirectory } from '../nodes/nodes.js';
import { askedRange, metricsWindow, queryTimestamp } from '../retention/metrics-query.js';
import { keptMs } from '../retention/retention.js';
import { METRIC_NAMES, type MetricName, type MetricsReader } from './read-metrics.js';
import type { ResultsStore } from './store.js';

/** A probe's clock may be a little ahead: results of the next minutes are shown, too. */
const AHEAD_MS = 300_000;

interface HistoryRoutesDependencies {
  monitors: Pick<MonitorStore, 'find'>;
  results: Pick<ResultsStore, 'page'>;
  readMetrics: MetricsReader;
  locations: Pick<LocationDirectory, 'codes'>;
  pager: Pager;
  clock: Clock;
}

/** What is read of a monitor's history. */
export function createHistoryRoutes(dependencies: HistoryRoutesDependencies): Route[] {
  const { monitors, results, readMetrics, locations, pager, clock } = dependencies;

  async function monitorOf(actor: Actor, id: string): Promise<MonitorDocument> {
    const monitor = await monitors.find(actor.workspaceId, id);
    if (monitor === null) throw notFound('monitor');
    return monitor;
  }

  const listResults = readRoute({
    method: 'GET',
    path: '/v1/monitors/{id}/results',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'List the results of a monitor, newest first',
    description:
      'Every try that was made, failed ones that were retried included (`final` is false there). `from` and `to` are times at which a check was due. As far back as the plan keeps raw results.',
    params: MonitorId,
    query: ResultsQuery,
    replies: { 200: Type.Array(ResultView) },
    list: true,
    async handle({ actor, params, query }) {
      const page = pager.open(`results/${params.id}`, { actor, query });
      const monitor = await monitorOf(actor, params.id);
      const nowMs = clock.now();
      const fromMs = query.from === undefined ? 0 : queryTimestamp(query.from, 'from');
      const toMs = query.to === undefined ? nowMs + AHEAD_MS : queryTimestamp(query.to, 'to');
      const after = page.request.after;
      const rows = await results.page({
        workspaceId: actor.workspaceId,
        monitorId: monitor._id,
        fromMs: Math.max(fromMs, nowMs - keptMs(actor.plan).rawMs),
        toMs,
        location: query.location ?? null,
        below: after === null ? null : String(after[0]),
        limit: page.request.rowsMax,
      });
      const { rows: shown, nextCursor } = page.reply(rows, (row) => [row._id]);
      return { status: 200, data: shown.map(resultView), nextCursor };
    },
  });

  const monitorMetrics = readRoute({
    method: 'GET',
    path: '/v1/monitors/{id}/metrics',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'Get response time and uptime of a monitor as series',
    description:
      '`auto` takes the finest resolution with at most 1,500 points a series that the plan still keeps; the answer names it. Response times are those of good checks. `uptime` is the percentage of observed time that the monitor was up, `uptime:<location>` the percentage of good checks of that location.',
    params: MonitorId,
    query: MetricsQuery,
    replies: { 200: MetricsView },
    async handle({ actor, params, query }) {
      const nowMs = clock.now();
      const range = askedRange(query, nowMs);
      const wants = wantedSeries(query.metrics, locations.codes());
      const monitor = await monitorOf(actor, params.id);
      const { resolution, fromMs, toMs } = metricsWindow(range, {
        requested: query.resolution ?? 'auto',
        nowMs,
        rawPeriodMs: (monitor.interval_seconds * 1_000) / monitor.locations.length,
        kept: keptMs(actor.plan),
      });
      const series = await readMetrics({ monitor, fromMs, toMs, resolution, wants });
      return { status: 200, data: { monitor_id: monitor._id, resolution, series } };
    },
  });

  return [listResults, monitorMetrics];
}

export function resultView(result: ResultDocument): ResultView {
  return {
    id: result._id,
    checked_at: toIso(result.checked_at_ms),
    location: result.location,
    status: result.up ? 'up' : 'down',
    response_time_ms: result.response_time_ms,
    timings: result.timings,
    http_status: result.http_status,
    error: result.error,
    attempt: result.attempt,
    final: result.final,
    reason: result.reason as ResultView['reason'],
    lateness_ms: result.attempt === 0 ? Math.max(0, Math.round(result.checked_at_ms - result.slot_ms)) : null,
  };
}

/** `response_time_ms` asks for all its series, `response_time_ms:fra` for that one. */
function wantedSeries(metrics: string | undefined, codes: readonly string[]) {
  if (metrics === undefined) return () => true;
  const wanted = new Set<string>();
  for (const name of metrics.split(',').map((part) => part.trim())) {
    const [metric = '', location] = name.split(':', 2);
    const isKnown =
      METRIC_NAMES.some((known) => known === metric) && (location === undefined || codes.includes(location));
    if (!isKnown || name !== (location === undefined ? metric : `${metric}:${location}`)) {
      throw invalidField(
        '/query/metrics',
        `has no metric ${JSON.stringify(name)}; there are ${METRIC_NAMES.join(', ')}`,
      );
    }
    wanted.add(name);
  }
  return (metric: MetricName, location: string | null) =>
    wanted.has(metric) || (location !== null && wanted.has(`${metric}:${location}`));
}
