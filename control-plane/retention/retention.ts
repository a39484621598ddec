import { PLANS, type PlanName } from '../accounts/plans.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * What is raw stays in the database this much longer than the plan shows it: a late result or report makes the roll-up
 * read its whole hour again, and the rest of the hour must still be there then.
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

/** When TTL removes what is raw: a result, or a packed hour of reports by its end. */
export function rawExpiresAt(plan: PlanName, atMs: number): Date {
  return new Date(atMs + keptMs(plan).rawMs + RAW_GRACE_MS);
}

/** When TTL removes a packed document of minutes, which covers the hour from `startMs`. */
export function minutesExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + HOUR_MS + keptMs(plan).minutesMs);
}

/** When TTL removes a packed document of hours, which covers the day from `startMs`. */
export function hoursExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + DAY_MS + keptMs(plan).hoursMs);
}
