import t from 'tap';
import { startFakeStripe, stripeSettings } from '../../../helpers/billing/fake-stripe.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { storeWorkspace } from '../../../helpers/team/people.js';

t.test('a plan is bought at Stripe, shows when it renews, and a smaller one begins later', async (t) => {
  const stripe = await startFakeStripe();
  const world = await startWorkspaceInBrowser(stripeSettings(stripe));
  t.teardown(async () => {
    await world.close();
    await stripe.close();
  });
  const own = await storeWorkspace(world.mongo, { name: 'Shop', plan: 'Free' });
  const ann = await world.openAs('owner', own);
  const { page, see, press, goto } = ann;
  const opened: string[] = [];
  await page.route(/^https:/, async (route) => {
    opened.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: 'The page of Stripe' });
  });
  await goto('/settings/billing');
  await press('Buy Pro');
  await see('The page of Stripe');
  t.match(opened[0], /^https:\/\/\S*stripe\.com\//, 'the page of Stripe opens in place of this one');

  const account = await world.mongo.db.collection('billing_accounts').findOne();
  const customer = String(account?.['customer_id']);
  const subscription = stripe.subscribe(customer, 'Pro');
  const { rawBody, headers } = stripe.event('customer.subscription.created', { id: subscription.id, customer });
  const sent = await fetch(`${world.plane.url}/v1/billing/stripe-webhook`, { method: 'POST', headers, body: rawBody });
  t.equal(sent.status, 200);
  await goto('/settings/billing');
  await see(/^The Pro plan\./);
  await see(/^The subscription renews on/);
  t.same(await ann.examined('billing-subscription'), []);
  await press('Change to Free');
  await see('The plan becomes Free at the end of the paid period.');
  await see(/^The subscription ends on .*; the plan is Free from then on\.$/);
  await press('Payments and invoices');
  await see('The page of Stripe');
  t.same(ann.complaints, []);
});
