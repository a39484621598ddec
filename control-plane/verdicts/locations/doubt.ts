import { QUARANTINE_MONITORS_MIN } from './quarantine.js';

/** A spot check passes with this many good results, if they outnumber the bad ones. */
const SPOT_CHECK_GOOD_MIN = 3;

/** Without failing canary targets, a failure is doubted at most this long. */
const DOUBT_MS_MAX = 75_000;

/** Whether a sample of other monitors, checked after a failure of the location, shows that its network works. */
export function spotCheckPasses(spotCheck: { requested: number; good: number; bad: number }): boolean {
  return spotCheck.good >= Math.min(SPOT_CHECK_GOOD_MIN, spotCheck.requested) && spotCheck.good > spotCheck.bad;
}

/**
 * Whether the location itself may be the cause of a failure that it has seen since `sinceMs`: its canary targets fail, or
 * no spot check of its other monitors has passed since. What other locations see is not considered here: `countVotes`
 * decides whether the doubt keeps the vote from counting.
 */
export function isDoubtful(
  location: { monitors: number; canaryOk: boolean | null; clearedAtMs: number | null },
  sinceMs: number,
  nowMs: number,
): boolean {
  if (location.canaryOk === false) return true;
  if (location.monitors < QUARANTINE_MONITORS_MIN) return false;
  if (location.clearedAtMs !== null && location.clearedAtMs >= sinceMs) return false;
  return nowMs - sinceMs < DOUBT_MS_MAX;
}
