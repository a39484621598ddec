import { type Static, Type } from 'typebox';
import { toIso } from '../../../kernel/clock.js';
import { invalidField } from '../../errors.js';
import { parseTimestamp } from '../../http/input/timestamp.js';
import { type Route, readRoute } from '../../http/route.js';
import { type IncidentDocument, isByVotes } from '../../incidents/documents.js';
import { BACKTEST_EXAMPLE, BACKTEST_REQUEST_EXAMPLE } from '../../monitors/examples.js';
import {
  INTERVAL_SECONDS_MAX,
  INTERVAL_SECONDS_MIN,
  LOCATIONS_MAX,
  MonitorId,
  RETRIES_MAX,
} from '../../monitors/schema.js';
import { BACKTEST_DAYS_MAX, BACKTEST_RESULTS_MAX, type Backtest, type BacktestRequest } from './backtest.js';
import type { SimulatedOutage } from './simulation.js';

const closed = { additionalProperties: false };
const Time = Type.String({ format: 'date-time' });
const NullableTime = Type.Union([Time, Type.Null()]);

export const BacktestBody = Type.Object(
  {
    from: Time,
    to: Time,
    confirmations: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: LOCATIONS_MAX }), Type.Null()], {
        description: 'null: a majority. Left out: as the monitor has it.',
      }),
    ),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: RETRIES_MAX })),
    interval_seconds: Type.Optional(Type.Integer({ minimum: INTERVAL_SECONDS_MIN, maximum: INTERVAL_SECONDS_MAX })),
  },
  { ...closed, title: 'BacktestRequest', examples: [BACKTEST_REQUEST_EXAMPLE] },
);
export type BacktestBody = Static<typeof BacktestBody>;

const WouldHaveBeen = Type.Object(
  {
    started_at: Time,
    confirmed_at: Time,
    resolved_at: NullableTime,
    duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
    severity: Type.Enum(['critical', 'warning']),
    locations: Type.Array(Type.String()),
  },
  closed,
);

const Was = Type.Object(
  {
    id: Type.String(),
    started_at: Time,
    confirmed_at: NullableTime,
    resolved_at: NullableTime,
    duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
    severity: Type.Enum(['critical', 'warning', 'info']),
  },
  closed,
);

export const BacktestReply = Type.Object(
  {
    monitor_id: Type.String(),
    from: Time,
    to: Time,
    settings: Type.Object(
      {
        confirmations: Type.Union([Type.Integer(), Type.Null()]),
        retries: Type.Integer(),
        interval_seconds: Type.Integer(),
      },
      closed,
    ),
    results_read: Type.Integer(),
    results_used: Type.Integer({ description: 'Fewer than read where a longer interval leaves some out.' }),
    would_have_been: Type.Array(WouldHaveBeen),
    were: Type.Array(Was),
    notes: Type.Array(Type.String()),
  },
  { ...closed, title: 'Backtest', examples: [BACKTEST_EXAMPLE] },
);
export type BacktestReply = Static<typeof BacktestReply>;

export function backtestRoute(backtest: Backtest): Route {
  return readRoute({
    method: 'POST',
    path: '/v1/monitors/{id}/backtest',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'Try other settings of a monitor on its past',
    description: `The incidents that these settings would have raised on the stored results, beside those that were. Changes nothing. At most ${BACKTEST_DAYS_MAX} days and ${BACKTEST_RESULTS_MAX.toLocaleString('en-US')} results at a time.`,
    params: MonitorId,
    body: BacktestBody,
    replies: { 200: BacktestReply },
    async handle({ actor, params, body }) {
      const request: BacktestRequest = { fromMs: timestamp(body.from, '/from'), toMs: timestamp(body.to, '/to') };
      if (body.confirmations !== undefined) request.confirmations = body.confirmations;
      if (body.retries !== undefined) request.retries = body.retries;
      if (body.interval_seconds !== undefined) request.intervalSeconds = body.interval_seconds;
      const outcome = await backtest(actor, params.id, request);
      const reply: BacktestReply = {
        monitor_id: params.id,
        from: toIso(request.fromMs),
        to: toIso(request.toMs),
        settings: outcome.settings,
        results_read: outcome.resultsRead,
        results_used: outcome.resultsUsed,
        would_have_been: outcome.wouldHaveBeen.map(simulatedView),
        were: outcome.were.map(pastView),
        notes: outcome.notes,
      };
      return { status: 200, data: reply };
    },
  });
}

function simulatedView(outage: SimulatedOutage): BacktestReply['would_have_been'][number] {
  return {
    started_at: toIso(outage.startedAtMs),
    confirmed_at: toIso(outage.confirmedAtMs),
    resolved_at: outage.resolvedAtMs === null ? null : toIso(outage.resolvedAtMs),
    duration_seconds: seconds(outage.startedAtMs, outage.resolvedAtMs),
    severity: outage.severity,
    locations: outage.locations,
  };
}

function pastView(incident: IncidentDocument): BacktestReply['were'][number] {
  const { decision } = incident;
  const confirmedAtMs = decision !== null && isByVotes(decision) ? decision.times.confirmed_at_ms : null;
  return {
    id: incident._id,
    started_at: toIso(incident.started_at_ms),
    confirmed_at: confirmedAtMs === null ? null : toIso(confirmedAtMs),
    resolved_at: incident.resolved_at_ms === null ? null : toIso(incident.resolved_at_ms),
    duration_seconds: seconds(incident.started_at_ms, incident.resolved_at_ms),
    severity: incident.severity,
  };
}

function seconds(fromMs: number, toMs: number | null): number | null {
  return toMs === null ? null : Math.max(0, Math.round((toMs - fromMs) / 1_000));
}

function timestamp(text: string, path: string): number {
  const atMs = parseTimestamp(text);
  if (atMs === null) throw invalidField(path, 'must be an RFC 3339 timestamp');
  return atMs;
}
