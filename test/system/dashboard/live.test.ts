import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { makeHideable, show } from '../../helpers/dashboard/hide.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { startOnPlainHttp } from '../../helpers/dashboard/plain-http-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { recordedChanges } from '../../helpers/live/record-changes.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { waitFor } from '../../helpers/wait.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const SEEN_MS_MAX = 2_000;
/** Longer than a stream may be silent. */
const SILENCE_MS = 15_000;
const TABS = 7;
/** The server notices after 5 s that its events are late. A silent stream would count as lost after 12 s. */
const BEHIND_MS_MAX = 11_000;
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
const isLive = (page: Page, timeout?: number) =>
  page
    .locator('.live')
    .getByText('Live', { exact: true })
    .waitFor(timeout === undefined ? {} : { timeout });

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
  t.equal(await page.getByText(/^Picket did not answer/).count(), 0);
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
  await logIn(page, at, '/monitors');
  await isLive(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  database.blackHole();
  await page.getByText(/^Reconnecting, data from/).waitFor({ timeout: BEHIND_MS_MAX });
  t.notOk(asked.includes('/v1/events'), 'the stream says so, which is open all the time');
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

/** Opens the list of monitors. Resolves, once it has read everything, to the paths that it asks for from then on. */
async function askedByQuietList(page: Page): Promise<string[]> {
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
  const startedMs = performance.now();
  for (let burst = 0; burst < 5; burst++) {
    const names = Array.from({ length: 100 }, (_, index) => `burst-${burst}-${index}`);
    await changes.allDown(body.data.workspace.id, names);
  }
  await setPaused('pause');
  await page.getByText('paused').first().waitFor();
  const seconds = (performance.now() - startedMs) / 1_000;
  const reads = asked.filter((path) => path === '/v1/monitors/summary').length;
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
  await waitFor('that the page says so', 10_000, () => page.evaluate('indicated.join().includes("Reconnecting")'));
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

/** Lets a test write to the stream of events, and end it as the server does after an hour. */
function endableStream(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { window, TextEncoder, TransformStream, Response } = globalThis as any;
  const original = window.fetch;
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
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(new TransformStream({ start })), { status, headers });
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
