import { growingPauseMs } from '../../../../kernel/growing-pause.js';

/** A receiver that was away for a night gets its entries this long after it is back. */
const PAUSE = { firstMs: 1_000, maxMs: 5 * 60_000 };
/** A receiver may ask for a longer pause, but not for one that would look as if it were forgotten. */
const RETRY_AFTER_MS_MAX = 60 * 60_000;

/**
 * Pause after the n-th failure in a row (n from 1): 1 s, 2 s, 4 s … 5 min. There is no last try.
 */
export function forwardPauseMs(failures: number, retryAfterMs: number | null, fraction: number): number {
  return Math.max(growingPauseMs(failures, fraction, PAUSE), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}
