import { PLANS, type PlanName } from '../accounts/plans.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Raw results stay in the database this much longer than the plan shows them: a late result makes the roll-up
 * read its whole hour again, and the hour's other results must still be there then.
 */
const RAW_GRACE_MS = 2 * HOUR_MS;

/** How long the plan lets history be read, in milliseconds. */
export interface KeptMs {
  rawMs: number;
  minutesMs: number;
  hoursMs: number;
}

/** Reads go no further back than this, however late the TTL monitor removes what is older. */
export function keptMs(plan: PlanName): KeptMs {
  const limits = PLANS[plan];
  return {
    rawMs: limits.rawSeconds * 1_000,
    minutesMs: limits.minutesSeconds * 1_000,
    hoursMs: limits.hoursSeconds * 1_000,
  };
}

/** When TTL removes a raw result. */
export function rawExpiresAt(plan: PlanName, slotMs: number): Date {
  return new Date(slotMs + keptMs(plan).rawMs + RAW_GRACE_MS);
}

/** When TTL removes a packed document of minutes, which covers the hour from `startMs`. */
export function minutesExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + HOUR_MS + keptMs(plan).minutesMs);
}

/** When TTL removes a packed document of hours, which covers the day from `startMs`. */
export function hoursExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + DAY_MS + keptMs(plan).hoursMs);
}
