import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { makeHideable, show } from '../../helpers/dashboard/hide.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const { mongo, plane, browser } = await startPlaneInBrowser(t);

/** A person with the workspaces Alpha and Beta, each with one monitor, and a session in Alpha. */
async function somebody() {
  const [alpha, beta] = [await storeWorkspace(mongo, { name: 'Alpha' }), await storeWorkspace(mongo, { name: 'Beta' })];
  const inAlpha = await storePerson(mongo, alpha, 'owner');
  const inBeta = await storePerson(mongo, beta, 'owner', { existing: inAlpha });
  for (const [key, name] of [
    [inAlpha.key, 'Shop of Alpha'],
    [inBeta.key, 'Mail of Beta'],
  ] as const) {
    const body = { name, type: 'tcp', url: '127.0.0.1:9' };
    const { status } = await requestAs(plane.url, key, ['POST', '/v1/monitors', body]);
    t.equal(status, 201);
  }
  return { alpha, beta, person: inAlpha };
}

/** Collects what pages of the window show that never belongs together. */
async function watchForMixtures(context: BrowserContext): Promise<string[]> {
  const mixtures: string[] = [];
  await context.exposeFunction('reportMixture', (text: string) => void mixtures.push(text));
  await context.addInitScript(() => {
    // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
    const { document, MutationObserver, reportMixture } = globalThis as any;
    new MutationObserver(() => {
      const shown = document.body?.textContent ?? '';
      const account = document.querySelector('.account-button')?.textContent ?? '';
      const isMixed = shown.includes('Shop of Alpha') ? shown.includes('Mail of Beta') || /Beta/.test(account) : false;
      if (isMixed || (shown.includes('Mail of Beta') && /Alpha/.test(account))) reportMixture(shown);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return mixtures;
}

async function window() {
  const opened = await visitor(browser);
  const context = opened.page.context();
  await makeHideable(context);
  return { ...opened, context, mixtures: await watchForMixtures(context) };
}

const isLive = (page: Page) => page.locator('.live').getByText('Live', { exact: true }).waitFor();
const isIn = (page: Page, workspace: string) =>
  page.getByRole('button', { name: new RegExp(`^Account.*${workspace}`) }).waitFor();

/** The event of a page that the browser kept. It comes later, because the page loads again before an answer could arrive. */
const comeBack = (page: Page) =>
  page.evaluate("void setTimeout(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))");

async function switchTo(page: Page, workspace: string): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: workspace, exact: true }).click();
  await isIn(page, workspace);
}

t.test('a switch of the workspace in one tab moves the others, and no page mixes two workspaces', async (t) => {
  const { person } = await somebody();
  const { page: first, context, mixtures, close } = await window();
  await useSession(first, plane.url, person.cookie);
  await first.goto(`${plane.url}/monitors`);
  await first.getByText('Shop of Alpha').waitFor();
  const [visible, hidden] = [await context.newPage(), await context.newPage()];
  for (const tab of [visible, hidden]) {
    await tab.goto(`${plane.url}/monitors`);
    await tab.getByText('Shop of Alpha').waitFor();
    await isLive(tab);
  }
  await show(hidden, false);
  await switchTo(first, 'Beta');
  await isIn(visible, 'Beta');
  await comesTo(t, () => new URL(visible.url()).pathname, '/', 'what the address named is of the other workspace');
  await visible.goto(`${plane.url}/monitors`);
  await visible.getByText('Mail of Beta').waitFor();
  t.equal(await hidden.getByText('Shop of Alpha').count(), 1, 'nobody looks at it');
  await show(hidden, true);
  await isIn(hidden, 'Beta');
  t.same(mixtures, []);
  await close();
});

t.test('a page of the former workspace sends nothing to the present one', async (t) => {
  const { person, beta } = await somebody();
  const { page, mixtures, close } = await window();
  await useSession(page, plane.url, person.cookie);
  await page.goto(`${plane.url}/monitors`);
  await page.getByText('Shop of Alpha').waitFor();
  await isLive(page);
  const refused = page.waitForResponse((response) => response.status() === 409);
  // Not by a tab of this browser, so that nothing tells the page.
  const switched = await requestAs(plane.url, person.cookie, ['POST', `/v1/auth/workspaces/${beta}/switch`, {}]);
  t.equal(switched.status, 200);
  // A read of the page itself can come first. Then the monitor is gone, and its link with it.
  await Promise.race([refused, page.getByText('Shop of Alpha').click()]);
  await refused;
  await isIn(page, 'Beta');
  t.same(mixtures, []);
  await close();
});

t.test('a page whose first answers are of two workspaces loads again', async (t) => {
  const { person, beta } = await somebody();
  const { page, mixtures, close } = await window();
  await useSession(page, plane.url, person.cookie);
  const isAccount = (url: URL) => url.pathname === '/v1/auth/me';
  let send: () => void = () => {};
  const mayGo = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(isAccount, (route) => mayGo.then(() => route.continue()));
  const counted = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/monitors/totals');
  const asked = page.waitForRequest((request) => isAccount(new URL(request.url())));
  await page.goto(`${plane.url}/`);
  // What the overview shows is read beside the account.
  t.equal((await (await counted).headerValue('picket-loaded-for'))?.endsWith(person.userId), true);
  await asked;
  const switched = await requestAs(plane.url, person.cookie, ['POST', `/v1/auth/workspaces/${beta}/switch`, {}]);
  t.equal(switched.status, 200);
  const loaded = page.waitForEvent('load');
  send();
  await loaded;
  await isIn(page, 'Beta');
  await page.getByText('1 monitor', { exact: true }).first().waitFor();
  t.same(mixtures, []);
  await close();
});

t.test('a tab shows the person who logged in in another one', async () => {
  const { person, alpha } = await somebody();
  const colleague = await storePerson(mongo, alpha, 'viewer');
  const { page, context, close } = await window();
  await useSession(page, plane.url, person.cookie);
  await page.goto(`${plane.url}/monitors`);
  await isLive(page);
  await show(page, false);
  await useSession(page, plane.url, colleague.cookie);
  // The page notices it after it is shown, and loads again: a menu that is opened before would be closed.
  const loaded = page.waitForEvent('load');
  await show(page, true);
  await loaded;
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByText(colleague.email).waitFor();
  const other = await context.newPage();
  await useSession(other, plane.url, person.cookie);
  await other.goto(`${plane.url}/incidents`);
  await page.getByRole('button', { name: /^Account.*/, expanded: false }).click();
  await page.getByText(person.email).waitFor();
  await close();
});

t.test('a page that the browser kept in memory is not shown for somebody else', async (t) => {
  const { person, beta } = await somebody();
  const { page, mixtures, close } = await window();
  await useSession(page, plane.url, person.cookie);
  await page.goto(`${plane.url}/monitors`);
  await isLive(page);
  const switched = await requestAs(plane.url, person.cookie, ['POST', `/v1/auth/workspaces/${beta}/switch`, {}]);
  t.equal(switched.status, 200);
  // Playwright turns the cache of pages off, so the event comes without it.
  await comeBack(page);
  await isIn(page, 'Beta');
  t.same(mixtures, []);
  await close();
});

t.test('a page that the browser kept in memory is not shown after a log-out', async () => {
  const { person } = await somebody();
  const { page, close } = await window();
  await useSession(page, plane.url, person.cookie);
  await page.goto(`${plane.url}/monitors`);
  await isLive(page);
  // The browser stays on a page when the next one has no content: as if the person had come back to it.
  const isLogIn = (url: URL) => url.pathname === '/login';
  await page.route(isLogIn, (route) => route.fulfill({ status: 204 }));
  const left = page.waitForResponse((response) => isLogIn(new URL(response.url())));
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await left;
  await page.unrouteAll({ behavior: 'wait' });
  await comeBack(page);
  await page.waitForURL(isLogIn);
  await close();
});
