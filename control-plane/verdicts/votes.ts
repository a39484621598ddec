import type { VoteRecord } from '../incidents/documents.js';
import {
  type FailingLocation,
  type LiveResult,
  type MonitorDocument,
  resultId,
  type VerdictState,
} from '../monitors/documents.js';
import type { LocationPresence } from '../nodes/nodes.js';

/** What the votes of a monitor are made of. */
export type VotingMonitor = Pick<
  MonitorDocument,
  '_id' | 'locations' | 'live' | 'interval_seconds' | 'live_from_version'
> & {
  state: Pick<VerdictState, 'evaluated_through_ms' | 'failing'>;
};

/** What is known of the locations themselves at this moment. */
export interface LocationTrust {
  presence(code: string): Pick<LocationPresence, 'connectedProbes'>;
  isQuarantined(code: string): boolean;
  /** Whether a failure that only this location sees, first seen at `sinceMs`, may be the location's own. */
  isDoubted(code: string, sinceMs: number): boolean;
}

/** A vote speaks for its location for twice the interval, but no shorter than this. */
export const VOTE_VALID_MS_MIN = 90_000;

/** A result that took longer from its end to its arrival lay on the probe's disk. */
export const LATE_ARRIVAL_MS = 30_000;

const MS_PER_SECOND = 1_000;

/** How long a location's newest result is its vote. */
export function voteValidMs(intervalSeconds: number): number {
  return Math.max(2 * intervalSeconds * MS_PER_SECOND, VOTE_VALID_MS_MIN);
}

/**
 * When the check was made, as far as the verdict believes it: no check can have been made after its result
 * arrived, whatever the probe's clock says.
 */
export function believedCheckedAt(result: Pick<LiveResult, 'checked_at_ms' | 'received_at_ms'>): number {
  return Math.min(result.checked_at_ms, result.received_at_ms);
}

function cameFromDisk(result: LiveResult): boolean {
  return result.received_at_ms - result.checked_at_ms - result.response_time_ms > LATE_ARRIVAL_MS;
}

/**
 * The newest check whose result took part in a verdict: what the state remembers, or a result that came in time.
 * A result from a probe's disk that is older no longer moves the state.
 */
export function evaluatedThrough(monitor: Pick<VotingMonitor, 'live' | 'locations' | 'state'>): number {
  let newest = monitor.state.evaluated_through_ms;
  for (const location of monitor.locations) {
    const result = monitor.live[location];
    if (result !== undefined && !cameFromDisk(result)) newest = Math.max(newest, believedCheckedAt(result));
  }
  return newest;
}

/** Exactly one vote for each assigned location, in the order of assignment. */
export function votes(monitor: VotingMonitor, trust: LocationTrust, nowMs: number): VoteRecord[] {
  const throughMs = evaluatedThrough(monitor);
  const validMs = voteValidMs(monitor.interval_seconds);
  return monitor.locations.map((location) => {
    const result = monitor.live[location];
    const abstained = abstention(location, result, { trust, throughMs, validMs, nowMs });
    const evidence = result === undefined ? null : evidenceOf(monitor._id, location, result);
    if (abstained !== null || result === undefined) {
      return { location, vote: 'unknown', abstained, retrying: false, result: evidence };
    }
    if (result.up) return { location, vote: 'up', abstained: null, retrying: false, result: evidence };
    return downVote(location, result, evidence, failingSince(monitor, location), trust);
  });
}

/** The run of failures that the state remembers of a location; null without one, or from before a new target. */
export function failingSince(
  monitor: Pick<VotingMonitor, 'state' | 'live_from_version'>,
  location: string,
): FailingLocation | null {
  const entry = monitor.state.failing?.[location];
  return entry !== undefined && entry.from_version === monitor.live_from_version ? entry : null;
}

function downVote(
  location: string,
  result: LiveResult,
  evidence: VoteRecord['result'],
  failing: FailingLocation | null,
  trust: LocationTrust,
): VoteRecord {
  const heldFrom = result.final ? null : (failing?.confirmed_result_id ?? null);
  const vote: VoteRecord = {
    location,
    vote: 'down',
    abstained: null,
    retrying: !result.final && heldFrom === null,
    result: evidence,
  };
  if (heldFrom !== null) vote.held_from = heldFrom;
  if (!vote.retrying && trust.isDoubted(location, failing?.since_ms ?? believedCheckedAt(result))) vote.doubted = true;
  return vote;
}

function abstention(
  location: string,
  result: LiveResult | undefined,
  at: { trust: LocationTrust; throughMs: number; validMs: number; nowMs: number },
): string | null {
  if (at.trust.isQuarantined(location)) return 'quarantined';
  if (at.trust.presence(location).connectedProbes === 0) return 'no_probe';
  if (result === undefined) return 'no_result';
  if (isStale(result, at.validMs, at.nowMs)) return 'stale';
  if (cameFromDisk(result) && believedCheckedAt(result) < at.throughMs) return 'late';
  return null;
}

/** Also true for a result from further in the future than a vote lasts: a clock was wrong, so it proves nothing. */
export function isStale(result: LiveResult, validMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - believedCheckedAt(result)) > validMs;
}

function evidenceOf(monitorId: string, location: string, result: LiveResult): VoteRecord['result'] {
  return {
    result_id: resultId(monitorId, result.slot_ms, location, result.attempt),
    slot_ms: result.slot_ms,
    checked_at_ms: result.checked_at_ms,
    received_at_ms: result.received_at_ms,
    up: result.up,
    attempt: result.attempt,
    response_time_ms: result.response_time_ms,
    error: result.error,
  };
}
