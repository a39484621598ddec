import type {
  FailingLocation,
  GoodResult,
  LiveResult,
  MonitorDocument,
  VerdictState,
} from '../../monitors/documents.js';
import { believedCheckedAt, isStale, voteValidMs } from '../../monitors/monitors.js';
import { resultId } from '../../results/documents.js';
import { minorityOf } from '../../results/results.js';
import type { Abstention, VoteRecord } from '../decision-record.js';

/** The fields of a monitor that its votes depend on. */
export type VotingMonitor = Pick<
  MonitorDocument,
  '_id' | 'locations' | 'live' | 'interval_seconds' | 'live_from_version'
> & {
  state: Pick<VerdictState, 'evaluated_through_ms' | 'failing'>;
  /** Missing for a monitor that is simulated. Only `before` of its votes depends on it. */
  good?: Readonly<Record<string, GoodResult>>;
};

/** What is known about the locations themselves at this moment. */
export interface LocationTrust {
  /** Whether a probe of the location can check now. */
  hasProbe(code: string): boolean;
  /** Whether one could within the last 30 s. Unlike `hasProbe`, this does not change while probes reconnect. */
  isPresent(code: string): boolean;
  isQuarantined(code: string): boolean;
  /** Whether the location itself may be the cause of a failure that it has seen since `sinceMs`. */
  isDoubted(code: string, sinceMs: number): boolean;
}

/** A result that arrives more than this long after its check was kept on the probe's disk in the meantime. */
export const LATE_ARRIVAL_MS = 30_000;

function isLate(result: LiveResult): boolean {
  return result.received_at_ms - result.checked_at_ms - result.response_time_ms > LATE_ARRIVAL_MS;
}

/**
 * Returns the time of the newest check that a verdict has used: the time in the state, or that of the newest result
 * that arrived in time. A late result from before this time does not change the state.
 */
export function evaluatedThrough(monitor: Pick<VotingMonitor, 'live' | 'locations' | 'state'>): number {
  let newest = monitor.state.evaluated_through_ms;
  for (const location of monitor.locations) {
    const result = monitor.live[location];
    if (result !== undefined && !isLate(result)) newest = Math.max(newest, believedCheckedAt(result));
  }
  return newest;
}

/** Returns exactly one vote for each location of the monitor, in the order of its locations. */
export function votes(monitor: VotingMonitor, trust: LocationTrust, nowMs: number): VoteRecord[] {
  const throughMs = evaluatedThrough(monitor);
  const validMs = voteValidMs(monitor.interval_seconds);
  const quarantined = quarantinedLocations(monitor, trust);
  const cast = monitor.locations.map((location): VoteRecord => {
    const result = monitor.live[location];
    const abstained = abstention(location, result, { trust, quarantined, throughMs, validMs, nowMs });
    const evidence = result === undefined ? null : evidenceOf(monitor._id, location, result);
    if (abstained !== null || result === undefined) {
      return { location, vote: 'unknown', abstained, retrying: false, result: evidence };
    }
    if (result.up) return { location, vote: 'up', abstained: null, retrying: false, result: evidence };
    return downVote(location, result, evidence, knownFailure(monitor, location), trust);
  });
  return cast.map((vote) => {
    const before = seenBefore(vote, monitor.good?.[vote.location], knownFailure(monitor, vote.location));
    return before === null ? vote : { ...vote, before };
  });
}

/** Returns what a location had seen before the result of its vote; null if it is not known. Pure. */
function seenBefore(
  { result }: Pick<VoteRecord, 'result'>,
  good: GoodResult | undefined,
  failure: Pick<FailingLocation, 'since_ms'> | null,
): NonNullable<VoteRecord['before']> | null {
  if (result === null) return null;
  const known = result.up
    ? failure && { status: 'down' as const, at_ms: failure.since_ms }
    : good && { status: 'up' as const, at_ms: good.checked_at_ms };
  return known && known.at_ms < result.checked_at_ms ? known : null;
}

/** Returns the locations whose votes are void: the quarantined ones, if they are a minority of those of the monitor. */
export function quarantinedLocations(
  { locations }: { locations: readonly string[] },
  trust: Pick<LocationTrust, 'isQuarantined' | 'isPresent'>,
): ReadonlySet<string> {
  const quarantined = locations.filter(trust.isQuarantined);
  return minorityOf(quarantined, quarantined.length === 0 ? [] : locations.filter(trust.isPresent));
}

/** Returns the failure of a location in the state; null without one, or if it is about another target. */
export function knownFailure(
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
  failure: FailingLocation | null,
  trust: LocationTrust,
): VoteRecord {
  const heldFrom = result.final ? null : (failure?.confirmed_result_id ?? null);
  const vote: VoteRecord = {
    location,
    vote: 'down',
    abstained: null,
    retrying: !result.final && heldFrom === null,
    result: evidence,
  };
  if (heldFrom !== null) vote.held_from = heldFrom;
  if (!vote.retrying && trust.isDoubted(location, failure?.since_ms ?? believedCheckedAt(result))) vote.doubted = true;
  return vote;
}

/** Returns why a location has no valid vote; null if it has one. */
function abstention(
  location: string,
  result: LiveResult | undefined,
  at: {
    trust: Pick<LocationTrust, 'hasProbe'>;
    quarantined: ReadonlySet<string>;
    throughMs: number;
    validMs: number;
    nowMs: number;
  },
): Abstention | null {
  if (at.quarantined.has(location)) return 'quarantined';
  if (!at.trust.hasProbe(location)) return 'no_probe';
  if (result === undefined) return 'no_result';
  if (isStale(result, at.validMs, at.nowMs)) return 'stale';
  if (isLate(result) && believedCheckedAt(result) < at.throughMs) return 'late';
  return null;
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
