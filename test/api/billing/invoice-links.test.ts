import t from 'tap';
import { startBillingApp } from '../../helpers/billing/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const URL = 'https://invoice.stripe.test/1';

t.test('only owners get the links of invoices, because a link opens without a log-in', async (t) => {
  const app = await startBillingApp();
  t.teardown(() => app.stop());
  const { mongo } = app.parts;
  const invoices = mongo.db.collection<{ _id: string; workspace_id: string }>('billing_invoices');
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    const workspace = await buildWorkspace(mongo, { role });
    const invoice = { number: 'A-1', status: 'paid', currency: 'eur', amount: 2_900, created_at_ms: 1, url: URL };
    await invoices.insertOne({ _id: `in_${role}`, workspace_id: workspace.id, ...invoice });
    const { key } = await buildKey(mongo, workspace);
    const { body } = await app.request<{ invoices: object[] }>('GET', '/v1/billing', { key });
    t.match(body.data.invoices, [{ number: 'A-1', url: role === 'owner' ? URL : null }], role);
  }
});
