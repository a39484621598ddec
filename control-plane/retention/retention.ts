import { PLANS, type PlanName } from '../plans/plans.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Raw data stays in the database this much longer than the plan allows reading it: a late result or sample makes the
 * roll-up read its whole hour again, and the rest of that hour must still exist.
 */
const RAW_GRACE_MS = 2 * HOUR_MS;

/** How long history can be read, by resolution. */
export interface KeptMs {
  rawMs: number;
  minutesMs: number;
  hoursMs: number;
}

/** Returns how far back the plan allows reads, even if TTL removes older data later. */
export function keptMs(plan: PlanName): KeptMs {
  const limits = PLANS[plan];
  return {
    rawMs: limits.rawSeconds * 1_000,
    minutesMs: limits.minutesSeconds * 1_000,
    hoursMs: limits.hoursSeconds * 1_000,
  };
}

/** Returns when TTL removes raw data: a result by its slot, or a packed hour of samples by its end. */
export function rawExpiresAt(plan: PlanName, atMs: number): Date {
  return new Date(atMs + keptMs(plan).rawMs + RAW_GRACE_MS);
}

/** Returns when TTL removes a packed document of minutes, which covers the hour from `startMs`. */
export function minutesExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + HOUR_MS + keptMs(plan).minutesMs);
}

/** Returns when TTL removes a packed document of hours, which covers the day from `startMs`. */
export function hoursExpireAt(plan: PlanName, startMs: number): Date {
  return new Date(startMs + DAY_MS + keptMs(plan).hoursMs);
}
