import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

const PHONE = { width: 360, height: 740 };
const PATHS = [
  ...['/', '/monitors', '/monitors/new', '/monitors/new/lines', '/monitors/changes', '/servers', '/servers/new'],
  ...[
    '/incidents',
    '/blacklists',
    '/blacklists/new',
    '/blacklists/check',
    '/reports',
    '/reports/new',
    '/status-pages',
    '/status-pages/new',
    '/audit',
    '/glossary',
  ],
];
const SETTINGS = [
  ...['workspace', 'team', 'api-keys', 'api-keys/new', 'channels', 'channels/new', 'alert-rules', 'alert-rules/new'],
  ...['forwarders', 'billing', 'single-sign-on', 'account', 'second-factor', 'sessions'],
  ...['health', 'probes', 'locations', 'workspaces'],
].map((page) => `/settings/${page}`);
/** Folder for pictures; none without it. */
const SHOTS = process.env['PICKET_SCREENSHOTS'] ?? '';

const WIDE = { width: 1280, height: 800 };
const FINGER_PX = 44;
/** https://www.w3.org/WAI/WCAG22/Understanding/target-size-minimum.html */
const POINTER_PX = 24;

/**
 * What a finger or a pointer can miss: whatever is pressed and lower than this, unless it is a word of a sentence, or
 * lies in a label that is large enough.
 */
const smallTargets = (pxMin: number) => `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const height = (element) => Math.round(element.getBoundingClientRect().height);
  const isWord = (element) => getComputedStyle(element).display === 'inline' || element.closest('p, dd, td, .note') !== null;
  const inLabel = (element) => element.closest('label') ?? (element.labels?.[0] ?? null);
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=tab]')]
    .filter((element) => isShown(element) && !element.matches('.skip, [type=hidden], [type=file]') && !element.closest('.only-spoken'))
    .filter((element) => height(element) < ${pxMin} && !isWord(element))
    .filter((element) => {
      const label = element.matches('[type=checkbox], [type=radio]') ? inLabel(element) : null;
      return label === null || height(label) < ${pxMin};
    })
    .map((element) => height(element) + ' px: ' + element.outerHTML.slice(0, 160));
})()`;

/** Resolves when nothing of a page is on its way any more. */
async function isDrawn(page: Page): Promise<void> {
  await page.locator('.page-head h1').waitFor();
  await page.locator('main .late, main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

t.test('every page fits a phone, with targets for fingers', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  await world.plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' });
  const hook = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:8080/hook' } };
  t.equal((await world.plane.api('POST', '/v1/channels', hook)).status, 201);
  t.equal((await world.plane.api('POST', '/v1/alert-rules', { name: 'Gone', type: 'server_offline' })).status, 201);
  const { page, goto, complaints, close } = await world.openAsOwner();
  await page.setViewportSize(PHONE);
  for (const path of [...PATHS, ...SETTINGS]) {
    await goto(path);
    await isDrawn(page);
    await comesTo(t, () => page.evaluate(smallTargets(FINGER_PX)), [], `${path}: every target has 44 px`);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await comesTo(t, () => page.evaluate(overflow), 0, `${path}: nothing is wider than the window`);
    if (SHOTS !== '') {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `phone-${path.replaceAll('/', '_')}.png`), fullPage: true });
    }
  }
  await goto('/monitors');
  const sort = page.getByLabel('Sort by');
  const more = page.getByRole('button', { name: /^Filter and sort/ });
  await more.waitFor();
  t.equal(await sort.count(), 0, 'the list begins in the first window');
  await more.click();
  await sort.selectOption('name');
  await page.getByLabel('Time', { exact: true }).selectOption('30d');
  await page.getByRole('button', { name: 'Filter and sort (2)' }).waitFor();
  await comesTo(t, () => new URL(page.url()).search, '?sort=name&window=30d');
  await comesTo(t, () => page.evaluate(smallTargets(FINGER_PX)), [], 'every choice has 44 px');
  if (SHOTS !== '') await page.screenshot({ path: join(SHOTS, 'phone-monitors-choices.png') });
  await goto('/audit');
  const widthOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.width;
  const areAligned = async () => (await widthOf('What')) === (await widthOf('Who'));
  await comesTo(t, areAligned, true, 'the fields of the audit log are in one column');
  await page.setViewportSize(WIDE);
  for (const path of [
    '/',
    '/monitors',
    '/incidents',
    ...['channels', 'alert-rules', 'workspace'].map((one) => `/settings/${one}`),
  ]) {
    await goto(path);
    await isDrawn(page);
    await comesTo(t, () => page.evaluate(smallTargets(POINTER_PX)), [], `${path}: every target has 24 px`);
  }
  await page.setViewportSize(PHONE);
  for (const path of SETTINGS) {
    await goto(path);
    const shows = async () => {
      const label = await page.locator('.settings-link.active').textContent();
      return (await page.locator('.settings-here').innerText()).endsWith(label ?? 'no entry is active');
    };
    await comesTo(t, shows, true, `${path}: the navigation shows where one is`);
  }
  await page.locator('.settings-here').click();
  const links = page.locator('.settings-link');
  const small = async () => {
    const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
    return boxes.filter((box) => box === null || box.height < 44 || box.width <= 200);
  };
  await comesTo(t, small, [], 'every page of the settings is in the list');
  await page.keyboard.press('Escape');
  await links.first().waitFor({ state: 'hidden' });
  await page.locator('.settings-here:focus').click();
  await links.getByText('Channels', { exact: true }).click();
  await page.waitForURL(/\/settings\/channels$/);
  await links.first().waitFor({ state: 'hidden' });
  t.same(complaints, []);
  await close();
});
