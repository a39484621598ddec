import type { Page } from 'playwright-core';
import t from 'tap';
import { buildCertificate, buildPast } from '../../helpers/dashboard/monitor-history.js';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildSession, buildWorkspace } from '../../helpers/factories.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const HOSTILE = `<img src=x onerror="alert('hostile')">`;
/** How long a chart of 30 days may take after its answer, with the processor slowed four times. */
const DRAWN_MS_MAX = 300;
const SLOWED = 4;
const HEARD_MS_MAX = 10_000;

t.test('the page of a monitor', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await plane.remove();
    await mongo.drop();
  });
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const api = (method: string, path: string, body?: unknown) =>
    plane.api(method, path, body, { authorization: `Bearer ${key}` });
  const { body: created } = await api('POST', '/v1/monitors', {
    ...{ name: 'Shop', type: 'http', url: 'https://shop.example/', interval_seconds: 300, locations: LOCATIONS },
  });
  const id: string = created.data.id;
  const outages = [
    { agoMs: 5 * 24 * HOUR_MS, lastedMs: 40 * MINUTE_MS, locations: LOCATIONS },
    { agoMs: 3 * 24 * HOUR_MS, lastedMs: 30 * MINUTE_MS, locations: ['fra', 'nyc', 'sin'] },
    { agoMs: 8 * HOUR_MS, lastedMs: 60 * MINUTE_MS, locations: ['fra', 'nyc', 'sin'] },
  ];
  await buildPast(mongo, {
    ...{ workspaceId: workspace.id, monitorId: id, locations: LOCATIONS, intervalMs: 5 * MINUTE_MS, outages },
    ...{ rawDays: 6, days: 90, unobservedDaysAgo: 40 },
  });
  const signedIn = async (cookie: string) => {
    const guest = await visitor(browser);
    const [name = '', value = ''] = cookie.split('=');
    await guest.page.context().addCookies([{ name, value, url: plane.url }]);
    return guest;
  };
  const { page, complaints, examine } = await signedIn((await buildSession(mongo, workspace)).cookie);
  const violations: string[] = [];
  const examined = async (name: string) => {
    violations.push(...(await examine(name)));
    t.notOk(await overflowsPhone(page), `${name} fits a phone`);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const chart = page.getByRole('application', { name: /Response time by location/ });

  await t.test('the chart has a line for each location, reads by keyboard, and has a table', async (t) => {
    await page.goto(`${plane.url}/monitors/${id}`);
    await page.locator('.chart canvas').waitFor();
    const rows = page.getByRole('region', { name: 'Legend of Response time by location' }).getByRole('row');
    await rows.nth(5).waitFor();
    t.equal(await rows.count(), 6, 'the legend has the head and five locations');
    await chart.focus();
    await page.keyboard.press('End');
    const spoken = page.locator('.chart [role=status]');
    await spoken.getByText(/Frankfurt \d+ ms/).waitFor();
    const last = await spoken.textContent();
    await page.keyboard.press('ArrowLeft');
    const said = () => spoken.textContent();
    await waitFor('another value', HEARD_MS_MAX, async () => (await said()) !== last);
    await page.locator('.chart').getByRole('button', { name: 'Show as table' }).click();
    await page.locator('.chart-values').getByRole('row').nth(20).waitFor();
    await see(/Incident: connection refused/);
    await examined('monitor-day');
  });

  await t.test('ranges and selected times are in the URL', async (t) => {
    await page.getByText('30 d', { exact: true }).click();
    await page.waitForURL(/range=30d/);
    await see(/Averages of one hour/);
    const box = await page.locator('.chart .u-over').boundingBox();
    if (box === null) throw new Error('no chart');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+/);
    const search = new URL(page.url()).searchParams;
    const hours = (Number(search.get('to')) - Number(search.get('from'))) / HOUR_MS;
    t.ok(hours > 120 && hours < 170, `a fifth of 30 days is ${hours} hours`);
    await page.reload();
    await button('Show the whole range').click();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    t.match(page.url(), /range=30d/, 'the range stays');
    t.equal(await button('Show the whole range').count(), 0);
  });

  await t.test('a chart of 30 days is drawn soon after its answer', async (t) => {
    await page.goto(`${plane.url}/monitors/${id}`);
    await page.locator('.chart canvas').waitFor();
    const ms = await drawnAfterMs(page, () => page.getByText('30 d', { exact: true }).click());
    t.ok(ms < DRAWN_MS_MAX, `${ms.toFixed(0)} ms`);
    t.comment(`30 days of five locations: drawn ${ms.toFixed(0)} ms after the answer`);
  });

  await t.test('every day has its uptime and how much of it was observed', async () => {
    await see(/days? without an outage, [34] days with one, 1 day not observed/);
    await page.locator('.days').getByRole('button', { name: 'Show as table' }).click();
    await page
      .getByRole('row', { name: /9\d\.\d\d % 100 %/ })
      .first()
      .waitFor();
  });

  await t.test('a backtest answers while its sliders move, and its settings can be used', async (t) => {
    await button('Try other settings').click();
    await see('With 3 confirmations, 1 retry and a check every 5 min you would have had 3 of these 3 alerts.');
    await page.getByLabel('Locations that must agree').fill('5');
    await see('With 5 confirmations, 1 retry and a check every 5 min you would have had 1 of these 3 alerts.');
    t.equal(await page.locator('.backtest-dropped').count(), 2);
    await examined('monitor-backtest');
    await button('Use these settings').click();
    await see('Changed when Shop alerts');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.confirmations, 5);
    await button('Undo').click();
    await see('Shop has its earlier settings again');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.confirmations, null);
  });

  await t.test('pausing shows at once, and is taken back', async (t) => {
    await button('Pause').click();
    await see(/^Paused since/);
    await see('Paused Shop');
    await button('Undo').click();
    await see('Resumed Shop');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.status, 'up');
    await button('Check now').click();
    await see('Checking from 5 locations.');
  });

  await t.test('a hostile name is text; certificate and older results are there', async () => {
    await buildCertificate(mongo, id);
    await api('PATCH', `/v1/monitors/${id}`, { name: HOSTILE });
    await page.goto(`${plane.url}/monitors/${id}`);
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByText('61 days left').waitFor();
    await see('first byte');
    await examined('monitor-hostile');
    await button('Show older results').click();
    await page.locator('table').getByRole('row').nth(40).waitFor();
  });

  await t.test('a viewer sees the same, and no buttons that change', async (t) => {
    const { cookie } = await storePerson(mongo, workspace.id, 'viewer');
    const viewer = await signedIn(cookie);
    await viewer.page.goto(`${plane.url}/monitors/${id}`);
    await viewer.page.locator('.chart canvas').waitFor();
    for (const name of ['Edit', 'Pause', 'Delete', 'Check now']) {
      t.equal(await viewer.page.getByText(name, { exact: true }).count(), 0, name);
    }
    await viewer.page.getByRole('button', { name: 'Try other settings' }).click();
    await viewer.page.getByText(/you would have had 3 of these 3 alerts/).waitFor();
    t.equal(await viewer.page.getByRole('button', { name: 'Use these settings' }).count(), 0);
    await viewer.close();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing, so the policy of the pages was kept');
});

/** Resolves to the time between the answer with the series and the last line of the chart, on a slow processor. */
async function drawnAfterMs(page: Page, show: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(`(() => {
    globalThis.lastStrokeMs = 0;
    performance.clearResourceTimings();
    const { stroke } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.stroke = function (...path) {
      stroke.apply(this, path);
      if (path.length > 0) globalThis.lastStrokeMs = performance.now();
    };
  })()`);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await show();
  const answers = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('metrics=response'))`;
  const isDrawn = () => page.evaluate(`${answers}[0]?.responseEnd < globalThis.lastStrokeMs`) as Promise<boolean>;
  await waitFor('the chart', HEARD_MS_MAX, isDrawn);
  const ms = await page.evaluate(`globalThis.lastStrokeMs - ${answers}[0].responseEnd`);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return Number(ms);
}
