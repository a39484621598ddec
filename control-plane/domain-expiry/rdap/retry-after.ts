import { RETRY_AFTER_MS_MAX } from './limits.js';

/** Returns how long a server wants to be left alone, at most a day; null if it does not say so. RFC 9110 section 10.2.3. Pure. */
export function retryAfterMs(header: string, nowMs: number): number | null {
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  if (text === '' || Number.isNaN(ms)) return null;
  return Math.min(RETRY_AFTER_MS_MAX, Math.max(0, ms));
}
