// Measures how long a chart of 30 days with five locations takes after its answer, on a processor slowed down four times.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/chart.ts
import type { Page } from 'playwright-core';
import { logIn } from '../../test/helpers/dashboard/log-in.js';
import { buildPast } from '../../test/helpers/dashboard/monitor-history.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startChromium } from '../../test/helpers/machine/chromium.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { waitFor } from '../../test/helpers/wait.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { slowDown } from '../fixtures/page-timing.js';
import { benchSetting } from '../fixtures/settings.js';

const SLOWER = benchSetting('SLOWER', 4);
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const INTERVAL_S = 300;
const DRAWINGS = 5;
const DRAWN_MS_MAX = 300;
const WAIT_MS_MAX = 30_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
const browser = await startChromium();
try {
  const { body } = await plane.api('POST', '/v1/monitors', {
    ...{ name: 'Shop', type: 'http', url: 'https://shop.example/', interval_seconds: INTERVAL_S, locations: LOCATIONS },
  });
  const { workspace } = (await plane.api('GET', '/v1/auth/me')).body.data;
  await buildPast(mongo, {
    ...{ workspaceId: workspace.id, monitorId: body.data.id, locations: LOCATIONS, intervalMs: INTERVAL_S * 1_000 },
    ...{ outages: [], rawDays: 6, days: 90, unobservedDaysAgo: 40 },
  });
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  await logIn(page, plane);
  await slowDown(page, SLOWER);
  const times: number[] = [];
  for (let drawing = 0; drawing < DRAWINGS; drawing++) {
    await page.goto(`${plane.url}/monitors/${body.data.id}?range=24h`);
    await page.locator('.chart canvas').waitFor();
    times.push(await drawnAfterMs(page, () => page.getByText('30 d', { exact: true }).click()));
  }
  printFigure({
    ...{ name: 'chart: 30 days of five locations, after the answer', value: percentile(times, 0.5), unit: 'ms' },
    ...{ limit: DRAWN_MS_MAX, atMost: true, worst: round(Math.max(...times)), cpu_slower: SLOWER },
  });
} finally {
  await browser.close();
  await plane.remove();
  await mongo.drop();
}

/** Resolves to the time between the answer with the series and the last line of the chart. */
async function drawnAfterMs(page: Page, show: () => Promise<void>): Promise<number> {
  await page.evaluate(`(() => {
    globalThis.lastStrokeMs = 0;
    performance.clearResourceTimings();
    const { stroke } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.stroke = function (...path) {
      stroke.apply(this, path);
      if (path.length > 0) globalThis.lastStrokeMs = performance.now();
    };
  })()`);
  await show();
  const answers = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('metrics=response'))`;
  const isDrawn = () => page.evaluate(`${answers}[0]?.responseEnd < globalThis.lastStrokeMs`) as Promise<boolean>;
  await waitFor('the chart', WAIT_MS_MAX, isDrawn);
  return Number(await page.evaluate(`globalThis.lastStrokeMs - ${answers}[0].responseEnd`));
}
