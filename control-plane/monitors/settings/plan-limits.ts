import type { FieldError } from '../../errors.js';
import { planLimit } from '../../plans/plan-limit.js';
import { PLAN_NAMES, PLANS, type PlanLimits, type PlanName } from '../../plans/plans.js';
import type { ShownSettings } from './settings.js';

type LimitedSettings = Pick<ShownSettings, 'interval_seconds' | 'locations'>;

/**
 * Returns why the plan refuses these settings, with the smallest plan that allows them; null when it allows them. Of
 * an existing monitor only changed settings are checked, so that a monitor from a larger plan can still be edited.
 */
export function planRefusal(
  settings: LimitedSettings,
  before: LimitedSettings | null,
  plan: PlanName,
): FieldError | null {
  const limits = PLANS[plan];
  const { interval_seconds: interval, locations } = settings;
  if (interval < limits.intervalSecondsMin && interval !== before?.interval_seconds) {
    const allowed = limits.intervalSecondsMin;
    const largerPlan = planThat((larger) => interval >= larger.intervalSecondsMin);
    const largerAllows = largerPlan === undefined ? undefined : PLANS[largerPlan].intervalSecondsMin;
    const message = `The shortest interval of the ${plan} plan is ${allowed} seconds${upgrade(largerPlan, `allows ${largerAllows} seconds`)}.`;
    return planLimit(message, { limit: 'interval_seconds', plan, allowed, largerPlan, largerAllows });
  }
  if (locations.length > limits.locationsPerMonitor && locations.length > (before?.locations.length ?? 0)) {
    const allowed = limits.locationsPerMonitor;
    const largerPlan = planThat((larger) => locations.length <= larger.locationsPerMonitor);
    const largerAllows = largerPlan === undefined ? undefined : PLANS[largerPlan].locationsPerMonitor;
    const message = `The ${plan} plan allows ${allowed} locations per monitor${upgrade(largerPlan, `allows ${largerAllows}`)}.`;
    return planLimit(message, { limit: 'locations', plan, allowed, largerPlan, largerAllows });
  }
  return null;
}

/** Returns the smallest plan that `allows` the settings. */
function planThat(allows: (limits: PlanLimits) => boolean): PlanName | undefined {
  return PLAN_NAMES.find((plan) => allows(PLANS[plan]));
}

/** Returns the end of a sentence about a limit, which names the plan that allows more. */
const upgrade = (name: PlanName | undefined, what: string): string =>
  name === undefined ? '; no plan allows more' : `; the ${name} plan ${what}`;
