import type { Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

const PATHS = ['/', '/monitors', '/servers', '/incidents', '/audit', '/settings/channels', '/settings/api-keys'];
/** Everything but who is logged in. */
const READS = /\/v1\/(?!events|auth\/me)/;
const FAILED = 'This could not be loaded';

t.test('a page whose reads fail keeps a heading, and says that it tries again', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { page, goto, see, examined, close } = await world.openAsOwner();
  const reads = await readsOf(page);
  for (const path of PATHS) {
    const headings = () => page.getByRole('heading', { level: 1 }).allTextContents();
    const hasOne = (t: Test, message: string) => comesTo(t, async () => (await headings()).length, 1, message);
    const name = path.replaceAll('/', '-');
    await t.test(path, async (t) => {
      reads.wait();
      await goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await hasOne(t, 'a heading while it loads');
      t.same(await examined(`loading${name}`), []);

      await reads.fail();
      await see('Picket failed to answer. The page tries again.');
      await hasOne(t, 'a heading once it has failed');
      await page.getByRole('heading', { name: FAILED }).first().waitFor();
      t.equal(await page.getByText('probably not done').count(), 0, 'nothing about actions');
      t.same(await examined(`failed-reads${name}`), []);

      reads.wait();
      // The log has a part that fails on its own.
      const again = page.locator('section[role=alert]').first();
      await again.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await again.getByText('Trying again …').waitFor();
      await again.getByText('Picket failed to answer. The page tries again.').waitFor();
      await hasOne(t, 'the same heading while it tries again');
      const focused = () => page.evaluate('document.activeElement.textContent');
      await comesTo(t, focused, 'Trying again …', 'the focus stays');
      t.same(await examined(`trying-again${name}`), []);

      await reads.pass();
      await page.getByText(FAILED).first().waitFor({ state: 'detached' });
      const isOfPage = async () => !(await headings()).some((one) => /Loading|could not be loaded/.test(one));
      await comesTo(t, isOfPage, true, 'a heading of the page itself');
      await hasOne(t, 'and no other');
    });
  }
  await close();
});

t.test('a page stays when who is logged in cannot be read again', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { page, goto, close } = await world.openAsOwner();
  await page.clock.install();
  await goto('/monitors/new');
  const field = page.getByLabel('Address');
  await field.fill('shop.example');
  await page.route(/\/v1\/auth\/me/, (route) => route.fulfill(FAILURE));
  const failed = page.waitForResponse(/\/v1\/auth\/me/);
  await page.clock.fastForward(70_000);
  await failed;
  await page.clock.runFor(2_000);
  t.equal(await field.inputValue(), 'shop.example', 'what was typed is kept');
  await close();
});

const FAILURE = { status: 500, contentType: 'application/json', body: '{"request_id": "req_0"}' };

/** Controls all reads of a page: they wait, fail or pass from now on, also those that wait already. */
async function readsOf(page: Page) {
  const waiting: Route[] = [];
  const fail = (route: Route) => route.fulfill(FAILURE);
  const pass = (route: Route) => route.continue();
  const wait = async (route: Route) => void waiting.push(route);
  let answer: (route: Route) => Promise<void> = pass;
  await page.route(READS, (route) => answer(route));
  const all = async (next: typeof answer) => {
    answer = next;
    // The page may have given up some of them.
    await Promise.allSettled(waiting.splice(0).map((route) => next(route)));
  };
  return {
    wait: () => {
      answer = wait;
    },
    fail: () => all(fail),
    pass: () => all(pass),
  };
}
