import t from 'tap';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { BillingAccountDocument } from '../../../control-plane/billing/documents.js';
import { startBillingApp } from '../../helpers/billing/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const app = await startBillingApp({ plan: 'Free', operator: true });
t.teardown(() => app.stop());
const { stripe } = app;
const { mongo } = app.parts;

/** A workspace with a customer at Stripe and a key. */
async function customer() {
  const workspace = await buildWorkspace(mongo, { plan: 'Free' });
  const id = `cus_${workspace.id.slice(-10)}`;
  const accounts = mongo.db.collection<BillingAccountDocument>('billing_accounts');
  await accounts.insertOne({ _id: workspace.id, customer_id: id, revision: 0, subscription: null });
  return { ...workspace, customer: id, key: (await buildKey(mongo, workspace)).key };
}

const receive = (type: string, object: object) =>
  app.request('POST', '/v1/billing/stripe-webhook', { key: null, ...stripe.event(type, object) });
const invoicesOf = async ({ key }: { key: string }) =>
  (await app.request<{ invoices: { id: string; url: string | null }[] }>('GET', '/v1/billing', { key })).body.data
    .invoices;

t.test('the owners of a workspace get the mail about a failed payment, and nobody else', async (t) => {
  const workspace = await customer();
  for (const [role, address] of [
    ['owner', 'second@example.com'],
    ['admin', 'admin@example.com'],
  ] as const) {
    const { userId } = await buildWorkspace(mongo, { email: address });
    const _id = membershipId(workspace.id, userId);
    const membership = { _id, workspace_id: workspace.id, user_id: userId, role, created_at_ms: 1 };
    await mongo.db.collection<{ _id: string }>('memberships').insertOne(membership);
  }
  stripe.subscribe(workspace.customer, 'Pro');
  await receive('invoice.payment_failed', { id: 'in_failed', customer: workspace.customer, created: 1 });
  t.same(app.mails.map(({ to }) => to).sort(), [workspace.email, 'second@example.com'].sort());
});

t.test('a workspace sees its own invoices, with links to web pages only', async (t) => {
  const [one, other] = [await customer(), await customer()];
  const invoice = { id: 'in_own', customer: one.customer, created: 1, currency: 'eur', amount_paid: 1 };
  await receive('invoice.paid', { ...invoice, hosted_invoice_url: 'javascript:alert(1)' });
  t.match(await invoicesOf(one), [{ id: 'in_own', url: null }]);
  t.same(await invoicesOf(other), []);
});

t.test('an operator does not set a plan that a subscription decides', async (t) => {
  const workspace = await customer();
  stripe.subscribe(workspace.customer, 'Pro');
  await receive('customer.subscription.created', { customer: workspace.customer });
  const path = `/v1/admin/workspaces/${workspace.id}`;
  const refused = await app.request('PATCH', path, { body: { plan: 'Enterprise' } });
  t.match([refused.status, refused.body.detail], [409, /Stripe decides its plan/]);
  t.match((await app.request('GET', path)).body.data, { plan: 'Pro' });
});
