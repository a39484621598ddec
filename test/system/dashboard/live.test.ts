import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { freePort } from '../../helpers/machine/ports.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const SEEN_MS_MAX = 2_000;
/** Longer than a stream may be silent. */
const SILENCE_MS = 60_000;
const TABS = 7;

const mongo = await testDatabase();
const port = await freePort();
const proxy = await tcpProxy(port);
const at = { url: `http://127.0.0.1:${proxy.port}`, dataDir: '' };
const settings = { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: at.url };
const plane = await startControlPlane(mongo.uri, settings);
at.dataDir = plane.dataDir;
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await proxy.close();
  await plane.remove();
  await mongo.drop();
});
const shop = (await plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' })).body.data;
const setPaused = (verb: 'pause' | 'resume') => plane.api('POST', `/v1/monitors/${shop.id}/${verb}`);
const isLive = (page: Page) => page.locator('.live').getByText('Live', { exact: true }).waitFor();

t.test('what one person changes, another one sees within two seconds', async (t) => {
  const [anna, bob] = [await visitor(browser), await visitor(browser)];
  await logIn(anna.page, at, `/monitors/${shop.id}`);
  await logIn(bob.page, at, '/monitors?status=paused');
  await isLive(bob.page);
  t.equal(await bob.page.getByText('Shop', { exact: true }).count(), 0);
  const answered = anna.page.waitForResponse((response) => response.url().endsWith('/pause'));
  await anna.page.getByRole('button', { name: 'Pause', exact: true }).click();
  await answered;
  await bob.page.getByText('Shop', { exact: true }).first().waitFor({ timeout: SEEN_MS_MAX });
  t.same([...anna.complaints, ...bob.complaints], []);
  await anna.close();
  await bob.close();
});

t.test('a lost connection is said, and the page is live again when it has caught up', async (t) => {
  await setPaused('resume');
  const { page, complaints, close } = await visitor(browser);
  await logIn(page, at, `/monitors/${shop.id}`);
  await isLive(page);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  proxy.blackHole();
  proxy.cut();
  await page.getByText(/^Reconnecting, data from \d\d:\d\d:\d\d$/).waitFor();
  await setPaused('pause');
  await page.evaluate(recordWhatIsShownWhenLive);
  proxy.heal();
  proxy.cut();
  await isLive(page);
  t.match(await page.evaluate('window.shownWhenLive'), /Paused since/, 'stale data are not shown as live');
  t.same(complaints, []);
  await close();
});

t.test('a connection on which nothing arrives is lost, although nobody closed it', async () => {
  const { page, close } = await visitor(browser);
  await page.clock.install();
  await logIn(page, at, '/monitors');
  await isLive(page);
  proxy.blackHole();
  await page.clock.fastForward(SILENCE_MS);
  await page.getByText(/^Reconnecting, data from/).waitFor();
  proxy.heal();
  proxy.cut();
  await isLive(page);
  await close();
});

t.test('seven tabs work without http/2: hidden ones have no stream, and go on where they were', async (t) => {
  await setPaused('resume');
  const { page: first, close } = await visitor(browser);
  const context = first.context();
  await context.addInitScript(hideable);
  await logIn(first, at, '/monitors');
  await isLive(first);
  const tabs = [first];
  while (tabs.length < TABS) {
    await show(tabs.at(-1), false);
    tabs.push(await nextTab(context));
  }
  await waitFor('one stream', 10_000, async () => (await openStreams()) === 1);
  for (const tab of tabs) t.equal(await tab.getByText('Shop', { exact: true }).count(), 1);
  await show(tabs.at(-1), false);
  await waitFor('no stream', 10_000, async () => (await openStreams()) === 0);
  await setPaused('pause');
  const resumed = first.waitForRequest((request) => request.url().includes('/v1/events?last_event_id='));
  await show(first, true);
  await resumed;
  await isLive(first);
  await first.getByText('paused').first().waitFor();
  await close();
});

t.test('a tab of somebody who has signed out elsewhere opens the log-in page', async () => {
  const { page, close } = await visitor(browser);
  await logIn(page, at, '/incidents');
  await isLive(page);
  const other = await page.context().newPage();
  await other.goto(`${at.url}/`);
  await other.getByRole('button', { name: /^Account/ }).click();
  await other.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL(/\/login\?next=%2Fincidents/);
  await close();
});

async function nextTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${at.url}/monitors`);
  await isLive(page);
  return page;
}

async function openStreams(): Promise<number> {
  const { body } = await plane.api('GET', '/metrics');
  return Number(/^picket_event_streams_open (\d+)$/m.exec(String(body))?.[1]);
}

/** In a browser without a screen, every tab is visible. */
function hideable(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const page = (globalThis as any).document;
  let hidden = false;
  Object.defineProperty(page, 'hidden', { get: () => hidden });
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  (globalThis as any).setHidden = (value: boolean) => {
    hidden = value;
    page.dispatchEvent(new Event('visibilitychange'));
  };
}

async function show(page: Page | undefined, visible: boolean): Promise<void> {
  await page?.evaluate(`setHidden(${!visible})`);
}

/** Keeps the text of the page at the moment at which it says that it is live. */
function recordWhatIsShownWhenLive(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { document, MutationObserver, window } = globalThis as any;
  const indicator = document.querySelector('.live');
  new MutationObserver(() => {
    if (indicator.textContent === 'Live') window.shownWhenLive ??= document.querySelector('main').textContent;
  }).observe(indicator, { subtree: true, childList: true, characterData: true });
}
