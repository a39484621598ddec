import type Stripe from 'stripe';
import type { PlanName } from '../../plans/plans.js';
import type { SubscriptionState } from '../documents.js';

/** The price of each plan that can be bought. */
export type Prices = ReadonlyMap<PlanName, string>;

/**
 * Statuses in which the plan applies. While a payment is overdue, Stripe retries it for some time; then the status becomes
 * `unpaid` or `canceled` (https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses).
 */
const APPLIES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Returns the plan of a workspace with this subscription: Free without one. null: the price is unknown, so no change. */
export function planOf(subscription: SubscriptionState | null): PlanName | null {
  return subscription === null || !APPLIES.has(subscription.status) ? 'Free' : subscription.plan;
}

/** Whether the subscription decides the plan, so that nobody else may. */
export function isLive(subscription: SubscriptionState | null): subscription is SubscriptionState {
  return subscription !== null && APPLIES.has(subscription.status);
}

/**
 * Returns the subscription that decides the plan: of those that apply the newest, otherwise the newest. A customer can have
 * several, for example after two checkouts. `subscriptions` have `schedule` expanded.
 */
export function subscriptionState(
  subscriptions: readonly Stripe.Subscription[],
  prices: Prices,
): SubscriptionState | null {
  const byAge = [...subscriptions].sort((a, b) => b.created - a.created);
  const subscription = byAge.find(({ status }) => APPLIES.has(status)) ?? byAge[0];
  const [item] = subscription?.items.data ?? [];
  if (subscription === undefined || item === undefined) return null;
  const period_end_ms = item.current_period_end * 1_000;
  const endsAtS = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
  const { schedule } = subscription;
  return {
    id: subscription.id,
    status: subscription.status,
    plan: planOfPrice(item.price.id, prices),
    item_id: item.id,
    price_id: item.price.id,
    schedule_id: typeof schedule === 'string' ? schedule : (schedule?.id ?? null),
    period_end_ms,
    ends_at_ms: endsAtS === null ? null : endsAtS * 1_000,
    pending: pendingOf(subscription, item, prices),
  };
}

/** Returns the plan of the first later phase of the schedule that has another price. */
function pendingOf(
  { schedule }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  prices: Prices,
): SubscriptionState['pending'] {
  if (typeof schedule === 'string' || schedule === null) return null;
  for (const phase of schedule.phases) {
    const price = phase.items[0]?.price;
    const priceId = typeof price === 'string' ? price : price?.id;
    if (phase.start_date < item.current_period_end || priceId === undefined || priceId === item.price.id) continue;
    const plan = planOfPrice(priceId, prices);
    if (plan !== null) return { plan, at_ms: phase.start_date * 1_000 };
  }
  return null;
}

function planOfPrice(priceId: string, prices: Prices): PlanName | null {
  return [...prices].find(([, price]) => price === priceId)?.[0] ?? null;
}
