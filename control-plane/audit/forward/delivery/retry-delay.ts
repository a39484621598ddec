import { backoffMs } from '../../../../kernel/backoff.js';

/** A receiver that was down overnight gets its entries at most this long after it is up again. */
const BACKOFF = { firstMs: 1_000, maxMs: 5 * 60_000 };
/** A receiver may request a longer delay, but not one so long that delivery seems to have stopped. */
const RETRY_AFTER_MS_MAX = 60 * 60_000;

/** Returns the delay after the n-th failure in a row (n from 1): 1 s, 2 s, 4 s … 5 min. Retries never end. */
export function forwardRetryDelayMs(failures: number, retryAfterMs: number | null, fraction: number): number {
  return Math.max(backoffMs(failures, fraction, BACKOFF), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}
