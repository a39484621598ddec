// Measures the pages of a workspace with 10,000 monitors in Chromium, with the processor slowed down four times, and what
// the list of all monitors costs the control plane.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/dashboard.ts
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Agent } from 'undici';
import { logIn } from '../../test/helpers/dashboard/log-in.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startChromium } from '../../test/helpers/machine/chromium.js';
import { fillHistory } from '../../test/helpers/monitors/fill-history.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { createMonitors } from '../fixtures/fleet.js';

import { countBytes, measureItself, paintedMs, scrollMs, slowDown, typeMs } from '../fixtures/page-timing.js';
import { cpuSeconds } from '../fixtures/processes.js';
import { benchSetting } from '../fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 10_000);
const SLOWER = benchSetting('SLOWER', 4);
const SUMMARY_READS = 20;
const SCROLL_MS = 5_000;
const WHEEL_PX = 400;
const LOADS = 3;
const SETTLE_MS = 2_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
const browser = await startChromium();
try {
  await createMonitors(plane, MONITORS, { url: (index) => `https://bench.example/${index}`, intervalSeconds: 60 });
  await fillHistory(mongo.db, Date.now());
  await serverFigures();
  const cookies = await session();
  await coldOverview(cookies);
  await listFigures(cookies);
} finally {
  await browser.close();
  await plane.remove();
  await mongo.drop();
}

async function serverFigures(): Promise<void> {
  const agent = new Agent();
  const read = async (path: string) => {
    const { body } = await agent.request({
      ...{ origin: plane.url, path, method: 'GET' },
      headers: { authorization: `Bearer ${plane.apiKey}`, 'accept-encoding': 'gzip' },
    });
    return (await body.arrayBuffer()).byteLength;
  };
  await read('/v1/monitors/summary');
  const measured = async (name: string, path: string, before: () => Promise<unknown>) => {
    const cpu: number[] = [];
    const wall: number[] = [];
    let bytes = 0;
    for (let count = 0; count < SUMMARY_READS; count++) {
      await before();
      const [cpuBefore, startedMs] = [await cpuSeconds(plane.pid), performance.now()];
      bytes = await read(path);
      wall.push(performance.now() - startedMs);
      cpu.push(((await cpuSeconds(plane.pid)) - cpuBefore) * 1_000);
    }
    printFigure({
      ...{ name, value: cpu.reduce((sum, ms) => sum + ms, 0) / cpu.length, unit: 'ms', limit: 100, atMost: true },
      ...{ monitors: MONITORS, wall_p50_ms: round(percentile(wall, 0.5)) },
    });
    return bytes;
  };
  const { data } = (await plane.api('GET', '/v1/monitors?limit=1')).body;
  const unchanged = async () => undefined;
  await measured('dashboard: CPU of GET /v1/monitors/totals', '/v1/monitors/totals', unchanged);
  await measured('dashboard: CPU of GET /v1/monitors/summary', '/v1/monitors/summary', unchanged);
  const bytes = await measured(
    'dashboard: CPU of GET /v1/monitors/summary after a change',
    '/v1/monitors/summary',
    () =>
      plane
        .api('POST', `/v1/monitors/${data[0].id}/pause`)
        .then(() => plane.api('POST', `/v1/monitors/${data[0].id}/resume`)),
  );
  printFigure({
    ...{ name: 'dashboard: GET /v1/monitors/summary compressed', value: bytes / 1_000, unit: 'kB' },
    ...{ limit: 1_000, atMost: true },
  });
  await agent.close();
}

async function session() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await logIn(page, plane);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Opens a page in a new window, so that nothing is cached. */
async function inNewWindow(
  cookies: Awaited<ReturnType<typeof session>>,
  work: (page: Page, bytes: () => number) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en-GB' });
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await measureItself(page);
  await slowDown(page, SLOWER);
  await work(page, await countBytes(page));
  await context.close();
}

async function coldOverview(cookies: Awaited<ReturnType<typeof session>>): Promise<void> {
  const painted: number[] = [];
  let bytes = 0;
  for (let load = 0; load < LOADS; load++) {
    await inNewWindow(cookies, async (page, received) => {
      await page.goto(`${plane.url}/`);
      await page.getByRole('heading', { name: 'Broken now' }).waitFor();
      // The stream of events never ends, so the network is never idle.
      await sleep(SETTLE_MS);
      painted.push(await paintedMs(page));
      bytes = received();
    });
  }
  printFigure({
    ...{ name: 'dashboard: largest contentful paint of the overview, cold', value: percentile(painted, 0.5) },
    ...{ unit: 'ms', limit: 1_500, atMost: true, monitors: MONITORS, cpu_slower: SLOWER },
  });
  printFigure({
    name: 'dashboard: bytes of the first page',
    value: bytes / 1_000,
    unit: 'kB',
    limit: 350,
    atMost: true,
  });
}

async function listFigures(cookies: Awaited<ReturnType<typeof session>>): Promise<void> {
  await inNewWindow(cookies, async (page) => {
    await page.goto(`${plane.url}/monitors`);
    const startedMs = performance.now();
    await page.locator('.monitor-row').first().waitFor();
    const listedMs = performance.now() - startedMs;
    await sleep(SETTLE_MS);
    const common = { monitors: MONITORS, cpu_slower: SLOWER };
    const frames = await scrollMs(page, WHEEL_PX, SCROLL_MS);
    printFigure({
      ...{ name: 'dashboard: longest frame while the list scrolls', value: Math.max(...frames), unit: 'ms' },
      ...{ limit: 50, atMost: true, p99_ms: round(percentile(frames, 0.99)), frames: frames.length, ...common },
    });
    await page.getByLabel('Filter by name or address').click();
    const count = page
      .getByRole('status')
      .getByText(/monitors?$/)
      .first();
    const keys = await typeMs(page, 'bench 98', () => count.textContent());
    if (keys.length === 0) throw new Error('no key changed the rows');
    await page
      .getByRole('status')
      .getByText(`${expected('bench 98')} monitors`, { exact: true })
      .waitFor();
    printFigure({
      ...{ name: 'dashboard: filter, from the key to the rows', value: Math.max(...keys), unit: 'ms' },
      ...{ limit: 50, atMost: true, p50_ms: round(percentile(keys, 0.5)), keys: keys.length, ...common },
      list_shown_ms: round(listedMs),
    });
  });
}

/** How many of the monitors have a name with this part. */
function expected(part: string): number {
  return Array.from({ length: MONITORS }, (_, index) => `bench ${index}`).filter((name) => name.includes(part)).length;
}
