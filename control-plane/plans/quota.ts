import { type LimitName, planLimit, planRefused } from './plan-limit.js';
import { PLAN_NAMES, PLANS, type PlanLimits, type PlanName } from './plans.js';

/** Limits that count things, what a person calls them, and what the API does. */
const COUNTED = {
  monitors: { words: 'monitors', name: 'monitors' },
  servers: { words: 'servers', name: 'servers' },
  sites: { words: 'WordPress sites', name: 'sites' },
  blacklistMonitors: { words: 'blacklist monitors', name: 'blacklist_monitors' },
  emailDomains: { words: 'e-mail domains', name: 'email_domains' },
  statusPages: { words: 'status pages', name: 'status_pages' },
  statusPageSubscribers: { words: 'subscribers of status pages', name: 'status_page_subscribers' },
  reportSchedules: { words: 'report schedules', name: 'report_schedules' },
  backupJobs: { words: 'backup jobs', name: 'backup_jobs' },
  scansPerDay: { words: 'security scans a day', name: 'scans_per_day' },
  reportsPerMonth: { words: 'reports a month', name: 'reports_per_month' },
} as const satisfies Partial<Record<keyof PlanLimits, { words: string; name: LimitName }>>;

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
  throw planRefused(
    planLimit(`The ${plan} plan allows ${countOf(plan, limit)}. ${way}`, {
      ...{ limit: COUNTED[limit].name, plan, allowed, largerPlan: lifting },
      largerAllows: lifting === undefined ? undefined : PLANS[lifting][limit],
    }),
  );
}

/** Throws 403 unless the plan has the feature, naming the plan that does. */
export function requirePlanFeature(
  plan: PlanName,
  feature: 'scopedKeys' | 'auditExport' | 'singleSignOn',
  what: string,
): void {
  if (PLANS[plan][feature]) return;
  const lifting = PLAN_NAMES.find((name) => PLANS[name][feature]);
  const error = planLimit(`${what} need the ${lifting} plan.`, { limit: 'feature', plan, largerPlan: lifting });
  throw planRefused(error, 'plan_required');
}

function countOf(plan: PlanName, limit: CountedLimit): string {
  const allowed = PLANS[plan][limit];
  const { words } = COUNTED[limit];
  const count = Number.isFinite(allowed) ? allowed.toLocaleString('en-US') : 'any number of';
  return `${count} ${allowed === 1 ? words.replace(/s( a (?:month|day))?$/, '$1') : words}`;
}
