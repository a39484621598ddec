import t from 'tap';
import { startFakeStripe, stripeSettings } from '../../helpers/billing/fake-stripe.js';
import { testDatabase } from '../../helpers/database.js';
import { personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

t.test('a workspace cannot be deleted while Stripe goes on charging for it', async (t) => {
  const mongo = await testDatabase();
  const stripe = await startFakeStripe();
  const plane = await startControlPlane(mongo.uri, {
    ...stripeSettings(stripe),
  });
  t.teardown(async () => {
    await plane.remove();
    await stripe.close();
    await mongo.drop();
  });
  const owner = personAt(plane.url);
  const password = 'gravel onion tuesday lamp';
  await owner.send('POST', '/v1/auth/signup', { email: 'ada@example.com', password, workspace_name: 'Shop' });
  const remove = () => owner.send('POST', '/v1/workspace/delete', { name: 'Shop' });
  const bought = await owner.send('POST', '/v1/billing/checkout', { plan: 'Pro' });
  t.equal(bought.status, 200, JSON.stringify(bought.body));
  const account = await mongo.db.collection('billing_accounts').findOne();
  const customer = String(account?.['customer_id']);
  const subscription = stripe.subscribe(customer, 'Pro');
  const deliver = async (type: string) => {
    const { rawBody, headers } = stripe.event(type, { id: subscription.id, customer });
    const answer = await fetch(`${plane.url}/v1/billing/stripe-webhook`, { method: 'POST', headers, body: rawBody });
    t.equal(answer.status, 200);
  };
  await deliver('customer.subscription.created');
  const refused = await remove();
  t.equal(refused.status, 409);
  t.match(refused.body.detail, /subscription.*\/v1\/billing\/plan/);
  subscription.cancel_at_period_end = true;
  await deliver('customer.subscription.updated');
  const removed = await remove();
  t.equal(removed.status, 202, JSON.stringify(removed.body));
});
