import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { makeHideable, show } from '../../helpers/dashboard/hide.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { startClock, stopClock, withStoppableClock } from '../../helpers/dashboard/page-clock.js';
import { withoutPeriodicReads } from '../../helpers/dashboard/page-timers.js';
import { startOnPlainHttp } from '../../helpers/dashboard/plain-http-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { deadlineMs } from '../../helpers/deadline.js';
import { recordedChanges } from '../../helpers/live/record-changes.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { waitFor } from '../../helpers/wait.js';

/** Longer than a stream may be silent. */
const SILENCE_MS = 15_000;
const TABS = 7;
/** The server is in time again after some seconds, and the page tries what failed every 15 s. */
const HEALED_MS_MAX = 60_000;

const mongo = await testDatabase();
const database = await tcpProxy(Number(new URL(mongo.uri).port));
t.teardown(() => database.close());
const { plane, browser, proxy, at } = await startOnPlainHttp(t, {
  mongo,
  databaseUri: throughProxy(mongo.uri, database.port),
});
const shop = (await plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' })).body.data;
const setPaused = (verb: 'pause' | 'resume') => plane.api('POST', `/v1/monitors/${shop.id}/${verb}`);
const isLive = (page: Page, timeoutMs?: number) =>
  page
    .locator('.live')
    .getByText('Live', { exact: true })
    .waitFor(timeoutMs === undefined ? {} : { timeout: deadlineMs(timeoutMs) });

t.test('what one person changes, another one sees by an event', async (t) => {
  const [anna, bob] = [await visitor(browser), await visitor(browser)];
  await withoutPeriodicReads(bob.page.context());
  await logIn(anna.page, at, `/monitors/${shop.id}`);
  await logIn(bob.page, at, '/monitors?status=paused');
  await isLive(bob.page);
  t.equal(await bob.page.getByText('Shop', { exact: true }).count(), 0);
  const answered = anna.page.waitForResponse((response) => response.url().endsWith('/pause'));
  await anna.page.getByRole('button', { name: 'Pause', exact: true }).click();
  await answered;
  await bob.page.getByText('Shop', { exact: true }).first().waitFor();
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

t.test('what is in doubt after a failed action is said anew when the connection is back', async (t) => {
  const { page, close } = await visitor(browser);
  await logIn(page, at, '/settings/channels/new');
  await isLive(page);
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill('Night shift');
  await page.getByLabel('URL').fill('https://hooks.example/night');
  await page.route('**/v1/channels', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Add channel', exact: true }).click();
  await page.getByText(/^Picket did not answer, so this is probably not done\./).waitFor();
  proxy.blackHole();
  proxy.cut();
  await page.getByText(/^Reconnecting, data from/).waitFor();
  t.equal(await page.getByText(/^Picket answers again now/).count(), 0);
  proxy.heal();
  proxy.cut();
  await isLive(page);
  await page.getByText(/^Picket answers again now\./).waitFor();
  await page.getByText(/^Picket did not answer/).waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
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

t.test('while the control plane cannot read events, the page does not say that it is live', async (t) => {
  const { page, close } = await visitor(browser);
  await page.addInitScript(endableStream);
  await withStoppableClock(page.context());
  await logIn(page, at, '/monitors');
  await isLive(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // No silence of the stream is long enough then to count as a loss.
  await stopClock(page);
  database.blackHole();
  await page.getByText(/^Reconnecting, data from/).waitFor();
  await waitFor('that the stream says so', 30_000, () => page.evaluate<boolean>('streamed.includes("event: behind")'));
  t.notOk(asked.includes('/v1/events'), 'it is open all the time');
  await startClock(page);
  database.heal();
  database.cut();
  await isLive(page, HEALED_MS_MAX);
  await close();
});

t.test('seven tabs work without http/2: hidden ones have no stream, and go on where they were', async (t) => {
  await setPaused('resume');
  const { page: first, close } = await visitor(browser);
  const context = first.context();
  await makeHideable(context);
  await logIn(first, at, '/monitors');
  await isLive(first);
  t.equal(await first.evaluate('isSecureContext || navigator.locks !== undefined'), false, 'it is plain http');
  const tabs = [first];
  while (tabs.length < TABS) {
    await show(tabs.at(-1), false);
    tabs.push(await nextTab(context));
  }
  await waitFor('one stream', 30_000, async () => (await openStreams()) === 1);
  for (const tab of tabs) await comesTo(t, () => tab.getByText('Shop', { exact: true }).count(), 1);
  await show(tabs.at(-1), false);
  await waitFor('no stream', 30_000, async () => (await openStreams()) === 0);
  await setPaused('pause');
  const resumed = first.waitForRequest((request) => request.url().includes('/v1/events?last_event_id='));
  await show(first, true);
  await resumed;
  await isLive(first);
  await first.getByText('paused').first().waitFor();
  await close();
});

/** Opens the list of monitors. Resolves, once it has read everything, to the paths that it asks for from then on. */
async function askedByQuietList(page: Page): Promise<string[]> {
  await withoutPeriodicReads(page.context());
  // The bars are read shortly after the rows: the last that the page reads by itself.
  const bars = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/monitors/history');
  await logIn(page, at, '/monitors');
  await isLive(page);
  await bars;
  await page.evaluate(recordIndicator);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

t.test('a burst of changes causes few reads', async (t) => {
  await setPaused('resume');
  const { page, complaints, close } = await visitor(browser);
  const asked = await askedByQuietList(page);
  const { body } = await plane.api('GET', '/v1/auth/me');
  const changes = recordedChanges(mongo);
  const startedMs = Date.now();
  for (let burst = 0; burst < 5; burst++) {
    const names = Array.from({ length: 100 }, (_, index) => `burst-${burst}-${index}`);
    await changes.allDown(body.data.workspace.id, names);
  }
  await setPaused('pause');
  await page.getByText('paused').first().waitFor();
  const reads = asked.filter((path) => path === '/v1/monitors/summary').length;
  // A second must pass between two of them, so a slow machine has more time and not fewer reads.
  const seconds = (Date.now() - startedMs) / 1_000;
  t.ok(reads > 0 && reads <= seconds + 1, `${reads} reads of the list in ${seconds.toFixed(1)} s`);
  t.same(complaints, []);
  await close();
});

t.test('a stream whose hour is over is continued at once, and nothing is read again', async (t) => {
  await setPaused('resume');
  const { page, complaints, close } = await visitor(browser);
  await page.addInitScript(endableStream);
  const asked = await askedByQuietList(page);
  const resumed = page.waitForRequest((request) => request.url().includes('/v1/events?last_event_id='));
  await page.evaluate('endStream()');
  await resumed;
  await isLive(page);
  t.same(asked, ['/v1/events']);
  await setPaused('pause');
  await page.getByText('paused').first().waitFor();
  t.notMatch(await page.evaluate('indicated.join()'), /Reconnecting/);
  t.same(complaints, []);
  await close();
});

t.test('when late events have arrived, nothing is read again that they do not concern', async (t) => {
  await setPaused('resume');
  const { page, complaints, close } = await visitor(browser);
  await page.addInitScript(endableStream);
  const asked = await askedByQuietList(page);
  await page.evaluate('sendFrame("event: behind\\ndata: {}\\n\\n")');
  await waitFor('that the page says so', 30_000, () => page.evaluate('indicated.join().includes("Reconnecting")'));
  await page.evaluate('sendFrame(": heartbeat\\n\\n")');
  await isLive(page);
  t.same(asked, []);
  await setPaused('pause');
  await page.getByText('paused').first().waitFor();
  t.same(complaints, []);
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

/** Keeps the text of the page at the moment at which it says that it is live. */
function recordWhatIsShownWhenLive(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { document, MutationObserver, window } = globalThis as any;
  const indicator = document.querySelector('.live');
  new MutationObserver(() => {
    if (indicator.textContent === 'Live') window.shownWhenLive ??= document.querySelector('main').textContent;
  }).observe(indicator, { subtree: true, childList: true, characterData: true });
}

/** Lets a test read what the stream of events said, write to it, and end it as the server does after an hour. */
function endableStream(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { window, TextDecoder, TextEncoder, TransformStream, Response } = globalThis as any;
  const original = window.fetch;
  window.streamed = '';
  window.fetch = async (url: string, options: unknown) => {
    const response = await original(url, options);
    if (!url.includes('/v1/events') || !response.ok) return response;
    const frame = 'event: end\ndata: {"reason":"expired","reconnect":true}\n\n';
    // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
    const start = (controller: any) => {
      window.sendFrame = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      window.endStream = () => {
        window.sendFrame(frame);
        controller.terminate();
      };
    };
    // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
    const transform = (chunk: any, controller: any) => {
      window.streamed += new TextDecoder().decode(chunk);
      controller.enqueue(chunk);
    };
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(new TransformStream({ start, transform })), { status, headers });
  };
}

/** Keeps everything that the indicator says. */
function recordIndicator(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { document, MutationObserver, window } = globalThis as any;
  const indicator = document.querySelector('.live');
  window.indicated = [];
  new MutationObserver(() => window.indicated.push(indicator.textContent)).observe(indicator, {
    ...{ subtree: true, childList: true, characterData: true },
  });
}
