import { PLANS, type PlanName } from '../../plans/plans.js';
import type { MonitorDocument } from '../documents.js';
import { voteValidMs } from '../live-result.js';

/** The settings of a monitor that a plan limits. */
export type LimitedSettings = Pick<MonitorDocument, 'interval_seconds' | 'locations' | 'confirmations'>;

/** The stored form: what is checked, and what the user set if that is more than the plan allows. */
export type StoredLimits = LimitedSettings & { wanted: LimitedSettings | null };

/** What is known of the locations from which a monitor was checked so far. */
export type CheckedSoFar = LimitedSettings & Pick<MonitorDocument, 'wanted' | 'live'>;

/**
 * Returns what a plan makes of settings. Checks are made at the plan's shortest interval and from as many locations as
 * it allows. What the user set is kept, so that a larger plan restores it. `before` is the monitor if it exists already.
 */
export function limitedBy(plan: PlanName, wanted: LimitedSettings, before: CheckedSoFar | null): StoredLimits {
  const { intervalSecondsMin, locationsPerMonitor } = PLANS[plan];
  const { interval_seconds, locations, confirmations } = wanted;
  const isAllowed = interval_seconds >= intervalSecondsMin && locations.length <= locationsPerMonitor;
  if (isAllowed) return { interval_seconds, locations, confirmations, wanted: null };
  const kept = keptLocations(locations, locationsPerMonitor, before);
  return {
    interval_seconds: Math.max(interval_seconds, intervalSecondsMin),
    locations: kept,
    // With more confirmations than locations, the monitor would never go down.
    confirmations: confirmations === null ? null : Math.min(confirmations, kept.length),
    wanted: { interval_seconds, locations, confirmations },
  };
}

/** Returns what the user set. */
export function wantedOf(monitor: LimitedSettings & Pick<MonitorDocument, 'wanted'>): LimitedSettings {
  const { interval_seconds, locations, confirmations } = monitor.wanted ?? monitor;
  return { interval_seconds, locations, confirmations };
}

/**
 * Returns the locations that stay, in the order of the user: those of a monitor that is limited already, so that they do not change
 * with every edit. Otherwise those that answered until now come first: one without a probe would leave the monitor unchecked.
 */
function keptLocations(locations: readonly string[], max: number, before: CheckedSoFar | null): string[] {
  if (before === null) return locations.slice(0, max);
  const { wanted = null, locations: checked } = before;
  const isLimited = wanted !== null && checked.length === max && checked.every((code) => locations.includes(code));
  if (isLimited) return locations.filter((code) => checked.includes(code));
  const answering = answeringLocations(before);
  const chosen = [...locations].sort((a, b) => Number(answering.has(b)) - Number(answering.has(a))).slice(0, max);
  return locations.filter((code) => chosen.includes(code));
}

/** Returns the locations whose latest result is about as new as the newest of the monitor. */
function answeringLocations({ live, interval_seconds }: CheckedSoFar): Set<string> {
  const results = Object.entries(live ?? {});
  const newestMs = Math.max(...results.map(([, { checked_at_ms }]) => checked_at_ms));
  const validMs = voteValidMs(interval_seconds);
  return new Set(
    results.filter(([, { checked_at_ms }]) => newestMs - checked_at_ms <= validMs).map(([location]) => location),
  );
}
