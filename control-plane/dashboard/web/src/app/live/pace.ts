const MINUTE_MS = 60_000;
/** A list is read again at most this often, however many events concern it. */
const GAP_MS_MIN = 1_000;
/** How much of the requests that the plan allows in a minute follows events. The rest is for what the person does. */
const SHARE = 0.5;
/** After this long in the background or asleep, everything is read again: results of checks, for example, are no events. */
export const AWAY_MS_MAX = 30_000;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 30_000;

/**
 * Returns how long to collect events after `reads` requests have been made for those before. Pure. The first event after
 * a quiet time does not wait. `perMinute` is the limit of the API; null if it has none.
 */
export function gapMs(reads: number, perMinute: number | null): number {
  if (perMinute === null) return GAP_MS_MIN;
  return Math.max(GAP_MS_MIN, (reads * MINUTE_MS) / (perMinute * SHARE));
}

/**
 * Returns how long to wait before the next attempt to connect. Pure. `attempt` counts from 0; `random` is from 0 to 1, so
 * that all tabs of a control plane that stopped do not come back at once.
 */
export function backoffMs(attempt: number, random: number): number {
  const most = Math.min(BACKOFF_MS_MIN * 2 ** attempt, BACKOFF_MS_MAX);
  return most * (0.5 + random / 2);
}
