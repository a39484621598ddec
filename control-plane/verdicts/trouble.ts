import type { VoteRecord } from '../incidents/documents.js';
import { type FailingLocation, resultId, type VerdictState } from '../monitors/documents.js';
import { believedCheckedAt, failingSince, type VotingMonitor } from './votes.js';

/** Fast confirmations of one monitor are at least so far apart, however often locations start to fail. */
export const CONFIRM_GAP_MS = 30_000;

/** A confirmation that some location did not answer is asked for again, but no more often than this in a row. */
export const CONFIRM_TRIES_MAX = 3;

/** So long after its own timeout a check that was asked for counts as not answered. */
const CONFIRM_ANSWER_MARGIN_MS = 10_000;

/**
 * Which locations fail and since when, as the next state remembers it. A location is forgotten once it is good
 * again or its result is stale; one that may not vote for another reason keeps its place for when it may.
 */
export function failingLocations(monitor: VotingMonitor, cast: readonly VoteRecord[]): Record<string, FailingLocation> {
  const failing: Record<string, FailingLocation> = {};
  for (const { location, abstained } of cast) {
    const result = monitor.live[location];
    if (result === undefined || result.up || abstained === 'stale') continue;
    const known = failingSince(monitor, location);
    if (abstained === 'late') {
      if (known !== null) failing[location] = known;
      continue;
    }
    const confirmed = result.final ? resultId(monitor._id, result.slot_ms, location, result.attempt) : null;
    failing[location] = {
      since_ms: known?.since_ms ?? believedCheckedAt(result),
      confirmed_result_id: known?.confirmed_result_id ?? confirmed,
      from_version: monitor.live_from_version,
    };
  }
  return failing;
}

/**
 * The first failed check of the present trouble; null when no valid vote is down. A location that has failed alone
 * for days is another trouble than the one that joins it now: going back from the newest, the trouble began where
 * nothing failed for as long as a vote lasts.
 */
export function firstFailedAt(
  cast: readonly VoteRecord[],
  failing: Readonly<Record<string, FailingLocation>>,
  validMs: number,
): number | null {
  const starts = cast
    .filter((vote) => vote.vote === 'down')
    .map((vote) => failing[vote.location]?.since_ms)
    .filter((since) => since !== undefined)
    .sort((a, b) => b - a);
  let first: number | null = null;
  for (const since of starts) {
    if (first !== null && first - since > validMs) break;
    first = since;
  }
  return first;
}

export interface ConfirmWish {
  locations: string[];
  confirm: NonNullable<VerdictState['confirm']> | null;
}

/**
 * Fast confirmation: who is to check at once, because a location has begun to fail while the monitor is up. Those
 * that fail by themselves are not asked; one whose failure came late from its disk is, for what is true now.
 */
export function confirmWish(
  monitor: VotingMonitor & { state: VerdictState },
  next: VerdictState,
  cast: readonly VoteRecord[],
  timeoutMs: number,
  nowMs: number,
): ConfirmWish {
  const asked = monitor.state.confirm ?? null;
  const fails = cast.filter((vote) => vote.vote === 'down');
  const late = cast.filter((vote) => vote.abstained === 'late' && vote.result?.up === false);
  if (fails.length + late.length === 0) return { locations: [], confirm: null };
  const newest = Math.max(0, ...fails.map((vote) => next.failing?.[vote.location]?.since_ms ?? 0));
  const begun =
    fails.some((vote) => failingSince(monitor, vote.location) === null) ||
    late.some((vote) => (vote.result?.received_at_ms ?? 0) > (asked?.asked_at_ms ?? 0));
  if (begun && (asked === null || nowMs - asked.asked_at_ms > CONFIRM_GAP_MS)) {
    const locations = silentSince(cast, newest);
    if (locations.length > 0) return { locations, confirm: { asked_at_ms: nowMs, tries: 1 } };
  }
  // Too soon after the last time: the new failure's turn comes when the answers to that are overdue.
  const confirm = begun && asked !== null ? { ...asked, tries: 0 } : asked;
  const overdue = confirm !== null && nowMs - confirm.asked_at_ms > timeoutMs + CONFIRM_ANSWER_MARGIN_MS;
  if (overdue && confirm.tries < CONFIRM_TRIES_MAX) {
    const locations = silentSince(cast, newest).filter((location) => hasProbe(cast, location));
    if (locations.length > 0) return { locations, confirm: { asked_at_ms: nowMs, tries: confirm.tries + 1 } };
  }
  return { locations: [], confirm };
}

/** Locations that have said nothing newer than `sinceMs`, those that vote down and the quarantined left out. */
function silentSince(cast: readonly VoteRecord[], sinceMs: number): string[] {
  return cast
    .filter((vote) => vote.vote !== 'down' && vote.abstained !== 'quarantined')
    .filter((vote) => vote.abstained === 'late' || (vote.result?.checked_at_ms ?? 0) < sinceMs)
    .map((vote) => vote.location);
}

function hasProbe(cast: readonly VoteRecord[], location: string): boolean {
  return cast.some((vote) => vote.location === location && vote.abstained !== 'no_probe');
}
