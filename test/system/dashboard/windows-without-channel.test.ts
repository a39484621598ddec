import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { makeHideable, show } from '../../helpers/dashboard/hide.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { withoutDeadlines, withoutPeriodicReads } from '../../helpers/dashboard/page-timers.js';
import { startOnPlainHttp } from '../../helpers/dashboard/plain-http-in-browser.js';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { waitFor } from '../../helpers/wait.js';

/** More than the connections that a browser has to one server. */
const WINDOWS = 8;
const POLLED = { 'en-GB': 'Updated every 10 s', 'de-DE': 'Alle 10 s aktualisiert' };

const { plane, browser, proxy, at } = await startOnPlainHttp(t);
const shop = (await plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' })).body.data;
const setPaused = (verb: 'pause' | 'resume') => plane.api('POST', `/v1/monitors/${shop.id}/${verb}`);
const pausedRow = (page: Page) => page.locator('.monitor-rows').getByText('paused').first();
const isPolled = (page: Page) => page.locator('.live').getByText(POLLED['en-GB'], { exact: true }).waitFor();

t.test('more visible windows than connections show a change, and none says that it is live', async (t) => {
  const anna = await visitorWithoutChannel();
  await logIn(anna.page, at, '/monitors');
  await isPolled(anna.page);
  const windows = [anna.page];
  while (windows.length < WINDOWS) windows.push(await nextWindow(anna.page.context()));
  await waitFor('no open stream', 30_000, async () => (await openStreams()) === 0);
  await setPaused('pause');
  for (const page of windows) await pausedRow(page).waitFor();
  for (const page of windows) {
    // On a busy machine, a read of so many windows can wait for its answer.
    await isPolled(page);
    t.notOk((await page.evaluate<string[]>('indicated')).includes('Live'));
  }
  t.notOk(await overflowsPhone(anna.page));
  t.same(await anna.examine('windows-without-channel'), []);
  t.same(anna.complaints, []);
  await anna.close();
});

t.test('what did not change is not read again', async (t) => {
  await setPaused('resume');
  const { page, close } = await visitorWithoutChannel();
  await withoutPeriodicReads(page.context());
  // The page would take an answer that is late for a loss of the connection, and read everything.
  await withoutDeadlines(page.context());
  await logIn(page, at, '/monitors');
  await isPolled(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.waitForRequest((request) => request.url().includes('/v1/events?last_event_id='));
  await page.waitForRequest((request) => request.url().includes('/v1/events?last_event_id='));
  t.notOk(asked.includes('/v1/auth/me'), asked.join());
  await close();
});

t.test('without a connection a window says so, and goes on when it is back', async () => {
  const { page, close } = await visitorWithoutChannel();
  await logIn(page, at, '/monitors');
  await isPolled(page);
  proxy.blackHole();
  proxy.cut();
  await page.getByText(/^Reconnecting, data from/).waitFor();
  await setPaused('pause');
  proxy.heal();
  proxy.cut();
  await isPolled(page);
  await pausedRow(page).waitFor();
  await close();
});

t.test('a hidden window does not ask', async (t) => {
  const { page, close } = await visitorWithoutChannel();
  await page.clock.install();
  await logIn(page, at, '/monitors');
  await isPolled(page);
  await show(page, false);
  await waitFor('no open stream', 30_000, async () => (await openStreams()) === 0);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.runFor(60_000);
  t.notOk(asked.includes('/v1/events'));
  await show(page, true);
  await isPolled(page);
  await close();
});

t.test('windows follow a log-out, also in German', async (t) => {
  const { page, complaints, close } = await visitorWithoutChannel('de-DE');
  await logIn(page, at, '/incidents');
  await page.locator('.live').getByText(POLLED['de-DE'], { exact: true }).waitFor();
  t.notOk(await overflowsPhone(page));
  const other = await page.context().newPage();
  await other.goto(`${at.url}/`);
  await other.getByRole('button', { name: /^Konto/ }).click();
  await other.getByRole('button', { name: 'Abmelden', exact: true }).click();
  await page.waitForURL(/\/login\?next=%2Fincidents/);
  t.same(complaints, []);
  await close();
});

async function visitorWithoutChannel(language?: string) {
  const somebody = await visitor(browser, language === undefined ? {} : { language });
  await makeHideable(somebody.page.context());
  await somebody.page.context().addInitScript(withoutChannel);
  return somebody;
}

async function nextWindow(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${at.url}/monitors`);
  await isPolled(page);
  await page.getByText('Shop', { exact: true }).waitFor();
  return page;
}

async function openStreams(): Promise<number> {
  const { body } = await plane.api('GET', '/metrics');
  return Number(/^picket_event_streams_open (\d+)$/m.exec(String(body))?.[1]);
}

/** Takes the channel away, and keeps everything that the indicator says. */
function withoutChannel(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { document, MutationObserver, window } = globalThis as any;
  delete window.BroadcastChannel;
  window.indicated = [];
  new MutationObserver(() => {
    const said = document.querySelector('.live')?.textContent;
    if (said !== undefined) window.indicated.push(said);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
