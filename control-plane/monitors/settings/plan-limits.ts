import { PLAN_NAMES, PLANS, type PlanLimits, type PlanName } from '../../plans/plans.js';
import type { ShownSettings } from './settings.js';

type LimitedSettings = Pick<ShownSettings, 'interval_seconds' | 'locations'>;

/**
 * Returns why the plan refuses these settings, with the smallest plan that allows them; null when it allows them. Of
 * an existing monitor only changed settings are checked, so that a monitor from a larger plan can still be edited.
 */
export function planRefusal(settings: LimitedSettings, before: LimitedSettings | null, plan: PlanName): string | null {
  const limits = PLANS[plan];
  const { interval_seconds: interval, locations } = settings;
  if (interval < limits.intervalSecondsMin && interval !== before?.interval_seconds) {
    const upgrade = upgradeHint((larger) => interval >= larger.intervalSecondsMin);
    return `The shortest interval of the ${plan} plan is ${limits.intervalSecondsMin} seconds${upgrade(`allows ${interval} seconds`)}.`;
  }
  if (locations.length > limits.locationsPerMonitor && locations.length > (before?.locations.length ?? 0)) {
    const upgrade = upgradeHint((larger) => locations.length <= larger.locationsPerMonitor);
    return `The ${plan} plan allows ${limits.locationsPerMonitor} locations per monitor${upgrade(`allows ${locations.length}`)}.`;
  }
  return null;
}

/** Returns the end of a sentence about a limit, which names the smallest plan that `allows` the settings. */
function upgradeHint(allows: (limits: PlanLimits) => boolean): (what: string) => string {
  const name = PLAN_NAMES.find((plan) => allows(PLANS[plan]));
  return (what) => (name === undefined ? '; no plan allows more' : `; the ${name} plan ${what}`);
}
