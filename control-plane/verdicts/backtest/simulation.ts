import type { LiveResult, ResultDocument, VerdictState } from '../../monitors/documents.js';
import { type Phase, phaseOf, type Severity, type VerdictSettings, verdict } from '../verdict.js';
import { LATE_ARRIVAL_MS, type LocationTrust, type VotingMonitor, voteValidMs } from '../votes.js';

/** An outage as the settings under test would have raised it. */
export interface SimulatedOutage {
  startedAtMs: number;
  confirmedAtMs: number;
  /** null: it had not ended by the last result. */
  resolvedAtMs: number | null;
  /** The highest it reached. */
  severity: Severity;
  /** Locations that voted down when it was confirmed. */
  locations: string[];
}

export interface Simulation {
  /** Results in order of slot. */
  feed(result: ResultDocument): void;
  outages(): SimulatedOutage[];
  /** Results that took part. */
  used(): number;
}

/** Who had a probe and who was quarantined then is not stored: everyone who sent a result is believed. */
const TRUST: LocationTrust = {
  presence: () => ({ connectedProbes: 1 }),
  isQuarantined: () => false,
  isDoubted: () => false,
};

/** A slot may come a little early without being an extra one. */
const SLOT_TOLERANCE = 0.9;

const FRESH: VerdictState = {
  revision: 0,
  status: 'up',
  changed_at_ms: 0,
  evaluated_through_ms: 0,
  first_failed_at_ms: null,
  recovering_since_ms: null,
  attention: false,
};

/**
 * Runs stored results through the verdict as if they came in now, under other settings. A longer interval leaves
 * results out; a shorter one cannot invent them. Fewer retries make an earlier attempt the last; for more, the
 * location's next failed checks stand for the attempts that were never made.
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
    state: FRESH,
  };
  const validMs = voteValidMs(settings.interval_seconds);
  const outages: SimulatedOutage[] = [];
  const keptSlot = new Map<string, number>();
  const failedInARow = new Map<string, number>();
  let nowMs = 0;
  let againAtMs: number | null = null;
  let used = 0;

  const phase = (): Phase => phaseOf(simulated.state);

  function evaluate(atMs: number): void {
    const judged = verdict(simulated, settings, TRUST, atMs);
    simulated.state = judged.next;
    againAtMs = judged.wants.againAtMs;
    const open = outages.at(-1);
    if (judged.phase.to === 'down' && (judged.phase.from === 'up' || judged.phase.from === 'suspect')) {
      outages.push({
        startedAtMs: judged.next.first_failed_at_ms ?? atMs,
        confirmedAtMs: atMs,
        resolvedAtMs: null,
        severity: judged.severity,
        locations: judged.votes.filter((vote) => vote.vote === 'down').map((vote) => vote.location),
      });
    } else if (open !== undefined && judged.phase.from === 'recovering' && judged.phase.to === 'up') {
      open.resolvedAtMs = atMs;
    } else if (open !== undefined && judged.next.status === 'down' && judged.situation === 'failing') {
      if (judged.severity === 'critical') open.severity = 'critical';
    }
  }

  /** What the sweep would have seen between two results. */
  function passTime(untilMs: number): void {
    if (phase() === 'up') return;
    const moments = againAtMs === null ? [] : [againAtMs];
    for (const result of Object.values(simulated.live)) moments.push(result.checked_at_ms + validMs + 1);
    for (const moment of moments.sort((a, b) => a - b)) {
      if (moment > nowMs && moment < untilMs) evaluate(moment);
    }
  }

  function isKept(result: ResultDocument): boolean {
    if (result.attempt > settings.retries) return false;
    if (result.received_at.getTime() - result.checked_at_ms - result.response_time_ms > LATE_ARRIVAL_MS) return false;
    // Asked for because of trouble, or by hand: under these settings only if there is trouble.
    if (result.reason !== 'schedule') return phase() !== 'up';
    const last = keptSlot.get(result.location);
    if (last === undefined || last === result.slot_ms) return true;
    return result.slot_ms - last >= SLOT_TOLERANCE * settings.interval_seconds * 1_000;
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
      if (!isKept(result)) return;
      used += 1;
      if (result.reason === 'schedule') keptSlot.set(result.location, result.slot_ms);
      const atMs = Math.max(nowMs, result.checked_at_ms + result.response_time_ms);
      passTime(atMs);
      nowMs = atMs;
      simulated.live[result.location] = liveOf(result, atMs);
      if (!result.up || phase() !== 'up') evaluate(atMs);
    },
    outages: () => outages,
    used: () => used,
  };
}
