import { Type } from 'typebox';
import { type Clock, toIso } from '../../kernel/clock.js';
import { roundTo } from '../../kernel/round.js';
import type { Actor } from '../actor.js';
import { invalidField, notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { MonitorReader } from '../monitors/monitors.js';
import { MonitorId } from '../monitors/schema.js';
import type { LocationDirectory } from '../nodes/nodes.js';
import { metricsWindow, queryTimestamp, requestedRange, tooManyPoints } from '../retention/metrics-query.js';
import type { PointsBudget } from '../retention/points-budget.js';
import { keptMs } from '../retention/retention.js';
import { type ResultDocument, type ResultTimings, shownResultId } from './documents.js';
import { type MetricsReader, RAW_RESULTS_MAX } from './read-metrics.js';
import { MetricsQuery, MetricsView, ResultsQuery, ResultView } from './schema.js';
import { METRIC_NAMES, type MetricName } from './series.js';
import type { ResultsStore } from './store.js';

/** The clock of a probe may be ahead, so results of the next minutes are listed too. */
const AHEAD_MS = 300_000;

/** A raw point of a monitor is a document of its own, which takes as long as five points of a roll-up. */
const RAW_POINT_COST = 5;

interface ResultRoutesNeeds {
  monitors: MonitorReader;
  results: Pick<ResultsStore, 'page'>;
  readMetrics: MetricsReader;
  budget: PointsBudget;
  locations: Pick<LocationDirectory, 'codes'>;
  pager: Pager;
  clock: Clock;
}

/** Returns the routes that read the history of a monitor. */
export function createResultRoutes(needs: ResultRoutesNeeds): Route[] {
  return [listResults(needs), monitorMetrics(needs)];
}

function listResults({ monitors, results, locations, pager, clock }: ResultRoutesNeeds): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/{id}/results',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'List the results of a monitor, newest first',
    description:
      'Lists every attempt, including failed ones that were retried (their `final` is false). `from` and `to` limit the scheduled times of the checks. Results are available as long as the plan keeps raw results.',
    params: MonitorId,
    query: ResultsQuery,
    replies: { 200: Type.Array(ResultView) },
    list: true,
    async handle({ actor, params, query }) {
      requireKnownLocation(query.location, locations.codes());
      const page = pager.open(`results/${params.id}`, BY_ID, { actor, query });
      const monitor = await monitorOf(monitors, actor, params.id);
      const nowMs = clock.now();
      const fromMs = query.from === undefined ? 0 : queryTimestamp(query.from, 'from');
      const toMs = query.to === undefined ? nowMs + AHEAD_MS : queryTimestamp(query.to, 'to');
      const rows = await results.page({
        workspaceId: actor.workspaceId,
        monitorId: monitor._id,
        fromMs: Math.max(fromMs, nowMs - keptMs(actor.retentionPlan).rawMs),
        toMs,
        location: query.location ?? null,
        below: page.request.after,
        limit: page.request.rowsMax,
      });
      return page.reply(rows, (shown) => shown.map(resultView));
    },
  });
}

function monitorMetrics({ monitors, readMetrics, budget, locations, clock }: ResultRoutesNeeds): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/{id}/metrics',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'Get response time and uptime of a monitor as series',
    description:
      '`auto` selects the finest resolution that the plan still keeps and that has at most 1,500 points per series; the reply names it. Response times are those of successful checks. `uptime` is the percentage of the observed time in which the monitor was up; `uptime:<location>` is the percentage of successful checks of that location.',
    params: MonitorId,
    query: MetricsQuery,
    replies: { 200: MetricsView },
    async handle({ actor, params, query }) {
      const nowMs = clock.now();
      const range = requestedRange(query, nowMs);
      const isRequested = requestedSeries(query.metrics, locations.codes());
      const monitor = await monitorOf(monitors, actor, params.id);
      budget.admit(actor.workspaceId);
      const requested = query.resolution ?? 'auto';
      const read = async (rawPeriodMs: number) => {
        const window = metricsWindow(range, { requested, nowMs, rawPeriodMs, kept: keptMs(actor.retentionPlan) });
        return { ...window, series: await readMetrics({ ...window, monitor, isRequested }) };
      };
      const first = await read((monitor.interval_seconds * 1_000) / monitor.locations.length);
      if (first.series === null) budget.charge(actor.workspaceId, RAW_RESULTS_MAX * RAW_POINT_COST);
      if (first.series === null && requested === 'raw') throw tooManyPoints();
      // The monitor had a shorter interval before, so that there are more results than expected. `auto` is coarser then.
      const { resolution, series } = first.series === null ? await read(0) : first;
      const points = Object.values(series ?? {}).reduce((sum, { length }) => sum + length, 0);
      budget.charge(actor.workspaceId, resolution === 'raw' ? points * RAW_POINT_COST : points);
      return { status: 200, data: { monitor_id: monitor._id, resolution, series: series ?? {} } };
    },
  });
}

function requireKnownLocation(location: string | undefined, codes: readonly string[]): void {
  if (location === undefined || codes.includes(location)) return;
  throw invalidField('/query/location', `must be a known location: ${codes.join(', ')}`, 'unknown_location');
}

async function monitorOf(monitors: MonitorReader, actor: Actor, id: string): Promise<MonitorDocument> {
  const monitor = await monitors.find(actor.workspaceId, id);
  if (monitor === null) throw notFound('monitor');
  return monitor;
}

function resultView(result: ResultDocument): ResultView {
  return {
    id: shownResultId(result._id),
    checked_at: toIso(result.checked_at_ms),
    location: result.location,
    status: result.up ? 'up' : 'down',
    response_time_ms: roundTo(result.response_time_ms, 1),
    timings: timingsView(result.timings),
    http_status: result.http_status,
    error: result.error,
    attempt: result.attempt,
    final: result.final,
    reason: result.reason as ResultView['reason'],
    lateness_ms: result.attempt === 0 ? Math.max(0, Math.round(result.checked_at_ms - result.slot_ms)) : null,
  };
}

/** Returns the durations of the phases, rounded like the response time. */
function timingsView({ dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms }: ResultTimings): ResultView['timings'] {
  const rounded = (ms: number | null) => (ms === null ? null : roundTo(ms, 1));
  return {
    dns_ms: rounded(dns_ms),
    connect_ms: rounded(connect_ms),
    tls_ms: rounded(tls_ms),
    ttfb_ms: rounded(ttfb_ms),
    transfer_ms: rounded(transfer_ms),
  };
}

/** Returns a filter of series: `response_time_ms` requests all its series, `response_time_ms:fra` only that one. */
function requestedSeries(metrics: string | undefined, codes: readonly string[]) {
  if (metrics === undefined) return () => true;
  const requested = new Set<string>();
  for (const name of metrics.split(',').map((part) => part.trim())) {
    const [metric = '', location] = name.split(':', 2);
    const isKnown =
      METRIC_NAMES.some((known) => known === metric) && (location === undefined || codes.includes(location));
    if (!isKnown || name !== (location === undefined ? metric : `${metric}:${location}`)) {
      throw invalidField(
        '/query/metrics',
        `has no metric ${JSON.stringify(name)}; the metrics are ${METRIC_NAMES.join(', ')}`,
        'unknown_metric',
      );
    }
    requested.add(name);
  }
  return (metric: MetricName, location: string | null) =>
    requested.has(metric) || (location !== null && requested.has(`${metric}:${location}`));
}
