import t from 'tap';
import type { SubscriptionState } from '../../../control-plane/billing/documents.js';
import { createStripeApi, createStripeClient, type StripeApi } from '../../../control-plane/billing/stripe/api.js';
import { startStripeMock } from '../../helpers/machine/stripe-mock.js';

const mock = await startStripeMock();
t.teardown(() => mock.stop());
const client = await createStripeClient({ secretKey: 'sk_test_1', api: mock.url });
/** The price of the subscription that stripe-mock returns. */
const PRICE = 'price_1PgafmB7WZ01zgkW6dKueIc5';
const api = createStripeApi(
  client,
  new Map([
    ['Pro', PRICE],
    ['Enterprise', 'price_enterprise'],
  ]),
);
const NOW_S = 1_800_000_000;
const subscription: SubscriptionState = {
  ...{ id: 'sub_1', status: 'active', plan: 'Enterprise', item_id: 'si_1', price_id: 'price_enterprise' },
  ...{ schedule_id: 'sub_sched_1', period_end_ms: NOW_S * 1_000, ends_at_ms: null, pending: null },
};
const returnUrl = 'https://picket.test/billing';

t.test("Stripe's description of its API allows every request of Picket", async (t) => {
  const order = { customerId: 'cus_1', workspaceId: 'ws_1', plan: 'Pro', returnUrl, attempt: '1' } as const;
  const calls: { [Name in keyof StripeApi]: () => ReturnType<StripeApi[Name]> } = {
    createCustomer: () => api.createCustomer({ id: 'ws_1', name: 'Example Ltd', email: 'owner@example.com' }),
    updateCustomer: () => api.updateCustomer({ customerId: 'cus_1', email: 'next@example.com', attempt: '5' }),
    checkout: () => api.checkout(order),
    portal: () => api.portal('cus_1', returnUrl),
    subscription: () => api.subscription('cus_1'),
    change: () => api.change(subscription, 'Enterprise', '2'),
    changeLater: () => api.changeLater(subscription, 'Pro', '3'),
    cancelLater: () => api.cancelLater(subscription, '4'),
  };
  for (const [name, call] of Object.entries(calls)) await t.resolves(async () => void (await call()), name);
  t.match(await calls.createCustomer(), /^cus_/);
  t.match(await calls.checkout(), /^https:/);
  t.match(await calls.portal(), /^https:/);
});

t.test('a subscription is read from the places where Stripe has its fields', async (t) => {
  t.match(await api.subscription('cus_1'), {
    ...{ id: /^sub_/, status: 'active', plan: 'Pro', item_id: /^si_/, price_id: PRICE },
    // Only an expanded schedule has its id here.
    ...{ schedule_id: /^sub_sched_/, period_end_ms: Number, ends_at_ms: Number },
  });
});

t.test('a misspelt parameter, a wrong type and an unknown path are refused', async (t) => {
  const phases = [{ items: [{ prize: PRICE }] }];
  const wrong: Record<string, () => Promise<unknown>> = {
    parameter: () => client.customers.create(Object({ nmae: 'Example Ltd' })),
    'parameter of a query': () => client.subscriptions.list(Object({ custmer: 'cus_1' })),
    'nested parameter': () => client.subscriptionSchedules.update('sub_sched_1', Object({ phases })),
    type: () => client.subscriptions.update('sub_1', Object({ cancel_at_period_end: 'soon' })),
    path: () => client.rawRequest('POST', '/v1/custmers', {}),
  };
  for (const [name, request] of Object.entries(wrong)) {
    const type = await request().catch((error) => error.type);
    t.equal(type, 'StripeInvalidRequestError', name);
  }
});
