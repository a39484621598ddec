import type { LiveResult } from './documents.js';

/** A location's newest result counts as its vote for two intervals, but at least this long. */
export const VOTE_VALID_MS_MIN = 90_000;

const MS_PER_SECOND = 1_000;

/** Returns how long the newest result of a location counts as its vote. */
export function voteValidMs(intervalSeconds: number): number {
  return Math.max(2 * intervalSeconds * MS_PER_SECOND, VOTE_VALID_MS_MIN);
}

/**
 * Returns when the check was made, corrected for a probe whose clock is ahead: a check cannot be made after its
 * result arrived.
 */
export function believedCheckedAt(result: Pick<LiveResult, 'checked_at_ms' | 'received_at_ms'>): number {
  return Math.min(result.checked_at_ms, result.received_at_ms);
}

/**
 * Whether a result is too old to be a vote. Also true for a result that lies further in the future than a vote is
 * valid: one of the clocks was wrong, so the result proves nothing.
 */
export function isStale(
  result: Pick<LiveResult, 'checked_at_ms' | 'received_at_ms'>,
  validMs: number,
  nowMs: number,
): boolean {
  return Math.abs(nowMs - believedCheckedAt(result)) > validMs;
}
