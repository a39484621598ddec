import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { AppError } from '../../errors.js';
import type { PlanName } from '../../plans/plans.js';
import type { SubscriptionState } from '../documents.js';
import type { StripeSettings } from './settings.js';
import { type Prices, subscriptionState } from './subscription.js';

/** The time limit of one request to Stripe. A client waits for it, and with the repetitions for twice as long. */
const REQUEST_TIMEOUT_MS = 8_000;
const RETRIES_MAX = 2;
/** More subscriptions of one customer are not read. The newest come first. */
const SUBSCRIPTIONS_MAX = 20;

/**
 * The calls to Stripe. Each has a time limit, and is repeated by the library with the same idempotency key. `attempt` names
 * what is to happen once: a repetition of the whole call with the same text changes nothing. They throw `unavailable` while
 * Stripe does not respond, and `conflict` when it refuses.
 */
export interface StripeApi {
  createCustomer(workspace: { id: string; name: string; email: string }): Promise<string>;
  /** Changes the address that gets the invoices. */
  updateCustomer(customer: { customerId: string; email: string; attempt: string }): Promise<void>;
  /** Resolves to the address of the page on which the customer buys the plan. */
  checkout(order: {
    customerId: string;
    workspaceId: string;
    plan: PlanName;
    returnUrl: string;
    attempt: string;
  }): Promise<string>;
  /** Resolves to the address of the page on which the customer manages payments and invoices. */
  portal(customerId: string, returnUrl: string): Promise<string>;
  /** Resolves to the state of the subscription that decides the plan; null without one. */
  subscription(customerId: string): Promise<SubscriptionState | null>;
  /** Moves to a larger plan at once, or takes a pending change or cancellation back. */
  change(subscription: SubscriptionState, plan: PlanName, attempt: string): Promise<void>;
  /** Moves to a smaller plan at the end of the paid period. */
  changeLater(subscription: SubscriptionState, plan: PlanName, attempt: string): Promise<void>;
  /** Ends the subscription at the end of the paid period. */
  cancelLater(subscription: SubscriptionState, attempt: string): Promise<void>;
}

/** Loads the library, which takes 20 MB, only for an installation that sells plans. */
export async function createStripeClient({
  secretKey,
  api,
}: Pick<StripeSettings, 'secretKey' | 'api'>): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const base = { timeout: REQUEST_TIMEOUT_MS, maxNetworkRetries: RETRIES_MAX, telemetry: false } as const;
  if (api === null) return new Client(secretKey, base);
  const { hostname, port, protocol } = new URL(api);
  const isPlain = protocol === 'http:';
  return new Client(secretKey, {
    ...base,
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
  });
}

export function createStripeApi(stripe: Stripe, prices: Prices): StripeApi {
  const calls = { ...purchaseCalls(stripe, prices), ...subscriptionCalls(stripe, prices) };
  return {
    createCustomer: async (workspace) => translated(calls.createCustomer(workspace)),
    updateCustomer: async (customer) => translated(calls.updateCustomer(customer)),
    checkout: async (order) => translated(calls.checkout(order)),
    portal: async (customerId, returnUrl) => translated(calls.portal(customerId, returnUrl)),
    subscription: async (customerId) => translated(calls.subscription(customerId)),
    change: async (subscription, plan, attempt) => translated(calls.change(subscription, plan, attempt)),
    changeLater: async (subscription, plan, attempt) => translated(calls.changeLater(subscription, plan, attempt)),
    cancelLater: async (subscription, attempt) => translated(calls.cancelLater(subscription, attempt)),
  };
}

const once = (attempt: string) => ({ idempotencyKey: `picket/${attempt}` });

function priceOf(prices: Prices, plan: PlanName): string {
  const price = prices.get(plan);
  if (price === undefined) throw new AppError('conflict', `The ${plan} plan has no price at Stripe.`);
  return price;
}

function purchaseCalls(
  stripe: Stripe,
  prices: Prices,
): Pick<StripeApi, 'createCustomer' | 'updateCustomer' | 'checkout' | 'portal'> {
  return {
    async createCustomer({ id, name, email }) {
      const customer = await stripe.customers.create(
        { name, email, metadata: { workspace_id: id } },
        once(`${id}/customer/${createHash('sha256').update(`${name}\n${email}`).digest('hex')}`),
      );
      return customer.id;
    },
    async updateCustomer({ customerId, email, attempt }) {
      await stripe.customers.update(customerId, { email }, once(`${attempt}/customer`));
    },
    async checkout({ customerId, workspaceId, plan, returnUrl, attempt }) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          client_reference_id: workspaceId,
          line_items: [{ price: priceOf(prices, plan), quantity: 1 }],
          subscription_data: { metadata: { workspace_id: workspaceId } },
          success_url: `${returnUrl}?checkout=done`,
          cancel_url: `${returnUrl}?checkout=cancelled`,
        },
        once(attempt),
      );
      if (session.url === null) throw new AppError('unavailable', 'Stripe returned no page for this purchase.');
      return session.url;
    },
    async portal(customerId, returnUrl) {
      return (await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })).url;
    },
  };
}

function subscriptionCalls(
  stripe: Stripe,
  prices: Prices,
): Pick<StripeApi, 'subscription' | 'change' | 'changeLater' | 'cancelLater'> {
  /** Changes of a subscription with a schedule go through the schedule, so it ends first. */
  async function release({ schedule_id }: SubscriptionState, attempt: string): Promise<void> {
    if (schedule_id !== null) await stripe.subscriptionSchedules.release(schedule_id, {}, once(`${attempt}/release`));
  }

  return {
    async subscription(customerId) {
      const { data } = await stripe.subscriptions.list({
        ...{ customer: customerId, status: 'all', limit: SUBSCRIPTIONS_MAX, expand: ['data.schedule'] },
      });
      return subscriptionState(data, prices);
    },
    async change(subscription, plan, attempt) {
      await release(subscription, attempt);
      await stripe.subscriptions.update(
        subscription.id,
        {
          items: [{ id: subscription.item_id, price: priceOf(prices, plan) }],
          cancel_at_period_end: false,
          proration_behavior: 'create_prorations',
        },
        once(`${attempt}/change`),
      );
    },
    async changeLater(subscription, plan, attempt) {
      await release(subscription, attempt);
      const schedule = await stripe.subscriptionSchedules.create(
        { from_subscription: subscription.id },
        once(`${attempt}/schedule`),
      );
      const startS = schedule.phases[0]?.start_date ?? Math.floor(subscription.period_end_ms / 1_000);
      const endS = subscription.period_end_ms / 1_000;
      await stripe.subscriptionSchedules.update(
        schedule.id,
        {
          end_behavior: 'release',
          phases: [
            { items: [{ price: subscription.price_id, quantity: 1 }], start_date: startS, end_date: endS },
            {
              items: [{ price: priceOf(prices, plan), quantity: 1 }],
              duration: { interval: 'month', interval_count: 1 },
            },
          ],
        },
        once(`${attempt}/phases`),
      );
    },
    async cancelLater(subscription, attempt) {
      await release(subscription, attempt);
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }, once(`${attempt}/cancel`));
    },
  };
}

const RETRY_AFTER = { headers: { 'Retry-After': '30' } };

/** Messages of Stripe can name keys and objects of the operator's account, so clients do not see them. */
async function translated<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const type = errorTypeOf(cause);
    if (type === 'StripeInvalidRequestError') {
      throw new AppError('conflict', 'Stripe refused this. The log of the control plane says why.', { cause });
    }
    if (type === null) throw cause;
    throw new AppError('unavailable', 'Stripe does not respond as expected. Retry later.', { ...RETRY_AFTER, cause });
  }
}

/** Returns the name of an error of the library; null for any other error. */
function errorTypeOf(cause: unknown): string | null {
  const type = cause instanceof Error && 'type' in cause ? cause.type : null;
  return typeof type === 'string' && type.startsWith('Stripe') ? type : null;
}
