import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { PLAN_NAMES } from '../plans/plans.js';
import { BILLING_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-02-28T12:00:00.000Z'] });
export const Plan = Type.Enum([...PLAN_NAMES], { examples: ['Pro'] });
const QUOTAS_MAX = 50;
const QUOTA_NAME_CHARS_MAX = 50;

const PAID_PLANS = ['Pro', 'Enterprise'] as const;

/** The names of the quotas that may be over the limits of the new plan. */
export const AcceptOverQuota = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: QUOTA_NAME_CHARS_MAX, pattern: '^[a-z_]+$' }), {
    maxItems: QUOTAS_MAX,
    description:
      'The `name` of everything that would be over the limits of the plan. Without it, the request is answered 409 with the list and changes nothing.',
    examples: [['monitor_interval']],
  }),
);

export const PlanRequest = Type.Object(
  { plan: Plan, accept_over_quota: AcceptOverQuota },
  { ...closed, title: 'ChangePlan' },
);
export type PlanRequest = Static<typeof PlanRequest>;

export const CheckoutRequest = Type.Object(
  { plan: Type.Enum([...PAID_PLANS], { examples: ['Pro'] }) },
  { ...closed, title: 'StartCheckout' },
);

export const Redirect = Type.Object(
  {
    url: Type.String({
      description: 'Open it in the browser of the person.',
      examples: ['https://checkout.stripe.com/c/pay/cs_1'],
    }),
  },
  { ...closed, title: 'StripePage' },
);

export const Received = Type.Object({ received: Type.Literal(true) }, { ...closed, title: 'EventReceived' });

export const QuotaUse = Type.Object(
  {
    name: Type.String({ examples: ['monitors'] }),
    label: Type.String({ examples: ['monitors'] }),
    used: Type.Integer({ examples: [12] }),
    limit: Type.Union([Type.Integer(), Type.Null()], { description: 'null: no limit.', examples: [200] }),
  },
  closed,
);

const Seconds = Type.Integer({ examples: [604_800] });
const Invoice = Type.Object(
  {
    id: Type.String({ examples: ['in_1Pq9'] }),
    number: nullable(Type.String({ examples: ['8A2C-0001'] })),
    status: Type.Enum(['paid', 'payment_failed']),
    currency: Type.String({ examples: ['eur'] }),
    amount: Type.Integer({ description: 'In the smallest unit of the currency.', examples: [2_900] }),
    created_at: Timestamp,
    url: nullable(
      Type.String({
        description: 'Page of the invoice. It needs no log-in, so it is null unless the caller has the role owner.',
        examples: ['https://invoice.stripe.com/i/acct_1/test_1'],
      }),
    ),
  },
  closed,
);

export const Billing = Type.Object(
  {
    plan: Plan,
    description: Type.String({ examples: ['200 monitors, checked every 30 s from 5 locations; 50 servers.'] }),
    intervals: Type.Object(
      {
        interval_seconds_min: Type.Integer({ examples: [30] }),
        locations_per_monitor: Type.Integer({ examples: [5] }),
      },
      { ...closed, description: 'Limits of each monitor.' },
    ),
    quotas: Type.Array(QuotaUse),
    retention: Type.Object(
      {
        plan: Type.Enum([...PLAN_NAMES], {
          description: 'The plan by which history is kept: after a downgrade, the previous one for 7 days.',
        }),
        until: nullable(Timestamp),
        raw_seconds: Seconds,
        minutes_seconds: Seconds,
        hours_seconds: Seconds,
        audit_seconds: Seconds,
      },
      closed,
    ),
    next: Type.Object(
      {
        change: Type.Enum(['none', 'renewal', 'cancellation', 'downgrade'], {
          description: '`none`: nothing changes by itself, because there is no subscription.',
        }),
        at: nullable(Timestamp),
        plan: Plan,
      },
      { ...closed, description: 'What happens at the end of the paid period.' },
    ),
    stripe: Type.Object(
      {
        connected: Type.Boolean({ description: 'Whether plans can be bought. Otherwise an operator sets them.' }),
        customer: Type.Boolean({
          description: 'Whether the workspace has bought something, so that the portal opens.',
        }),
        subscription: nullable(Type.String({ description: 'Its status at Stripe.', examples: ['active'] })),
      },
      closed,
    ),
    invoices: Type.Array(Invoice, { description: 'The newest 24.' }),
  },
  { ...closed, title: 'Billing', examples: [BILLING_EXAMPLE] },
);
export type Billing = Static<typeof Billing>;
