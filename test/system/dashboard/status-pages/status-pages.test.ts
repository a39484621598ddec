import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { startChromium } from '../../../helpers/machine/chromium.js';

const NOWHERE = 'http://127.0.0.1:9/';
const PASSWORD = 'correct horse battery';

const world = await startWorkspaceInBrowser();
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await world.close();
});
const violations: string[] = [];
const complaints: string[] = [];
const pages = async () => (await world.plane.api('GET', '/v1/status-pages')).body.data;
const monitorIds = new Map<string, string>();
for (const name of ['Shop', 'shop-db.internal']) {
  const monitor = { name, type: 'http', url: NOWHERE, tags: ['production'], interval_seconds: 300 };
  monitorIds.set(name, (await world.plane.api('POST', '/v1/monitors', monitor)).body.data.id);
}

/** Opens a public page as somebody who is not logged in and whose browser runs no scripts. */
async function asStranger(read: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const page = await context.newPage();
  await read(page);
  await context.close();
}

/** Resolves when the public page has the text: it follows a change within seconds. */
async function strangersSee(test: Test, slug: string, text: string): Promise<void> {
  await asStranger(async (page) => {
    const shows = async () => {
      await page.goto(`${world.plane.url}/status/${slug}`);
      return (await page.locator('body').innerText()).includes(text);
    };
    await comesTo(test, shows, true, `strangers see ${text}`);
  });
}

t.test('a page is created by keyboard, and strangers see it', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  await goto('/status-pages');
  await see('No status page yet.');
  violations.push(...(await ann.examined('empty')));
  await page.getByRole('link', { name: 'Create status page' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Müller & Söhne');
  t.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'mueller-soehne', 'an address is suggested');
  await see(`The page is at ${world.plane.url}/status/mueller-soehne`);
  await page.getByLabel('Address', { exact: true }).fill('Not An Address');
  await see('Use 3 to 63 lower-case letters, digits and single hyphens.');
  await page.getByLabel('Address', { exact: true }).fill('mueller');
  await page.getByLabel('Monitor, server or tag').selectOption({ label: 'Shop' });
  for (const _ of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Add', exact: true }).focus();
    await page.keyboard.press('Enter');
  }
  t.equal(await page.getByLabel('Monitor, server or tag').count(), 0, 'everything is on the page');
  const names = async () =>
    Promise.all((await page.getByLabel('Public name').all()).map((field) => field.inputValue()));
  t.same(await names(), ['Shop', 'shop-db.internal', 'production'], 'names in Picket are suggested');
  await page.getByLabel('Public name').nth(1).fill('Database');
  await page.getByRole('button', { name: 'Move up: Database' }).focus();
  await page.keyboard.press('Enter');
  await comesTo(t, names, ['Database', 'Shop', 'production']);
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  await comesTo(t, focused, 'Move down: Database', 'the focus stays with what was moved');
  await page.keyboard.press('Enter');
  await comesTo(t, names, ['Shop', 'Database', 'production']);
  await see('Database: position 2 of 3');
  await press('Remove: production');
  await comesTo(t, names, ['Shop', 'Database']);
  violations.push(...(await ann.examined('new')));
  await page.getByRole('button', { name: 'Create status page' }).focus();
  await page.keyboard.press('Enter');
  await see('Visitors see that the state of some components is not known.');
  violations.push(...(await ann.examined('one')));
  t.match(await pages(), [
    {
      title: 'Müller & Söhne',
      slug: 'mueller',
      visibility: 'public',
      incidents_after_minutes: 5,
      groups: [
        {
          components: [
            { name: 'Shop', monitor_id: monitorIds.get('Shop') },
            { name: 'Database', monitor_id: monitorIds.get('shop-db.internal') },
          ],
        },
      ],
    },
  ]);
  await goto(`/monitors/${monitorIds.get('Shop')}`);
  await page.locator('main').getByText('On the status page').waitFor();
  t.equal(await page.locator('main').getByRole('link', { name: 'Müller & Söhne' }).count(), 1);
  await strangersSee(t, 'mueller', 'Database');
  await asStranger(async (stranger) => {
    await stranger.goto(`${world.plane.url}/status/mueller`);
    t.notMatch(await stranger.content(), /shop-db\.internal/, 'the name in Picket is not public');
  });
  complaints.push(...ann.complaints);
});

t.test('the list says what there is, and the plan how many there may be', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, goto } = ann;
  await goto('/status-pages');
  await see('1 status page.');
  await see('not known · 2 components · Everybody');
  t.equal(
    await page
      .locator('main')
      .getByRole('link', { name: /\/status\/mueller$/ })
      .getAttribute('href'),
    `${world.plane.url}/status/mueller`,
  );
  violations.push(...(await ann.examined('list')));
  const quota = { data: { quotas: [{ name: 'status_pages', label: 'status pages', used: 1, limit: 1 }] } };
  await page.route('**/v1/billing', (route) => route.fulfill({ json: quota }));
  await page.getByRole('link', { name: 'Create status page' }).click();
  await see('Your plan includes 1 status page, and this workspace has as many.');
  t.equal(await page.locator('form').count(), 0, 'nobody fills a form for nothing');
  complaints.push(...ann.complaints);
});

t.test('a page is edited: groups, the password, and an address that another page has', async (t) => {
  t.equal((await world.plane.api('POST', '/v1/status-pages', { title: 'Other', slug: 'other' })).status, 201);
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  await goto('/status-pages');
  await page.getByRole('link', { name: 'Müller & Söhne' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await press('Add group');
  await page.getByLabel('Group heading (optional)').nth(1).fill('Behind the shop');
  await press('Move down: Database');
  await page.getByLabel('Address', { exact: true }).fill('other');
  await press('Save');
  await see('Another status page of this installation has this address. Choose another one.');
  await page.getByLabel('Address', { exact: true }).fill('mueller');
  violations.push(...(await ann.examined('edit')));
  await press('Save');
  await see('Müller & Söhne is saved.');
  await page.getByText('Behind the shop').waitFor();
  const [, before] = await pages();
  t.match(before.groups, [
    { name: null, components: [{ name: 'Shop' }] },
    { name: 'Behind the shop', components: [{ name: 'Database' }] },
  ]);
  await strangersSee(t, 'mueller', 'Behind the shop');

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('With a password').check();
  await press('Save');
  await see('Nothing was saved yet. Correct what is marked, then try again.');
  await page.getByLabel('Password of the page').fill(PASSWORD);
  await press('Save');
  await see('Open the page and enter its password to see the state that it shows.');
  const [, after] = await pages();
  t.same(after.groups, before.groups, 'components keep their ids');
  await asStranger(async (stranger) => {
    const isLocked = async () => (await stranger.goto(`${world.plane.url}/status/mueller`))?.status() === 401;
    await comesTo(t, isLocked, true, 'strangers need the password');
    await stranger.locator('input[type=password]').fill(PASSWORD);
    await stranger.keyboard.press('Enter');
    await stranger.getByText('Database').first().waitFor();
  });
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Everybody', { exact: false }).first().check();
  await press('Save');
  await see(/^Visitors see that/);
  complaints.push(...ann.complaints);
});

t.test('what two people change at the same time is not lost', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const [, { id }] = await pages();
  await goto(`/status-pages/${id}/edit`);
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await world.plane.api('PATCH', `/v1/status-pages/${id}`, { title: 'Theirs', groups: [] });
  await press('Save');
  await page.getByRole('alert').getByText('Components').waitFor();
  await page.getByLabel(/Mine$/).check();
  await press('Save');
  await see('Mine is saved.');
  t.match((await pages())[1], { title: 'Mine', groups: [] });
  complaints.push(...ann.complaints);
});

t.test('an incident is written, updated and resolved on a phone', async (t) => {
  const [, { id }] = await pages();
  const groups = [{ components: [{ name: 'Checkout', monitor_id: monitorIds.get('Shop') }] }];
  t.equal((await world.plane.api('PATCH', `/v1/status-pages/${id}`, { groups })).status, 200);
  const ann = await world.openAs('member');
  const { page, see, press, goto } = ann;
  await page.setViewportSize({ width: 360, height: 740 });
  await goto(`/status-pages/${id}`);
  await see('No open incident.');
  await page.getByRole('link', { name: 'Write incident' }).click();
  await press('Publish incident');
  await see('Nothing was saved yet. Correct what is marked, then try again.');
  await page.getByRole('textbox', { name: 'Title' }).fill('Payments fail');
  await page.getByLabel('Text', { exact: true }).fill('We look into it.');
  await page.getByLabel('Checkout').check();
  await page.getByLabel('State of these components meanwhile').selectOption('outage');
  violations.push(...(await ann.examined('incident-new')));
  await press('Publish incident');
  await see(/^Open since .*: investigating\.$/);
  await see('Affected components: Checkout. Shown to visitors as: outage.');
  await strangersSee(t, 'mueller', 'We look into it.');
  t.equal(await page.getByLabel('State', { exact: true }).inputValue(), 'identified', 'the next state is suggested');
  await page.getByLabel('State', { exact: true }).selectOption('resolved');
  await page.getByLabel('Text', { exact: true }).fill('It works again.');
  violations.push(...(await ann.examined('incident')));
  await press('Publish update');
  await see(/^From .*, resolved .*\.$/);
  await see(/Affected components: Checkout\.$/);
  await page.getByRole('button', { name: 'Edit text' }).last().click();
  const edited = page.getByRole('form', { name: 'Edit text' });
  await edited.getByLabel('Text').fill('Our provider is down.');
  violations.push(...(await ann.examined('incident-edit-text')));
  await edited.getByRole('button', { name: 'Save' }).click();
  await see('The text is saved.');
  await page.getByText('Our provider is down.').waitFor();
  await page.getByRole('textbox', { name: 'Title' }).fill('Payments failed');
  await press('Save');
  await page.getByRole('heading', { name: 'Payments failed' }).waitFor();
  await strangersSee(t, 'mueller', 'It works again.');
  await goto(`/status-pages/${id}`);
  await see('No open incident.');
  violations.push(...(await ann.examined('one-with-incident')));
  await page.getByRole('link', { name: 'Payments failed' }).click();
  await press('Delete');
  await press('Delete');
  await see('Payments failed is deleted.');
  t.same((await world.plane.api('GET', `/v1/status-pages/${id}/incidents`)).body.data, []);
  complaints.push(...ann.complaints);
});

t.test('a viewer reads everything and changes nothing', async (t) => {
  const [, { id }] = await pages();
  const ann = await world.openAs('viewer');
  const { page, see, goto } = ann;
  await goto('/status-pages');
  await see('2 status pages.');
  t.equal(await page.getByRole('link', { name: 'Create status page' }).count(), 0);
  await page.getByRole('link', { name: 'Mine' }).click();
  await see('Checkout');
  t.equal(await page.locator('main').getByRole('button', { name: 'Delete' }).count(), 0);
  t.equal(
    await page
      .locator('main')
      .getByRole('link', { name: /^(Edit|Write incident)$/ })
      .count(),
    0,
  );
  for (const path of ['new', `${id}/edit`, `${id}/incidents/new`]) {
    await goto(`/status-pages/${path}`);
    await see('Your role in this workspace does not include this.');
  }
  complaints.push(...ann.complaints);
});

t.test('a page is deleted', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  await goto('/status-pages');
  await page.getByRole('link', { name: 'Mine' }).click();
  await press('Delete');
  await see(`${world.plane.url}/status/mueller ends at once for all visitors`);
  violations.push(...(await ann.examined('delete')));
  await press('Delete');
  await see('1 status page.');
  t.same(
    (await pages()).map(({ title }: { title: string }) => title),
    ['Other'],
  );
  await asStranger(async (stranger) => {
    const isGone = async () => (await stranger.goto(`${world.plane.url}/status/mueller`))?.status() === 404;
    await comesTo(t, isGone, true);
  });
  complaints.push(...ann.complaints);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
