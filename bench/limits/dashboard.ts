import type { BrowserContext, Page } from 'playwright-core';
import { logIn } from '../../test/helpers/dashboard/log-in.js';
import { type OnPlainHttp, startOnPlainHttp } from '../../test/helpers/dashboard/plain-http-in-browser.js';
import { visitor } from '../../test/helpers/dashboard/visitor.js';
import type { Limit } from './limit.js';

/** A change shows in other browsers within two seconds (docs/dashboard.md). */
const SEEN_MS_MAX = 2_000;
const CHANGES = 5;
/** One more than the connections of a browser to a server without HTTP/2. */
const WINDOWS = 7;

/** From the answer to a change until the page of somebody else shows it. */
export const changeInAnotherBrowser: Limit = {
  ...{ name: 'dashboard: a change in another browser, worst of 5', unit: 'ms', atMost: SEEN_MS_MAX },
  measure: () => worstMs(1),
};

/** The same for windows that share one stream of events. */
export const changeInSevenWindows: Limit = {
  ...{ name: 'dashboard: a change in all of 7 windows without HTTP/2, worst of 5', unit: 'ms', atMost: SEEN_MS_MAX },
  measure: () => worstMs(WINDOWS),
};

async function worstMs(windows: number): Promise<number> {
  const ends: (() => unknown)[] = [];
  const teardown = (end: () => unknown) => void ends.unshift(end);
  try {
    const world = await startOnPlainHttp({ teardown });
    const created = await world.plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' });
    const pages = await openWindows(world, windows);
    const tookMs: number[] = [];
    while (tookMs.length < CHANGES) {
      const isPaused = tookMs.length % 2 === 0;
      await world.plane.api('POST', `/v1/monitors/${created.body.data.id}/${isPaused ? 'pause' : 'resume'}`);
      const changedMs = performance.now();
      const state = isPaused ? 'visible' : 'hidden';
      await Promise.all(pages.map((page) => pausedRow(page).waitFor({ state })));
      tookMs.push(performance.now() - changedMs);
    }
    return Math.max(...tookMs);
  } finally {
    for (const end of ends) await end();
  }
}

const pausedRow = (page: Page) => page.locator('.monitor-rows').getByText('paused').first();
const isLive = (page: Page) => page.locator('.live').getByText('Live', { exact: true }).waitFor();

async function openWindows({ browser, at }: OnPlainHttp, count: number): Promise<Page[]> {
  const { page } = await visitor(browser);
  await logIn(page, at, '/monitors');
  await isLive(page);
  const pages = [page];
  while (pages.length < count) pages.push(await nextWindow(page.context(), `${at.url}/monitors`));
  return pages;
}

async function nextWindow(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await isLive(page);
  return page;
}
