import type { VerdictState } from '../../monitors/documents.js';
import type { VoteRecord } from '../decision-record.js';
import { knownFailure, type VotingMonitor } from './votes.js';

/** The minimum time between two fast confirmations of a monitor, however often locations start to fail. */
const CONFIRM_GAP_MS = 30_000;

/** How often in a row a confirmation is requested while some location does not answer. */
const CONFIRM_TRIES_MAX = 3;

/** A requested check counts as not answered this long after its own timeout. */
const CONFIRM_ANSWER_MARGIN_MS = 10_000;

export interface ConfirmationRequest {
  /** Locations that must check at once; empty: none. */
  locations: string[];
  /** For the next state. */
  confirm: NonNullable<VerdictState['confirm']> | null;
}

/**
 * Returns which locations must check at once because a location has begun to fail while the monitor is up. Locations
 * that fail themselves are not asked. A location whose failure arrived late is asked for its current result.
 */
export function fastConfirmation(
  monitor: VotingMonitor & { state: VerdictState },
  next: VerdictState,
  votes: readonly VoteRecord[],
  timeoutMs: number,
  nowMs: number,
): ConfirmationRequest {
  const previous = monitor.state.confirm ?? null;
  const failing = votes.filter((vote) => vote.vote === 'down');
  const late = votes.filter((vote) => vote.abstained === 'late' && vote.result?.up === false);
  if (failing.length + late.length === 0) return { locations: [], confirm: null };
  const newest = Math.max(0, ...failing.map((vote) => next.failing?.[vote.location]?.since_ms ?? 0));
  const hasNewFailure =
    failing.some((vote) => knownFailure(monitor, vote.location) === null) ||
    late.some((vote) => (vote.result?.received_at_ms ?? 0) > (previous?.asked_at_ms ?? 0));
  if (hasNewFailure && (previous === null || nowMs - previous.asked_at_ms > CONFIRM_GAP_MS)) {
    const locations = notCheckedSince(votes, newest);
    if (locations.length > 0) return { locations, confirm: { asked_at_ms: nowMs, tries: 1 } };
  }
  // Too soon after the previous request: the new failure is confirmed when the answers to that one are overdue.
  const confirm = hasNewFailure && previous !== null ? { ...previous, tries: 0 } : previous;
  const isOverdue = confirm !== null && nowMs - confirm.asked_at_ms > timeoutMs + CONFIRM_ANSWER_MARGIN_MS;
  if (isOverdue && confirm.tries < CONFIRM_TRIES_MAX) {
    const locations = notCheckedSince(votes, newest).filter((location) => hasProbe(votes, location));
    if (locations.length > 0) return { locations, confirm: { asked_at_ms: nowMs, tries: confirm.tries + 1 } };
  }
  return { locations: [], confirm };
}

/** Returns the locations without a result since `sinceMs`, except those that vote down and quarantined ones. */
function notCheckedSince(votes: readonly VoteRecord[], sinceMs: number): string[] {
  return votes
    .filter((vote) => vote.vote !== 'down' && vote.abstained !== 'quarantined')
    .filter((vote) => vote.abstained === 'late' || (vote.result?.checked_at_ms ?? 0) < sinceMs)
    .map((vote) => vote.location);
}

function hasProbe(votes: readonly VoteRecord[], location: string): boolean {
  return votes.some((vote) => vote.location === location && vote.abstained !== 'no_probe');
}
