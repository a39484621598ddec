// Measures how much the memory of open pages grows while as many changes arrive as in two hours: two a second, as many as
// a workspace with 10,000 monitors has in a bad hour, but faster.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/memory.ts
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { logIn } from '../../test/helpers/dashboard/log-in.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startChromium } from '../../test/helpers/machine/chromium.js';
import { fillHistory } from '../../test/helpers/monitors/fill-history.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { printFigure, round } from '../fixtures/figures.js';
import { createMonitors } from '../fixtures/fleet.js';
import { benchSetting } from '../fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 10_000);
const CHANGES = benchSetting('CHANGES', 14_400);
const PER_SECOND = benchSetting('CHANGES_PER_SECOND', 20);
/** Caches fill at first: growth counts from this part of the changes on. */
const WARM = 0.2;
const GROWTH_MIB_MAX = 10;
const SETTLE_MS = 5_000;
const MIB = 1_048_576;
const CHANGED = 200;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
const browser = await startChromium();
try {
  await createMonitors(plane, MONITORS, { url: (index) => `https://bench.example/${index}`, intervalSeconds: 60 });
  await fillHistory(mongo.db, Date.now());
  const { data } = (await plane.api('GET', `/v1/monitors?limit=${CHANGED}`)).body;
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  const pages = await openPages(['/', '/monitors', `/monitors/${ids[0]}`]);
  await change(ids, CHANGES * WARM);
  const before = await Promise.all(pages.map(heapOf));
  await change(ids, CHANGES * (1 - WARM));
  const after = await Promise.all(pages.map(heapOf));
  for (const [index, { path }] of pages.entries()) {
    const [from = 0, to = 0] = [before[index], after[index]];
    printFigure({
      ...{ name: `memory: growth of ${path.replace(/mon_.*/, '{id}')}`, value: (to - from) / MIB, unit: 'MiB' },
      ...{ limit: GROWTH_MIB_MAX, atMost: true, at_the_end: round(to / MIB), changes: CHANGES * (1 - WARM) },
    });
  }
} finally {
  await browser.close();
  await plane.remove();
  await mongo.drop();
}

interface OpenPage {
  path: string;
  page: Page;
  devTools: CDPSession;
}

async function openPages(paths: readonly string[]): Promise<OpenPage[]> {
  const context = await browser.newContext();
  await logIn(await context.newPage(), plane);
  const pages: OpenPage[] = [];
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(plane.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    pages.push({ path, page, devTools: await context.newCDPSession(page) });
  }
  return pages;
}

/** Resolves to the bytes of the page's heap that are in use, after its rubbish was collected. */
async function heapOf({ devTools }: OpenPage): Promise<number> {
  await sleep(SETTLE_MS);
  await devTools.send('HeapProfiler.collectGarbage');
  return (await devTools.send('Runtime.getHeapUsage')).usedSize;
}

/** Makes changes of monitors, one after the other, at the rate of the benchmark. */
async function change(ids: readonly string[], count: number): Promise<void> {
  const startedMs = performance.now();
  for (let index = 0; index < count; index++) {
    const path = `/v1/monitors/${ids[index % ids.length]}`;
    const isEdit = index % 2 === 0;
    const action = Math.floor(index / ids.length) % 2 === 0 ? 'pause' : 'resume';
    const { status } = isEdit
      ? await plane.api('PATCH', path, { name: `bench ${index}` })
      : await plane.api('POST', `${path}/${action}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const aheadMs = ((index + 1) * 1_000) / PER_SECOND - (performance.now() - startedMs);
    if (aheadMs > 0) await sleep(aheadMs);
  }
}
