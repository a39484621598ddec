import t from 'tap';
import type { BillingAccountDocument } from '../../../control-plane/billing/documents.js';
import { startBillingApp } from '../../helpers/billing/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

t.test('an owner of a suspended workspace opens the page of Stripe on which to pay', async (t) => {
  const app = await startBillingApp({ plan: 'Enterprise', operator: true });
  t.teardown(() => app.stop());
  const { mongo } = app.parts;
  const other = await buildWorkspace(mongo, { plan: 'Pro' });
  const { key } = await buildKey(mongo, other);
  await mongo.db
    .collection<BillingAccountDocument>('billing_accounts')
    .insertOne({ _id: other.id, customer_id: 'cus_000001', revision: 0, subscription: null });
  const reason = 'Payment overdue since January.';
  const suspended = await app.request('POST', `/v1/admin/workspaces/${other.id}/suspend`, { body: { reason } });
  t.equal(suspended.status, 200, JSON.stringify(suspended.body));
  const portal = await app.request<{ url: string }>('POST', '/v1/billing/portal', await app.asOwner(other));
  t.equal(portal.status, 200, JSON.stringify(portal.body));
  t.match(portal.body.data.url, /^https:\/\//);
  t.equal((await app.request('GET', '/v1/billing', { key })).status, 200, 'and reads what it pays');
  const bought = await app.request('POST', '/v1/billing/checkout', {
    ...(await app.asOwner(other)),
    body: { plan: 'Pro' },
  });
  t.match([bought.status, bought.body.detail], [403, /Payment overdue/], 'nothing new is bought');
});
