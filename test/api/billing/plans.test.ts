import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { countedQuota, type Quota } from '../../../control-plane/plans/quotas.js';
import { startBillingApp } from '../../helpers/billing/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const monitors = countedQuota({
  ...{ name: 'monitors', label: 'monitors', limit: (limits) => limits.monitors },
  things: { count: async () => 25, newest: async (_id, rowsMax) => ['Shop', 'Blog', 'API'].slice(0, rowsMax) },
});
const interval: Quota = {
  ...{ name: 'monitor_interval', label: 'shortest interval in seconds', used: null },
  limit: (limits) => limits.intervalSecondsMin,
  over: async (_id, { intervalSecondsMin }) =>
    intervalSecondsMin < 60 ? null : { count: 12, detail: '12 monitors more often than every 60 s.', examples: [] },
};
const quotas = [monitors, interval];
const PLAN = '/v1/billing/plan';
const BOTH = ['monitors', 'monitor_interval'];

t.test('an operator names what is over the limits before a smaller plan takes effect', async (t) => {
  const app = await startBillingApp({ connected: false, plan: 'Pro', operator: true, quotas });
  t.teardown(() => app.stop());
  const refused = await app.request('POST', PLAN, { body: { plan: 'Free' } });
  t.match([refused.status, refused.body.code], [409, 'conflict']);
  t.match(refused.body.over_quota, [
    { name: 'monitors', limit: 20, count: 5, examples: ['Shop', 'Blog', 'API'] },
    { name: 'monitor_interval', limit: 60, count: 12, detail: '12 monitors more often than every 60 s.' },
  ]);
  const half = await app.request('POST', PLAN, { body: { plan: 'Free', accept_over_quota: ['monitors'] } });
  t.equal(half.status, 409, 'all of it must be accepted');
  t.match((await app.request('GET', '/v1/billing')).body.data, { plan: 'Pro' });
  const done = await app.request('POST', PLAN, { body: { plan: 'Free', accept_over_quota: BOTH } });
  t.match(done.body.data, {
    plan: 'Free',
    retention: { plan: 'Pro', raw_seconds: 604_800 },
    next: { change: 'none', plan: 'Free' },
    stripe: { connected: false, customer: false, subscription: null },
    invoices: [],
  });
  t.match(await app.entries(app.workspace.id), [
    { action: 'billing.change_refused' },
    { action: 'billing.change_refused' },
    {
      ...{ action: 'billing.plan_changed', severity: 'warning' },
      metadata: { from: 'Pro', to: 'Free', by: 'operator', over_quota: BOTH },
    },
  ]);
  t.equal((await app.request('POST', PLAN, { body: { plan: 'Pro' } })).status, 200, 'a larger plan takes nothing away');
});

t.test('without Stripe, nobody but operators changes plans or buys', async (t) => {
  const app = await startBillingApp({ connected: false, plan: 'Free', quotas });
  t.teardown(() => app.stop());
  const refused = await app.request('POST', PLAN, { body: { plan: 'Pro' } });
  t.match([refused.status, refused.body.detail], [409, /operators of this installation set the plans/]);
  for (const [path, body] of [
    ['/v1/billing/checkout', { plan: 'Pro' }],
    ['/v1/billing/portal', undefined],
  ] as const) {
    t.equal((await app.request('POST', path, { body })).status, 409, path);
  }
  const quotasShown = (await app.request<{ quotas: object[] }>('GET', '/v1/billing')).body.data.quotas;
  t.match(quotasShown, [{ name: 'monitors', used: 25, limit: 20 }]);
});

t.test('no API key changes the plan, buys or opens the page of Stripe, also not that of an owner', async (t) => {
  const app = await startBillingApp({ plan: 'Pro', operator: true, quotas });
  t.teardown(() => app.stop());
  const { key } = app;
  for (const [path, body] of [
    [PLAN, { plan: 'Free', accept_over_quota: BOTH }],
    ['/v1/billing/checkout', { plan: 'Enterprise' }],
    ['/v1/billing/portal', undefined],
  ] as const) {
    t.match(await app.request('POST', path, { key, body }), { status: 403, body: { code: 'forbidden' } }, path);
  }
  t.match((await app.request('GET', '/v1/billing', { key })).body.data, { plan: 'Pro' }, 'which it may read');
  t.equal(app.stripe.requests.length, 0);
});

t.test('a purchase: one customer, a checkout, and then changes of the subscription', async (t) => {
  const app = await startBillingApp({ plan: 'Free', quotas });
  t.teardown(() => app.stop());
  const { stripe } = app;
  t.equal((await app.request('POST', '/v1/billing/portal')).status, 409, 'nothing was bought yet');
  t.match((await app.request('POST', PLAN, { body: { plan: 'Pro' } })).body.detail, /checkout/);
  const buy = () => app.request('POST', '/v1/billing/checkout', { body: { plan: 'Enterprise' } });
  const bought = await Promise.all([buy(), buy()]);
  t.match(
    bought.map(({ body }) => body.data),
    [{ url: /^https:\/\/checkout\.stripe\.com\// }, { url: /^https:\/\/checkout\.stripe\.com\// }],
  );
  const checkout = stripe.requests.find(({ path }) => path === '/v1/checkout/sessions');
  const customer = checkout?.form.get('customer') ?? '';
  t.match(customer, /^cus_/);
  t.equal(checkout?.form.get('line_items[0][price]'), 'price_enterprise');
  t.ok(
    stripe.requests.every(({ method, idempotencyKey }) => method === 'GET' || idempotencyKey !== undefined),
    'every change has an idempotency key',
  );

  const subscription = stripe.subscribe(customer, 'Enterprise');
  const event = stripe.event('checkout.session.completed', { customer });
  t.equal((await app.request('POST', '/v1/billing/stripe-webhook', { key: null, ...event })).status, 200);
  const read = async () => (await app.request<Record<string, unknown>>('GET', '/v1/billing')).body.data;
  t.match(await read(), { plan: 'Enterprise', next: { change: 'renewal' }, stripe: { subscription: 'active' } });
  t.equal((await buy()).status, 409, 'it has a subscription');
  t.equal((await app.request('POST', '/v1/billing/portal')).status, 200);

  const later = await app.request('POST', PLAN, { body: { plan: 'Pro', accept_over_quota: BOTH } });
  t.match(later.body.data, { plan: 'Enterprise', next: { change: 'downgrade', plan: 'Pro' } });
  const cancelled = await app.request('POST', PLAN, { body: { plan: 'Free', accept_over_quota: BOTH } });
  t.match(cancelled.body.data, { plan: 'Enterprise', next: { change: 'cancellation', plan: 'Free' } });
  const kept = await app.request('POST', PLAN, { body: { plan: 'Enterprise' } });
  t.match(
    kept.body.data,
    { plan: 'Enterprise', next: { change: 'renewal' } },
    'setting the current plan cancels the change',
  );
  subscription.status = 'unpaid';
  const unpaid = stripe.event('customer.subscription.updated', { customer });
  await app.request('POST', '/v1/billing/stripe-webhook', { key: null, ...unpaid });
  t.match(await read(), { plan: 'Free', next: { change: 'none' } });
});

t.test('the invoices go to the owner who buys, not to who bought first', async (t) => {
  const app = await startBillingApp({ plan: 'Free', quotas });
  t.teardown(() => app.stop());
  const buy = { body: { plan: 'Pro' } };
  t.equal((await app.request('POST', '/v1/billing/checkout', buy)).status, 200);
  const customer = String((await app.parts.mongo.db.collection('billing_accounts').findOne())?.['customer_id']);
  await app.parts.mongo.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: app.workspace.userId }, { $set: { email: 'next-owner@example.com' } });
  t.equal((await app.request('POST', '/v1/billing/checkout', buy)).status, 200);
  const updated = app.stripe.requests.filter(({ path }) => path === `/v1/customers/${customer}`);
  t.same(
    updated.map(({ form }) => form.get('email')),
    ['next-owner@example.com'],
  );
});

t.test('a plan change that failed between two requests to Stripe can be repeated', async (t) => {
  const app = await startBillingApp({ plan: 'Free', quotas });
  t.teardown(() => app.stop());
  const { stripe } = app;
  await app.request('POST', '/v1/billing/checkout', { body: { plan: 'Enterprise' } });
  const customer = String((await app.parts.mongo.db.collection('billing_accounts').findOne())?.['customer_id']);
  stripe.subscribe(customer, 'Enterprise');
  const created = stripe.event('customer.subscription.created', { customer });
  await app.request('POST', '/v1/billing/stripe-webhook', { key: null, ...created });
  const change = () => app.request('POST', PLAN, { body: { plan: 'Pro', accept_over_quota: BOTH } });
  stripe.before = async ({ path }) => (path.startsWith('/v1/subscription_schedules/') ? 500 : null);
  t.equal((await change()).status, 503, 'Stripe has a schedule now, without the smaller plan');
  stripe.before = async () => null;
  const repeated = await change();
  t.equal(repeated.status, 200, JSON.stringify(repeated.body));
  t.match(repeated.body.data, { plan: 'Enterprise', next: { change: 'downgrade', plan: 'Pro' } });
});

t.test(
  'after Stripe ended the subscription, a plan has to be bought again, also before the event arrives',
  async (t) => {
    const app = await startBillingApp({ plan: 'Free', quotas });
    t.teardown(() => app.stop());
    const { stripe } = app;
    const buy = () => app.request('POST', '/v1/billing/checkout', { body: { plan: 'Pro' } });
    await buy();
    const customer = String((await app.parts.mongo.db.collection('billing_accounts').findOne())?.['customer_id']);
    const subscription = stripe.subscribe(customer, 'Pro');
    const created = stripe.event('customer.subscription.created', { customer });
    await app.request('POST', '/v1/billing/stripe-webhook', { key: null, ...created });
    t.match((await app.request('GET', '/v1/billing')).body.data, { plan: 'Pro' });
    subscription.status = 'canceled';
    const refused = await app.request('POST', PLAN, { body: { plan: 'Enterprise' } });
    t.match([refused.status, refused.body.detail], [409, /POST \/v1\/billing\/checkout/]);
    t.match((await app.request('GET', '/v1/billing')).body.data, { plan: 'Free', next: { change: 'none' } });
    t.match(await app.entries(app.workspace.id), [
      { action: 'billing.plan_changed', metadata: { from: 'Free', to: 'Pro' } },
      { action: 'billing.plan_changed', metadata: { from: 'Pro', to: 'Free', by: 'stripe' } },
      { action: 'billing.change_refused' },
    ]);
    t.equal((await buy()).status, 200);
  },
);

t.test('operators list, find and change workspaces; others get 404', async (t) => {
  const app = await startBillingApp({ connected: false, plan: 'Enterprise', operator: true, quotas });
  t.teardown(() => app.stop());
  const { mongo } = app.parts;
  const other = await buildWorkspace(mongo, { plan: 'Free', name: 'Other (Ltd)' });
  const { key } = await buildKey(mongo, other);
  const path = `/v1/admin/workspaces/${other.id}`;
  for (const [method, at, body] of [
    ['GET', '/v1/admin/workspaces', undefined],
    ['GET', path, undefined],
    ['PATCH', path, { plan: 'Pro' }],
    ['POST', `${path}/suspend`, { reason: 'x' }],
    ['POST', `${path}/resume`, undefined],
  ] as const) {
    t.equal((await app.request(method, at, { key, body })).status, 404, `${method} ${at}`);
  }
  const ids = async (query: string) =>
    (await app.request<{ id: string }[]>('GET', `/v1/admin/workspaces?${query}`)).body.data.map(({ id }) => id);
  t.same(await ids(''), [other.id, app.workspace.id]);
  t.same(await ids('q=other%20(l'), [other.id]);
  t.same(await ids(`q=${other.id}`), [other.id]);
  t.same(await ids(`q=${encodeURIComponent(other.email.toUpperCase())}`), [other.id], 'the address of a member');
  t.same(await ids(`q=${encodeURIComponent(`x${other.email}`)}`), [], 'only the whole address');
  t.same(await ids('q=.*'), [], 'no pattern');
  t.same(await ids('plan=Enterprise'), [app.workspace.id]);
  t.same(await ids('suspended=true'), []);
  const first = await app.request<{ id: string }[]>('GET', '/v1/admin/workspaces?limit=1');
  t.same(
    await ids(`limit=1&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`),
    [app.workspace.id],
    'the next page',
  );
  t.match((await app.request('GET', path)).body.data, {
    plan: 'Free',
    suspended: null,
    quotas: [{ used: 25 }],
  });

  const changed = await app.request('PATCH', path, { body: { plan: 'Enterprise' } });
  t.match(changed.body.data, { plan: 'Enterprise', quotas: [{ name: 'monitors', used: 25, limit: 50_000 }] });
  t.same(changed.body.data, (await app.request('GET', path)).body.data, 'a change answers what can be read afterwards');
  const me = await app.request('GET', '/v1/billing', { key });
  t.match(me.body.data, { plan: 'Enterprise' });
  t.match(await app.entries(other.id), [
    { action: 'billing.plan_changed', actor: { id: app.workspace.userId }, metadata: { by: 'operator' } },
  ]);
  const ofOperators = await app.entries(app.workspace.id);
  t.match(ofOperators, [{ action: 'billing.plan_changed', resource: { id: other.id, name: 'Other (Ltd)' } }]);
});

t.test('a suspended workspace is told why, and only its billing page opens; its data stay', async (t) => {
  const app = await startBillingApp({ connected: false, plan: 'Enterprise', operator: true, quotas });
  t.teardown(() => app.stop());
  const { mongo } = app.parts;
  const other = await buildWorkspace(mongo, { plan: 'Pro' });
  const { key } = await buildKey(mongo, other);
  const path = `/v1/admin/workspaces/${other.id}`;
  const own = await app.request('POST', `/v1/admin/workspaces/${app.workspace.id}/suspend`, { body: { reason: 'x' } });
  t.match([own.status, own.body.code], [409, 'conflict'], 'not the workspace of the operators');
  const suspended = await app.request('POST', `${path}/suspend`, { body: { reason: 'Sends spam.' } });
  t.match(suspended.body.data, { suspended: { reason: 'Sends spam.' } });
  t.same(suspended.body.data, (await app.request('GET', path)).body.data, 'the same as can be read afterwards');
  const refused = await app.request('POST', PLAN, { key, body: { plan: 'Free' } });
  t.match([refused.status, refused.body.code, refused.body.detail], [403, 'forbidden', /suspended: Sends spam\./]);
  t.equal((await app.request('GET', '/v1/billing', { key })).status, 200);
  t.match(await app.standings.pending(10), [{ workspaceId: other.id, stopped: true }], 'its monitors are to stop');
  const resumed = await app.request('POST', `${path}/resume`);
  t.equal(resumed.status, 200);
  t.same(resumed.body.data, (await app.request('GET', path)).body.data);
  t.equal((await app.request('POST', `${path}/resume`)).status, 200, 'a second one has no effect');
  const document = await mongo.db.collection<WorkspaceDocument>('workspaces').findOne({ _id: other.id });
  t.match(document, { suspended: null, resumed_at_ms: Number });
  t.match(await app.entries(other.id), [
    { action: 'workspace.suspended', severity: 'critical', metadata: { reason: 'Sends spam.' } },
    { action: 'workspace.resumed', severity: 'warning' },
  ]);
  t.equal((await app.entries(other.id)).length, 2);
});
