import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { deadlineMs } from '../../deadline.js';
import { type Mailbox, startMailbox } from '../../machine/mailbox.js';
import type { Receiver } from '../../machine/webhook-receiver.js';
import type { Product } from '../../processes/product.js';
import { waitFor } from '../../wait.js';
import { comesTo } from '../comes-to.js';
import { startProductInBrowser } from '../product-in-browser.js';
import type { Hands } from './hands.js';

const PERSON = { workspace: 'Shop & Sons', email: 'anna@shop.example', password: 'correct horse battery staple 7' };
const NOTICED_MS_MAX = 60_000;

/**
 * The whole way of a person who has only a browser and a mailbox: the sign-up, a monitor of a real site, a channel with
 * its test; then the site fails, the alert arrives and is acknowledged, and the site comes back.
 */
export async function wholeWay(
  t: Test,
  { hands, inputsMax }: { hands: (page: Page) => Hands; inputsMax: number },
): Promise<void> {
  const mailbox = await startMailbox();
  t.teardown(() => mailbox.close());
  const settings = { PICKET_SMTP_URL: mailbox.url };
  const { site, product, receiver, page, complaints } = await startProductInBrowser(t, settings);
  const person = { page, hands: hands(page) };

  await page.goto(product.url);
  await signUp(person, { mailbox, meanwhile: () => raisePlan(product) });
  await firstMinute(person, { siteUrl: site.url, hookUrl: receiver.url });
  t.ok(await alertOf(receiver, 'channel.test'), 'the first alert has arrived');
  t.ok(person.hands.inputs() <= inputsMax, `${person.hands.inputs()} inputs led to it`);

  await site.stop();
  t.match((await alertOf(receiver, 'incident.opened')).body, /Shop/, 'the alert names the monitor');
  await acknowledge(person);
  const acknowledgers = async () => {
    const answer = await page.context().request.get(`${product.url}/v1/alerts?status=firing`);
    return (await answer.json()).data.map((one: { acknowledged_by: string | null }) => one.acknowledged_by);
  };
  await comesTo(t, acknowledgers, [PERSON.email], 'the API says so too');

  await site.start();
  await alertOf(receiver, 'incident.resolved');
  await page.getByText(/^The checks succeeded again from/).waitFor({ timeout: deadlineMs(NOTICED_MS_MAX) });
  await comesTo(t, () => page.getByRole('button', { name: 'Acknowledge' }).count(), 0, 'there is nothing left to do');
  t.same(complaints, [], 'the browser complained about nothing');
}

/** Somebody at a page. */
interface AtPage {
  page: Page;
  hands: Hands;
}

/** The operator gives the new workspace a plan with checks every 10 seconds. */
async function raisePlan(product: Product): Promise<void> {
  const { body } = await product.api('GET', '/v1/admin/workspaces');
  const workspace = body.data.find(({ name }: { name: string }) => name === PERSON.workspace);
  await product.api('PATCH', `/v1/admin/workspaces/${workspace.id}`, { plan: 'Enterprise' });
}

async function signUp(
  { page, hands }: AtPage,
  { mailbox, meanwhile }: { mailbox: Mailbox; meanwhile: () => Promise<void> },
): Promise<void> {
  await hands.press(page.getByRole('link', { name: 'Sign up', exact: true }));
  await hands.type(page.getByLabel('Name of your workspace'), PERSON.workspace);
  await hands.type(page.getByLabel('E-mail address'), PERSON.email);
  await hands.type(page.getByLabel('Password', { exact: true }), PERSON.password);
  await hands.press(page.getByRole('button', { name: 'Create account', exact: true }));
  const [mail] = await mailbox.arrived(1);
  await meanwhile();
  // The press of the link is in the mail program.
  await page.goto(/https?:\S+#token=\S+/.exec(mail?.parts['text/plain'] ?? '')?.[0] ?? '');
  await hands.press(page.getByRole('button', { name: 'Confirm address', exact: true }));
  await hands.press(page.getByRole('link', { name: 'Open the dashboard', exact: true }));
}

async function firstMinute(
  { page, hands }: AtPage,
  { siteUrl, hookUrl }: { siteUrl: string; hookUrl: string },
): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await hands.type(page.getByLabel('Address', { exact: true }), siteUrl);
  await hands.press(button('Continue'));
  await hands.type(page.getByLabel('Name', { exact: true }), 'Shop');
  await hands.choose(page.getByLabel('Interval'), '10');
  await hands.press(button('Watch it'));
  await page.getByText('Shop is up from all 5 locations.').waitFor({ timeout: deadlineMs(NOTICED_MS_MAX) });
  await hands.choose(page.getByLabel('Channel'), 'webhook');
  await hands.type(page.getByLabel('URL that receives a POST request'), hookUrl);
  await hands.press(button('Add and send test'));
  await page.getByText(/^Webhook accepted the test \(200\)/).waitFor();
}

async function acknowledge({ page, hands }: AtPage): Promise<void> {
  await hands.press(page.getByRole('link', { name: 'Overview', exact: true }));
  await hands.press(page.locator('a[href*="/incidents/"]', { hasText: /Shop.*locations reported/s }).first());
  await page.getByText('Why did this alert?').waitFor();
  await hands.press(page.getByRole('button', { name: 'Acknowledge', exact: true }));
  await page.getByText(/acknowledged it at/).waitFor();
}

/** Resolves to the first notification of this type. */
function alertOf({ requests }: Receiver, type: string) {
  return waitFor(`a notification ${type}`, NOTICED_MS_MAX, () => requests.find(({ json }) => json?.type === type));
}
