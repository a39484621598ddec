const PAUSE_FIRST_MS = 1_000;
/** A receiver that was away for a night gets its entries this long after it is back. */
const PAUSE_MS_MAX = 5 * 60_000;
/** A receiver may ask for a longer pause, but not for one that would look as if it were forgotten. */
const RETRY_AFTER_MS_MAX = 60 * 60_000;

/**
 * Pause after the n-th failure in a row (n from 1): 1 s, 2 s, 4 s … 5 min, shortened or lengthened by up to a quarter,
 * so that what failed together does not come back together. There is no last try. `fraction` is chance in [0, 1).
 */
export function forwardPauseMs(failures: number, retryAfterMs: number | null, fraction: number): number {
  const pause = Math.min(PAUSE_MS_MAX, PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(Math.round(pause * (0.75 + fraction / 2)), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}
