import { readRetryAfter } from '../../../kernel/guard/retry-after.js';
import { RETRY_AFTER_MS_MAX } from './limits.js';

/** Returns how long a server wants to be left alone, at most a day; null if it does not say so. Pure. */
export function retryAfterMs(header: string, nowMs: number): number | null {
  const ms = readRetryAfter(header.trim(), nowMs);
  return ms === null ? null : Math.min(RETRY_AFTER_MS_MAX, ms);
}
