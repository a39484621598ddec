import type { LiveResult, VerdictState } from '../../monitors/documents.js';
import { voteValidMs } from '../../monitors/monitors.js';
import type { ResultDocument } from '../../results/documents.js';
import { phaseOf } from '../rule/phase.js';
import { type VerdictSettings, verdict } from '../rule/verdict.js';
import type { LocationTrust, VotingMonitor } from '../rule/votes.js';
import { createOutageList, type SimulatedOutage } from './outage-list.js';
import { createResultFilter } from './result-filter.js';

interface Simulation {
  /** Adds a result. Results must be in order of slot. */
  feed(result: ResultDocument): void;
  outages(): SimulatedOutage[];
  /** Returns the number of results that were not left out. */
  used(): number;
}

/** Past probes and quarantines are not stored, so every location with a result is trusted. */
const TRUST: LocationTrust = {
  hasProbe: () => true,
  isPresent: () => true,
  isQuarantined: () => false,
  isDoubted: () => false,
};

const INITIAL_STATE: VerdictState = {
  revision: 0,
  status: 'up',
  changed_at_ms: 0,
  evaluated_through_ms: 0,
  first_failed_at_ms: null,
  recovering_since_ms: null,
  attention: false,
};

/**
 * Evaluates stored results as if they arrived now, under other settings. A longer interval leaves results out; a
 * shorter one cannot add results. Fewer retries make an earlier attempt final; for more retries, the next failed checks
 * of the location replace the attempts that were not made.
 */
export function createSimulation(
  monitor: { _id: string; locations: readonly string[] },
  settings: VerdictSettings,
): Simulation {
  const simulated: VotingMonitor & { state: VerdictState } = {
    _id: monitor._id,
    locations: [...monitor.locations],
    live: {},
    live_from_version: 0,
    interval_seconds: settings.interval_seconds,
    state: INITIAL_STATE,
  };
  const validMs = voteValidMs(settings.interval_seconds);
  const outages = createOutageList();
  const filter = createResultFilter(settings);
  const failedInARow = new Map<string, number>();
  let nowMs = 0;
  let reevaluateAtMs: number | null = null;

  const isUp = (): boolean => phaseOf(simulated.state) === 'up';

  function evaluate(atMs: number): void {
    const current = verdict(simulated, settings, TRUST, atMs);
    simulated.state = current.next;
    reevaluateAtMs = current.reevaluateAtMs;
    outages.add(current, atMs);
  }

  /** Evaluates at the moments between two results at which the sweep would have. */
  function passTime(untilMs: number): void {
    if (isUp()) return;
    const moments = reevaluateAtMs === null ? [] : [reevaluateAtMs];
    for (const result of Object.values(simulated.live)) moments.push(result.checked_at_ms + validMs + 1);
    for (const moment of moments.sort((a, b) => a - b)) {
      if (moment > nowMs && moment < untilMs) evaluate(moment);
    }
  }

  function liveOf(result: ResultDocument, atMs: number): LiveResult {
    const failed = result.up ? 0 : (failedInARow.get(result.location) ?? 0) + 1;
    failedInARow.set(result.location, failed);
    return {
      checked_at_ms: result.checked_at_ms,
      slot_ms: result.slot_ms,
      attempt: result.attempt,
      final: result.up || failed > settings.retries,
      received_at_ms: atMs,
      up: result.up,
      response_time_ms: result.response_time_ms,
      http_status: result.http_status,
      error: result.error,
    };
  }

  return {
    feed(result) {
      if (!filter.accepts(result, isUp())) return;
      const atMs = Math.max(nowMs, result.checked_at_ms + result.response_time_ms);
      passTime(atMs);
      nowMs = atMs;
      simulated.live[result.location] = liveOf(result, atMs);
      if (!result.up || !isUp()) evaluate(atMs);
    },
    outages: outages.all,
    used: filter.accepted,
  };
}
