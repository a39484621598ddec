import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import type { BillingAccountDocument } from '../../../control-plane/billing/documents.js';
import { startBillingApp } from '../../helpers/billing/app.js';
import { PRICES } from '../../helpers/billing/fake-stripe.js';
import { buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';
import { createGate } from '../../helpers/gate.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startBillingApp();
t.teardown(() => app.stop());
const { stripe } = app;
const { mongo } = app.parts;
const PATH = '/v1/billing/stripe-webhook';

t.afterEach(() => {
  stripe.before = async () => null;
  stripe.delayed = async () => {};
  app.mails.length = 0;
});

/** A workspace with a customer at Stripe. */
async function customer(): Promise<TestWorkspace & { customer: string }> {
  const workspace = await buildWorkspace(mongo, { plan: 'Free' });
  const id = `cus_${workspace.id.slice(-10)}`;
  const accounts = mongo.db.collection<BillingAccountDocument>('billing_accounts');
  await accounts.insertOne({ _id: workspace.id, customer_id: id, revision: 0, subscription: null });
  return { ...workspace, customer: id };
}

const send = (event: ReturnType<typeof stripe.event>) => app.request('POST', PATH, { key: null, ...event });
const planOf = async ({ id }: { id: string }) =>
  (await mongo.db.collection<WorkspaceDocument>('workspaces').findOne({ _id: id }))?.plan;
const actionsOf = async ({ id }: { id: string }) => (await app.entries(id)).map(({ action }) => action);

t.test('a purchase changes the plan, once, however often the event arrives', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  const event = stripe.event('customer.subscription.created', { customer: workspace.customer });
  t.same((await send(event)).body.data, { received: true });
  t.equal(await planOf(workspace), 'Pro');
  const asked = stripe.requests.length;
  t.equal((await send(event)).status, 200, 'a replay is acknowledged');
  t.equal(stripe.requests.length, asked, 'and costs no request to Stripe');
  t.match(await app.entries(workspace.id), [
    { action: 'billing.plan_changed', metadata: { from: 'Free', to: 'Pro', by: 'stripe' }, actor: { id: null } },
  ]);
  t.equal((await app.entries(workspace.id)).length, 1);
});

t.test('an event without a right and recent signature changes nothing', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  const about = { customer: workspace.customer };
  const type = 'customer.subscription.created';
  const nowS = Math.floor(Date.now() / 1_000);
  const right = stripe.event(type, about);
  for (const [name, event] of [
    ['another secret', stripe.event(type, about, { secret: 'whsec_other' })],
    ['an old signature', stripe.event(type, about, { timestampS: nowS - 301 })],
    ['another body', { ...right, rawBody: right.rawBody.replace('customer', 'customer ') }],
    ['no signature', { ...right, headers: { 'content-type': 'application/json' } }],
    ['no body', { headers: right.headers }],
  ] as const) {
    const refused = await app.request('POST', PATH, { key: null, ...event });
    t.match([refused.status, refused.body.code], [400, 'invalid_request'], name);
  }
  t.equal(await planOf(workspace), 'Free');
  const fourMinutesAgoS = Math.floor(Date.now() / 1_000) - 240;
  t.equal((await send(stripe.event(type, about, { timestampS: fourMinutesAgoS }))).status, 200);
  t.equal(await planOf(workspace), 'Pro');
});

t.test('a signed body that is not a Stripe event is refused', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  const about = { customer: workspace.customer };
  for (const id of ['', 'sub_1', `evt_${'x'.repeat(201)}`, 'evt_1/../2']) {
    const refused = await send(stripe.event('customer.subscription.created', about, { id }));
    t.match([refused.status, refused.body.code], [400, 'invalid_request'], id);
  }
  t.equal(await planOf(workspace), 'Free');
});

t.test('an event changes only the workspace of its customer', async (t) => {
  const [payer, bystander] = [await customer(), await customer()];
  stripe.subscribe(payer.customer, 'Enterprise');
  stripe.subscribe(bystander.customer, 'Pro');
  const invoice = { id: `in_${payer.id}`, customer: payer.customer, currency: 'eur', amount_paid: 2_900, created: 1 };
  // What an event says of a workspace is not used: people can set it at Stripe.
  await send(stripe.event('invoice.paid', { ...invoice, metadata: { workspace_id: bystander.id } }));
  t.same([await planOf(payer), await planOf(bystander)], ['Enterprise', 'Free']);
  t.same((await actionsOf(payer)).sort(), ['billing.invoice_paid', 'billing.plan_changed']);
  t.same(await actionsOf(bystander), []);
  t.equal(await mongo.db.collection('billing_invoices').countDocuments({ workspace_id: bystander.id }), 0);
});

t.test('the event of a workspace that was deleted is acknowledged', async (t) => {
  const workspace = await customer();
  await mongo.db.collection<WorkspaceDocument>('workspaces').deleteOne({ _id: workspace.id });
  t.equal((await send(stripe.event('customer.subscription.deleted', { customer: workspace.customer }))).status, 200);
});

t.test('events out of order end at the state that Stripe has', async (t) => {
  const workspace = await customer();
  const subscription = stripe.subscribe(workspace.customer, 'Enterprise');
  const about = { customer: workspace.customer };
  subscription.status = 'canceled';
  await send(stripe.event('customer.subscription.deleted', about));
  await send(stripe.event('customer.subscription.created', { ...about, status: 'active' }));
  t.equal(await planOf(workspace), 'Free', 'the late event of the purchase does not bring the plan back');
  subscription.status = 'active';
  await send(stripe.event('customer.subscription.deleted', about));
  t.equal(await planOf(workspace), 'Enterprise', 'what the event says is not used');
});

t.test('of two events at once, the older state never wins', async (t) => {
  const workspace = await customer();
  const subscription = stripe.subscribe(workspace.customer, 'Pro');
  const gate = createGate();
  stripe.delayed = () => gate.pass();
  const first = send(stripe.event('customer.subscription.created', { customer: workspace.customer }));
  await gate.reached;
  stripe.delayed = async () => {};
  for (const { price } of subscription.items.data) price.id = PRICES.Enterprise;
  await send(stripe.event('customer.subscription.updated', { customer: workspace.customer }));
  t.equal(await planOf(workspace), 'Enterprise');
  gate.open();
  t.equal((await first).status, 200);
  t.equal(await planOf(workspace), 'Enterprise', 'it read Pro before, and reads again');
  t.same(await actionsOf(workspace), ['billing.plan_changed']);
});

t.test('the same event twice at once takes effect once', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  const invoice = { id: 'in_1', customer: workspace.customer, number: 'A-1', currency: 'eur', amount_paid: 2_900 };
  const event = stripe.event('invoice.paid', { ...invoice, created: 1_700_000_000 });
  const answers = await Promise.all([send(event), send(event), send(event)]);
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.same((await actionsOf(workspace)).sort(), ['billing.invoice_paid', 'billing.plan_changed']);
});

t.test(
  'a failed payment notifies the owners and keeps the plan; a late failure does not undo the payment',
  async (t) => {
    const workspace = await customer();
    const subscription = stripe.subscribe(workspace.customer, 'Pro');
    await send(stripe.event('customer.subscription.created', { customer: workspace.customer }));
    subscription.status = 'past_due';
    const invoice = {
      ...{ id: `in_${workspace.id}`, customer: workspace.customer, number: 'A-2', currency: 'eur', amount_due: 2_900 },
      ...{ created: 1_700_000_000, hosted_invoice_url: 'https://invoice.stripe.test/1' },
    };
    await send(stripe.event('invoice.payment_failed', invoice));
    t.equal(await planOf(workspace), 'Pro');
    t.match(app.mails, [
      { to: workspace.email, kind: 'payment_failed', action: { url: 'http://picket.test/billing' } },
    ]);
    await send(stripe.event('invoice.paid', { ...invoice, amount_paid: 2_900 }));
    await send(stripe.event('invoice.payment_failed', invoice));
    const stored = await mongo.db.collection('billing_invoices').find({ workspace_id: workspace.id }).toArray();
    t.match(stored, [{ status: 'paid', amount: 2_900, url: 'https://invoice.stripe.test/1' }]);
    t.match((await app.entries(workspace.id)).slice(1), [
      { action: 'billing.payment_failed', severity: 'warning' },
      { action: 'billing.invoice_paid', severity: 'info' },
      { action: 'billing.payment_failed' },
    ]);
  },
);

t.test('unknown events and customers are acknowledged without a question to Stripe', async (t) => {
  const [asked, about] = [stripe.requests.length, { customer: (await customer()).customer }];
  t.equal((await send(stripe.event('radar.early_fraud_warning.created', about))).status, 200);
  t.equal((await send(stripe.event('customer.subscription.created', { customer: 'cus_nobody' }))).status, 200);
  t.equal((await send(stripe.event('invoice.paid', { customer: null }))).status, 200);
  t.equal(stripe.requests.length, asked);
});

t.test('while Stripe does not respond, the event is refused, and applied when it is sent again', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  const event = stripe.event('customer.subscription.created', { customer: workspace.customer });
  const asked = stripe.requests.length;
  stripe.before = async () => 500;
  const refused = await send(event);
  t.match([refused.status, refused.body.code], [503, 'unavailable']);
  t.equal(stripe.requests.length - asked, 3, 'two repetitions');
  t.equal(await planOf(workspace), 'Free');
  stripe.before = async () => null;
  t.equal((await send(event)).status, 200);
  t.equal(await planOf(workspace), 'Pro');
});

t.test('a plan that an operator set without a subscription survives the events of an old one', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro', { status: 'canceled' });
  await send(stripe.event('customer.subscription.deleted', { customer: workspace.customer }));
  const document = await mongo.db.collection<WorkspaceDocument>('workspaces').findOne({ _id: workspace.id });
  if (document === null) throw new Error('no workspace');
  await app.parts.runTransaction((tx) => app.standings.setPlan(tx, document, 'Enterprise'));
  await send(stripe.event('invoice.payment_failed', { id: 'in_9', customer: workspace.customer, created: 1 }));
  t.equal(await planOf(workspace), 'Enterprise');
});

t.test('an event with a price that is not configured changes nothing', async (t) => {
  const workspace = await customer();
  const subscription = stripe.subscribe(workspace.customer, 'Pro');
  const updated = () => send(stripe.event('customer.subscription.updated', { customer: workspace.customer }));
  await updated();
  for (const { price } of subscription.items.data) price.id = 'price_unknown';
  t.equal((await updated()).status, 200);
  t.equal(await planOf(workspace), 'Pro');
});

t.test('a body over 1 MiB, and one of another type, are refused', async (t) => {
  const big = { rawBody: 'x'.repeat(1_048_577), headers: { 'content-type': 'application/json' } };
  t.equal((await app.request('POST', PATH, { key: null, ...big })).status, 413);
  const plain = { rawBody: 'x', headers: { 'content-type': 'text/plain' } };
  t.equal((await app.request('POST', PATH, { key: null, ...plain })).status, 415);
});

t.test('without Stripe, nobody receives events', async (t) => {
  const alone = await startBillingApp({ connected: false });
  t.teardown(() => alone.stop());
  const event = stripe.event('customer.subscription.created', { customer: 'cus_1' });
  t.equal((await alone.request('POST', PATH, { key: null, ...event })).status, 404);
  await waitFor(
    'the audit log to be empty',
    30_000,
    async () => (await alone.entries(alone.workspace.id)).length === 0,
  );
});
