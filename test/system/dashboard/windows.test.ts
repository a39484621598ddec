import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from 'playwright-core';
import t from 'tap';
import { makeHideable, show } from '../../helpers/dashboard/hide.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { withoutPeriodicReads } from '../../helpers/dashboard/page-timers.js';
import { startOnPlainHttp } from '../../helpers/dashboard/plain-http-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { waitFor } from '../../helpers/wait.js';

const WINDOWS = 7;
const ELECTED_MS_MAX = 30_000;

const { plane, browser, proxy, at } = await startOnPlainHttp(t);
const shop = (await plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' })).body.data;
let isPaused = false;
/** All are visible, as windows side by side are. */
let windows: Page[] = [];
/** The requests for the stream of events that have not ended. */
const streams = new Set<Request>();
/** The window that reads the stream for all; undefined while two of them find out which one does. */
const leading = (): Page | undefined => {
  const pages = [...streams].map((request) => request.frame().page()).filter((page) => !page.isClosed());
  return pages.length === 1 ? pages[0] : undefined;
};
const pausedRow = (page: Page) => page.locator('.monitor-rows').getByText('paused').first();
const isLive = (page: Page) => page.locator('.live').getByText('Live', { exact: true }).waitFor();

t.test('seven visible windows without http/2 share one stream, and show a change by its event', async (t) => {
  const { page } = await visitor(browser);
  const context = page.context();
  await makeHideable(context);
  await withoutPeriodicReads(context);
  await context.addInitScript(recordIndicator);
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/events') streams.add(request);
  });
  context.on('requestfinished', (request) => streams.delete(request));
  context.on('requestfailed', (request) => streams.delete(request));
  await logIn(page, at, '/monitors');
  await isLive(page);
  t.equal(await page.evaluate('isSecureContext || navigator.locks !== undefined'), false, 'it is plain http');
  windows = [page];
  while (windows.length < WINDOWS) windows.push(await nextWindow(context));
  await waitFor('one stream', ELECTED_MS_MAX, async () => (await openStreams()) === 1);
  await change();
});

t.test('a leader that is closed, hidden or silent is replaced, and nobody else notices', async (t) => {
  for (const [how, go] of Object.entries({
    closed: (page: Page) => page.close(),
    hidden: (page: Page) => show(page, false),
    // As a window that hangs or has crashed.
    silent: (page: Page) => page.evaluate('void (BroadcastChannel.prototype.postMessage = () => {})'),
  })) {
    const leader = await waitFor('one window leads', ELECTED_MS_MAX, leading);
    const others = windows.filter((page) => page !== leader);
    for (const page of others) await page.evaluate('indicated.length = 0');
    await go(leader);
    windows = others;
    await change();
    await waitFor(`${how}: another window leads`, ELECTED_MS_MAX, () => others.includes(leading() as Page));
    for (const page of others) t.same(await page.evaluate('indicated'), [], `${how}: all stay live`);
    if (how !== 'closed') await leader.close();
    await waitFor('one stream', ELECTED_MS_MAX, async () => (await openStreams()) === 1);
  }
});

t.test('without a connection no window says that it is live', async () => {
  proxy.blackHole();
  proxy.cut();
  for (const page of windows) await page.getByText(/^Reconnecting, data from/).waitFor();
  proxy.heal();
  proxy.cut();
  for (const page of windows) await isLive(page);
  await waitFor('one stream', ELECTED_MS_MAX, async () => (await openStreams()) === 1);
  await change();
});

t.test('a window that is shown again goes on where it was', async (t) => {
  const leader = await waitFor('one window leads', ELECTED_MS_MAX, leading);
  const hidden = windows.find((page) => page !== leader) as Page;
  await show(hidden, false);
  await setPaused();
  const asked: string[] = [];
  hidden.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await show(hidden, true);
  await isLive(hidden);
  await pausedRow(hidden).waitFor({ state: isPaused ? 'visible' : 'hidden' });
  t.notOk(asked.includes('/v1/auth/me'), 'what did not change is not read again');
});

t.test('a window that begins while the clock of the machine is set back shows changes, and loses no time', async () => {
  const { page, close } = await visitor(browser);
  await page.context().addInitScript(withClockThatIsSetBack);
  await logIn(page, at, '/monitors');
  await isLive(page);
  await page.evaluate('setClockBack()');
  proxy.blackHole();
  await page.getByText(/^Reconnecting, data from/).waitFor();
  proxy.heal();
  proxy.cut();
  await isLive(page);
  await close();
});

t.test('after a log-in in another tab, which ends the former session, all windows go on', async () => {
  const { email, password } = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
  for (const page of windows) await page.evaluate('indicated.length = 0');
  const other = await (windows[0] as Page).context().newPage();
  await other.goto(`${at.url}/login`);
  await other.getByLabel('E-mail address').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await isLive(other);
  await other.close();
  for (const page of windows)
    await waitFor('the end of the stream', 30_000, async () => (await page.evaluate<number>('indicated.length')) > 0);
  for (const page of windows) await isLive(page);
  await waitFor('one stream', ELECTED_MS_MAX, async () => (await openStreams()) === 1);
  await change();
});

async function nextWindow(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${at.url}/monitors`);
  await isLive(page);
  await page.getByText('Shop', { exact: true }).waitFor();
  return page;
}

async function setPaused(): Promise<void> {
  await plane.api('POST', `/v1/monitors/${shop.id}/${isPaused ? 'resume' : 'pause'}`);
  isPaused = !isPaused;
}

/** Pauses or resumes the monitor. Resolves when all windows show it. */
async function change(): Promise<void> {
  await setPaused();
  const state = isPaused ? 'visible' : 'hidden';
  await Promise.all(windows.map((page) => pausedRow(page).waitFor({ state })));
}

async function openStreams(): Promise<number> {
  const { body } = await plane.api('GET', '/metrics');
  return Number(/^picket_event_streams_open (\d+)$/m.exec(String(body))?.[1]);
}

/** Keeps what the indicator says but "Live" and what it says on a busy machine: that a read takes long. */
function recordIndicator(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { document, MutationObserver, window } = globalThis as any;
  window.indicated = [];
  const whileOpen = /^(?:Live|Waiting for an answer|Updating, .*)$/;
  new MutationObserver(() => {
    const said = document.querySelector('.live')?.textContent;
    if (said !== undefined && !whileOpen.test(said)) window.indicated.push(said);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Lets a test set the clock of the machine back by an hour. The first time is when the window looks for a leader. */
function withClockThatIsSetBack(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { localStorage, location, window } = globalThis as any;
  // Otherwise the window knows that there is no leader to wait for.
  localStorage.setItem(`picket events 1 ${location.origin}/`, 'led');
  let isSeeking = false;
  window.setClockBack = () => {
    const former = Date.now;
    Date.now = () => former() - 3_600_000;
  };
  window.BroadcastChannel = class extends window.BroadcastChannel {
    constructor(name: string) {
      super(name);
      if (isSeeking || !name.startsWith('picket events')) return;
      isSeeking = true;
      window.setClockBack();
    }
  };
}
