import { AppError, type FieldError, type FieldErrorParams } from '../errors.js';
import type { PlanName } from './plans.js';

/** What a plan limits, as `params` of an error name it. */
export type LimitName =
  | 'monitors'
  | 'servers'
  | 'sites'
  | 'blacklist_monitors'
  | 'email_domains'
  | 'reports_per_month'
  | 'status_pages'
  | 'status_page_subscribers'
  | 'report_schedules'
  | 'backup_jobs'
  | 'scans_per_day'
  | 'interval_seconds'
  | 'locations'
  | 'restored_monitors'
  | 'feature';

interface PlanLimit {
  limit: LimitName;
  plan: PlanName;
  /** What the plan allows; absent for features, which it does not have. */
  allowed?: number;
  /** The smallest plan that allows what was asked for, and how much it allows. Absent if no plan does. */
  largerPlan?: PlanName | undefined;
  largerAllows?: number | undefined;
}

/** Returns the error of something that a plan does not allow, with the facts for pages in other languages. */
export function planLimit(message: string, of: PlanLimit, further: FieldErrorParams = {}): FieldError {
  const { limit, plan, allowed, largerPlan, largerAllows } = of;
  const params: FieldErrorParams = {
    ...{ limit, plan },
    ...(allowed === undefined ? {} : { allowed }),
    ...(largerPlan === undefined ? {} : { larger_plan: largerPlan }),
    ...(largerAllows === undefined || !Number.isFinite(largerAllows) ? {} : { larger_allows: largerAllows }),
    ...further,
  };
  return { path: '', message, code: 'plan_limit', params };
}

/** Returns the refusal of a whole request for the plan. */
export function planRefused(error: FieldError, code: 'plan_limit' | 'plan_required' = 'plan_limit'): AppError {
  return new AppError(code, error.message, { errors: [error] });
}
