import type { Account, Billing } from '../../api/types.ts';

export type Plan = Billing['plan'];

/** The smallest first. */
export const PLANS: readonly Plan[] = ['Free', 'Pro', 'Enterprise'];

/** How somebody gets to a plan: through the page of Stripe, by a request, or not at all. */
export type Way = 'checkout' | 'change' | 'ask-operator' | 'ask-owner';

/** Returns the way to another plan for this person. The API decides in the end. */
export function wayTo(plan: Plan, billing: Billing, account: Pick<Account, 'role' | 'operator'>): Way {
  if (account.role !== 'owner') return 'ask-owner';
  if (account.operator) return 'change';
  const isSubscribed = billing.next.change !== 'none';
  if (!billing.stripe.connected) return 'ask-operator';
  const isSmaller = PLANS.indexOf(plan) < PLANS.indexOf(billing.plan);
  return isSubscribed || isSmaller ? 'change' : 'checkout';
}

/** What is over a limit of a plan, as the API answers with 409. */
export interface OverQuota {
  name: string;
  limit: number;
  /** How many are over the limit. */
  count: number;
  detail: string;
  examples: string[];
}

/** Returns the part of a 409 that says what is over the limits of a plan; empty for any other answer. */
export function overQuotaIn(body: Readonly<Record<string, unknown>>): OverQuota[] {
  const list = body['over_quota'];
  return Array.isArray(list) ? (list as OverQuota[]) : [];
}

/** Returns how full a limit is, from 0 to 1; null without a limit. */
export function fullness({ used, limit }: { used: number; limit: number | null }): number | null {
  if (limit === null) return null;
  return limit === 0 ? Math.min(1, used) : Math.min(1, used / limit);
}
