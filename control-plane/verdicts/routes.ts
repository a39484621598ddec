import { toIso } from '../../kernel/clock.js';
import { timestampAt } from '../http/input/time/timestamp.js';
import { type Route, readRoute } from '../http/route.js';
import type { IncidentDocument } from '../incidents/documents.js';
import { MonitorId } from '../monitors/schema.js';
import { BACKTEST_DAYS_MAX, BACKTEST_RESULTS_MAX, type Backtest, type BacktestRequest } from './backtest/backtest.js';
import type { SimulatedOutage } from './backtest/outage-list.js';
import { isVoteDecision } from './decision-record.js';
import { BacktestBody, BacktestReply } from './schema.js';

/** Returns the route that backtests a monitor. */
export function createVerdictRoutes(backtest: Backtest): Route[] {
  return [
    readRoute({
      method: 'POST',
      path: '/v1/monitors/{id}/backtest',
      access: 'monitors:read',
      tag: 'Monitors',
      summary: 'Backtest other settings on stored results',
      description: `Returns the incidents that these settings would have opened on the stored results, and the incidents that were opened. Changes nothing. Limited to ${BACKTEST_DAYS_MAX} days and ${BACKTEST_RESULTS_MAX.toLocaleString('en-US')} results per request. A control plane runs two at a time, of which one of each workspace and one of all on Free; others wait for up to three seconds and are then answered with 429. On Free, they may take 20 s of each minute.`,
      params: MonitorId,
      body: BacktestBody,
      replies: { 200: BacktestReply },
      async handle({ actor, params, body, gone }) {
        const request: BacktestRequest = { fromMs: timestampAt(body.from, '/from'), toMs: timestampAt(body.to, '/to') };
        if (body.confirmations !== undefined) request.confirmations = body.confirmations;
        if (body.retries !== undefined) request.retries = body.retries;
        if (body.interval_seconds !== undefined) request.intervalSeconds = body.interval_seconds;
        const outcome = await backtest(actor, params.id, request, gone);
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
    }),
  ];
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
  const confirmedAtMs = decision !== null && isVoteDecision(decision) ? decision.times.confirmed_at_ms : null;
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
