import type { ApiKey } from '../../api/types.ts';

const DAY_MS = 86_400_000;
/** The owner of a key also gets an e-mail this long before. */
const SOON_MS = 7 * DAY_MS;

/** What a person can choose: a number of days, no expiry, or a day of their own. */
export const EXPIRIES = ['30', '90', '365', 'never', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/**
 * Returns when a new key expires; null for never. `date` is a day such as `2026-01-31`: the key works until its end in
 * the time zone of the browser. Returns undefined for a day that is missing.
 */
export function expiresAt(expiry: Expiry, date: string, nowMs: number): string | null | undefined {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
  const end = Date.parse(`${date}T23:59:59`);
  return Number.isNaN(end) ? undefined : new Date(end).toISOString();
}

/** Whether a key works, will soon end, or has ended. */
export function standingOf({ expires_at: end }: Pick<ApiKey, 'expires_at'>, nowMs: number): 'valid' | 'soon' | 'over' {
  if (end === null) return 'valid';
  const leftMs = Date.parse(end) - nowMs;
  if (leftMs <= 0) return 'over';
  return leftMs <= SOON_MS ? 'soon' : 'valid';
}
