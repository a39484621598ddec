import { PLANS, type PlanName } from '../../plans/plans.js';
import type { MonitorDocument } from '../documents.js';

/** The settings of a monitor that a plan limits. */
export type LimitedSettings = Pick<MonitorDocument, 'interval_seconds' | 'locations' | 'confirmations'>;

/** The stored form: what is checked, and what the user set if that is more than the plan allows. */
export type StoredLimits = LimitedSettings & { wanted: LimitedSettings | null };

/**
 * Returns what a plan makes of settings. Checks are made at the plan's shortest interval and from the first locations that
 * it allows. What the user set is kept, so that a larger plan restores it.
 */
export function limitedBy(plan: PlanName, wanted: LimitedSettings): StoredLimits {
  const { intervalSecondsMin, locationsPerMonitor } = PLANS[plan];
  const { interval_seconds, locations, confirmations } = wanted;
  const isAllowed = interval_seconds >= intervalSecondsMin && locations.length <= locationsPerMonitor;
  if (isAllowed) return { interval_seconds, locations, confirmations, wanted: null };
  const kept = locations.slice(0, locationsPerMonitor);
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
