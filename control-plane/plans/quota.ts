import { AppError } from '../errors.js';
import { PLAN_NAMES, PLANS, type PlanLimits, type PlanName } from './plans.js';

/** Limits that count things, and what a person calls them. */
const COUNTED = {
  monitors: 'monitors',
  servers: 'servers',
  sites: 'WordPress sites',
  blacklistMonitors: 'blacklist monitors',
  reportsPerMonth: 'reports a month',
} as const satisfies Partial<Record<keyof PlanLimits, string>>;

export type CountedLimit = keyof typeof COUNTED;

/**
 * Throws 402 when one more would be more than the plan allows. `used` is counted in the transaction that adds
 * it, or two at once could both be the last.
 */
export function refuseOverQuota(plan: PlanName, limit: CountedLimit, used: number): void {
  const allowed = PLANS[plan][limit];
  if (used < allowed) return;
  const lifting = PLAN_NAMES.slice(PLAN_NAMES.indexOf(plan) + 1).find((name) => PLANS[name][limit] > used);
  const way = lifting === undefined ? 'No plan allows more.' : `The ${lifting} plan allows ${countOf(lifting, limit)}.`;
  throw new AppError('plan_limit', `The ${plan} plan allows ${countOf(plan, limit)}. ${way}`);
}

/** Throws 403 unless the plan has the feature, naming the plan that does. */
export function requirePlanFeature(
  plan: PlanName,
  feature: 'scopedKeys' | 'auditExport' | 'singleSignOn',
  what: string,
): void {
  if (PLANS[plan][feature]) return;
  const lifting = PLAN_NAMES.find((name) => PLANS[name][feature]);
  throw new AppError('plan_required', `${what} need the ${lifting} plan.`);
}

function countOf(plan: PlanName, limit: CountedLimit): string {
  const allowed = PLANS[plan][limit];
  const count = Number.isFinite(allowed) ? allowed.toLocaleString('en-US') : 'any number of';
  return `${count} ${allowed === 1 ? COUNTED[limit].replace(/s( a month)?$/, '$1') : COUNTED[limit]}`;
}
