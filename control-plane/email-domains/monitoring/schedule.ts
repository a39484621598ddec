import { createHash } from 'node:crypto';

const DAY_MS = 86_400_000;

/** A check that finds a new failure is repeated after this time: it takes two to open an incident. */
export const CONFIRM_AFTER_MS = 15 * 60_000;

/**
 * Returns the time of a domain's next daily check: the first time after `nowMs` at the domain's offset in the day. The offset
 * is a hash of its id, so that domains created together are not checked together. Pure.
 */
export function nextDailyMs(domainId: string, nowMs: number): number {
  const offsetMs = createHash('sha256').update(domainId).digest().readUIntBE(0, 6) % DAY_MS;
  return offsetMs + (Math.floor((nowMs - offsetMs) / DAY_MS) + 1) * DAY_MS;
}
