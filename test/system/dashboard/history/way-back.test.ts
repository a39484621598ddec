import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { IncidentDocument } from '../../../../control-plane/incidents/documents.js';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { withoutDeadlines } from '../../../helpers/dashboard/page-timers.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { firingIncident } from '../../../helpers/incidents/stored.js';
import { waitFor } from '../../../helpers/wait.js';

const ROWS = 40;
const BEGAN_MS = Date.now() - 3_600_000;
/** Longer than lists are kept that nobody sees. */
const FORGOTTEN_MS = 10 * 60_000;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const named = (name: string, index: number) => `${name} ${String(index).padStart(2, '0')}`;
await world.mongo.db.collection<IncidentDocument>('incidents').insertMany(
  Array.from({ length: ROWS }, (_, index) =>
    firingIncident(world.workspaceId, {
      ...{ monitor_name: named('Shop', index), message: 'It is down.' },
      // One after the other, so that the place of each row in the list is known.
      started_at_ms: BEGAN_MS - index * 1_000,
    }),
  ),
);

const where = (page: Page) =>
  page.evaluate<{ scrolled: number; focused?: string }>(
    `({ scrolled: scrollY, focused: document.activeElement.querySelector('bdi')?.textContent })`,
  );

/** Opens the row with the focus by key, and comes back. */
async function thereAndBack(t: Test, page: Page, name: string, away: () => Promise<void> = async () => {}) {
  const row = page.locator('#content a', { hasText: name });
  let before = await where(page);
  // The list can still grow, which moves the row.
  await waitFor('the list is scrolled to the row, and stays so', 30_000, async () => {
    await row.focus();
    await row.evaluate((element) => Reflect.get(element, 'scrollIntoView').call(element, { block: 'center' }));
    const last = before;
    before = await where(page);
    if (before.focused === name && before.scrolled > 0 && before.scrolled === last.scrolled) return true;
    throw new Error(`${JSON.stringify(last)}, then ${JSON.stringify(before)}`);
  });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText(name).first().waitFor();
  await away();
  await page.goBack();
  await comesTo(t, () => where(page), before, 'the list is where it was, with the focus on the row');
}

t.test('the way back from an incident leads to its row', async (t) => {
  const { page, complaints, goto, close } = await world.openAs('member');
  await page.clock.install();
  await withoutDeadlines(page.context());
  await goto('/incidents');
  await thereAndBack(t, page, named('Shop', 25));
  await thereAndBack(t, page, named('Shop', 30), async () => page.clock.fastForward(FORGOTTEN_MS));
  t.same(complaints, []);
  await close();
});

t.test('there are monitors', async (t) => {
  // Not before: no probe checks them, and after a minute, their locations have incidents, which move the rows above.
  for (let index = 0; index < ROWS; index += 1) {
    const monitor = { name: named('Mail', index), type: 'tcp', url: `127.0.0.1:${index + 1}` };
    t.equal((await world.plane.api('POST', '/v1/monitors', monitor)).status, 201);
  }
});

t.test('the way back from where a key or the search led focuses no link that nobody opened', async (t) => {
  const { page, complaints, goto, close } = await world.openAs('member');
  await withoutDeadlines(page.context());
  await goto('/');
  const toMonitors = page.locator('#content a[href$="/monitors"]').first();
  await toMonitors.waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Monitors');
  await page.getByRole('option', { name: 'Monitors', exact: true }).click();
  await page.getByRole('heading', { name: 'Monitors', exact: true }).waitFor();
  await page.goBack();
  await toMonitors.waitFor();
  t.equal(await page.evaluate('document.activeElement.closest("#content a")'), null);
  await toMonitors.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Monitors', exact: true }).waitFor();
  await page.goBack();
  await toMonitors.and(page.locator(':focus')).waitFor();
  t.same(complaints, []);
  await close();
});

t.test('what was typed into a form stays for as long as the page is open', async (t) => {
  const { page, complaints, goto, close } = await world.openAsOwner();
  await page.clock.install();
  await goto('/settings/channels/new');
  await page.getByLabel('Name').fill('Night shift');
  await page.getByRole('link', { name: /^Incidents/ }).click();
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor();
  await page.clock.fastForward(FORGOTTEN_MS * 12);
  await page.goBack();
  await page.getByLabel('Name').waitFor();
  await comesTo(t, () => page.getByLabel('Name').inputValue(), 'Night shift');
  t.same(complaints, []);
  await close();
});

t.test('the way back from a monitor also leads to what was selected', async (t) => {
  const { page, see, complaints, goto, close } = await world.openAs('member');
  await withoutDeadlines(page.context());
  await goto('/monitors?sort=name');
  await page.getByRole('checkbox', { name: `Select ${named('Mail', 3)}` }).check();
  await see('1 monitor selected');
  await page.evaluate('scrollTo(0, 600)');
  await thereAndBack(t, page, named('Mail', 22));
  await see('1 monitor selected');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await see('2 monitors selected');
  await page.getByRole('link', { name: /^Incidents/ }).click();
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Monitors', exact: true }).click();
  await see(`${ROWS} monitors`);
  t.equal(await page.getByText(/monitors? selected/).count(), 0, 'a list that is opened anew has no selection');
  t.same(complaints, []);
  await close();
});
