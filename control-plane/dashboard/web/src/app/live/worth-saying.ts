import type { Liveness } from './freshness.ts';

/** How long the first connection or reading again may take before the page says so: most loads of a page are shorter. */
export const QUIET_MS = 3_000;
/** What is as old as this is not what somebody has just loaded. */
const OLD_MS = 10_000;

/**
 * Returns whether the state belongs on the page: that a page connects and reads what it shows is no news, unless that
 * takes long or what is shown is old. `lastsMs` is how long the state lasts already. Pure.
 */
export function isWorthSaying({ state, since }: Liveness, lastsMs: number, nowMs: number): boolean {
  if (state !== 'connecting' && state !== 'catching_up') return true;
  return lastsMs >= QUIET_MS || (since !== null && nowMs - Date.parse(since) >= OLD_MS);
}
