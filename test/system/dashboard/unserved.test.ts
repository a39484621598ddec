import type { Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';
import { waitFor } from '../../helpers/wait.js';

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());

/** Opens a page of the navigation, whose file has not loaded yet. */
const openLog = (page: Page) => page.getByRole('link', { name: 'Audit log', exact: true }).first().click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

t.test('a page that cannot load opens once it is served, and the browser stays where it is', async (t) => {
  const { page, goto, see, complaints, close } = await world.openAsOwner();
  await goto('/settings/channels/new');
  await see('Live');
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  await page.evaluate('window.isSameDocument = true');
  await page.context().setOffline(true);
  await see(/^Reconnecting, data from/);
  await openLog(page);
  await heading(page, 'Loading …').waitFor();
  await page.context().setOffline(false);
  await heading(page, 'Audit log').waitFor();
  t.equal(await page.evaluate('window.isSameDocument'), true, 'nothing that was typed is lost');
  await comesTo(t, () => page.evaluate(STYLES_OF_LOG), true, 'the page has its styles');
  await page.goBack();
  const name = page.getByLabel('Name', { exact: true });
  await name.waitFor();
  await comesTo(t, () => name.inputValue(), 'Night shift');
  t.same(complaints, []);
  await close();
});

t.test('a page whose frame has not loaded either opens once they are served', async (t) => {
  const { page, goto, see, close } = await world.openAsOwner();
  await goto('/monitors');
  await see('Live');
  await page.evaluate('window.isSameDocument = true');
  await page.context().setOffline(true);
  await see(/^Reconnecting, data from/);
  const settings = page.getByRole('link', { name: 'Settings', exact: true }).first();
  // Pages load when somebody is about to open them. The frame and the page ask one after the other then.
  await settings.hover();
  await settings.click();
  await heading(page, 'Loading …').waitFor();
  await page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await page.context().setOffline(false);
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  await page.locator('.settings-page').getByRole('heading', { level: 1, name: 'My workspace' }).waitFor();
  t.equal(await page.evaluate('window.isSameDocument'), true);
  const display = () => page.evaluate(`getComputedStyle(document.querySelector('.settings')).display`);
  await comesTo(t, display, 'grid', 'with its styles');
  await close();
});

t.test('the palette that could not load opens with its styles when it is asked for again', async (t) => {
  const { page, goto, see, close } = await world.openAsOwner();
  await goto('/monitors');
  await see('Live');
  await page.context().setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => /palette.*\.css/.test(request.url()));
  await page.keyboard.press('Control+k');
  await failed;
  await page.context().setOffline(false);
  const palette = page.getByRole('dialog');
  await waitFor('the palette', 30_000, async () => {
    if ((await palette.count()) === 0) await page.keyboard.press('Control+k');
    return (await palette.count()) === 1;
  });
  await comesTo(t, () => page.evaluate(FAILED_STYLES), 0);
  await close();
});

t.test('a dialog that cannot load does not take the page away', async (t) => {
  await world.plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' });
  const { page, goto, see, press, close } = await world.openAsOwner();
  await goto('/monitors');
  await see('Live');
  await page.getByRole('button', { name: /^Select the monitor/ }).click();
  await page.context().setOffline(true);
  await see(/^Reconnecting, data from/);
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await press('Pause…');
  await failed;
  t.equal(await heading(page, 'This page cannot be shown').count(), 0);
  await page.context().setOffline(false);
  await page.getByRole('dialog', { name: /^Pause/ }).waitFor();
  await close();
});

t.test('after an upgrade, the files of the version before are gone, and the page loads again', async (t) => {
  const { page, goto, see, close } = await world.openAsOwner();
  await goto('/monitors');
  await see('Live');
  await page.evaluate('window.isSameDocument = true');
  let isUpgraded = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isUpgraded = true;
  });
  await page.route('**/assets/**', (route) => (isUpgraded ? route.continue() : route.fulfill({ status: 404 })));
  await openLog(page);
  await heading(page, 'Audit log').waitFor();
  t.equal(await page.evaluate('window.isSameDocument'), undefined, 'it is the new version');
  await page.unrouteAll({ behavior: 'wait' });
  await close();
});

const FAILED_STYLES = `[...document.querySelectorAll('link[rel="stylesheet"]')].filter((link) =>
  link.sheet === null || link.hasAttribute('data-failed')).length`;

/** Whether the style sheet of the audit log is there, and no other is missing. */
const STYLES_OF_LOG = `(() => {
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')];
  return links.some(({ href }) => /\\/audit-page-/.test(href)) && links.every(({ sheet }) => sheet !== null);
})()`;
