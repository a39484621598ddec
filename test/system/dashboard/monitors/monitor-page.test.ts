import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { buildCertificate, buildPast } from '../../../helpers/dashboard/monitor-history.js';
import { startMonitorInBrowser } from '../../../helpers/dashboard/monitor-in-browser.js';
import { withoutPeriodicReads } from '../../../helpers/dashboard/page-timers.js';
import { buildDomain } from '../../../helpers/domain-expiry/monitor-domain.js';
import { waitFor } from '../../../helpers/wait.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const HOSTILE = `<img src=x onerror="alert('hostile')">`;
const HEARD_MS_MAX = 30_000;

t.test('the page of a monitor', async (t) => {
  const { world, id, pageUrl, page, complaints, see, button, examined, violations } = await startMonitorInBrowser(t, {
    ...{ name: 'Shop', type: 'http', url: 'https://shop.example/', interval_seconds: 300, locations: LOCATIONS },
  });
  const { mongo, workspaceId } = world;
  await withoutPeriodicReads(page.context());
  const { api } = world.plane;
  /** At noon, so that each is within one day. */
  const noonMs = (daysAgo: number) => daysAgo * DAY_MS + (Date.now() % DAY_MS) - DAY_MS / 2;
  const outages = [
    { agoMs: noonMs(5), lastedMs: 40 * MINUTE_MS, locations: LOCATIONS },
    { agoMs: noonMs(3), lastedMs: 30 * MINUTE_MS, locations: ['fra', 'nyc', 'sin'] },
    { agoMs: 8 * HOUR_MS, lastedMs: 60 * MINUTE_MS, locations: ['fra', 'nyc', 'sin'] },
  ];
  await buildPast(mongo, {
    ...{ workspaceId, monitorId: id, locations: LOCATIONS, intervalMs: 5 * MINUTE_MS, outages },
    ...{ rawDays: 6, days: 90, unobservedDaysAgo: 40 },
  });
  const chart = page.getByRole('application', { name: /Response time by location/ });

  await t.test('the chart has a line for each location, reads by keyboard, and has a table', async (t) => {
    await page.goto(`${pageUrl}?range=24h`);
    await page.locator('.chart canvas').waitFor();
    const rows = page.getByRole('region', { name: 'Legend of Response time by location' }).getByRole('row');
    await comesTo(t, () => rows.count(), 6, 'the legend has the head and five locations');
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
    await comesTo(t, () => button('Show the whole range').count(), 0);
  });

  await t.test('on a phone, names of locations stay words, and results are in the order of their times', async (t) => {
    await page.goto(`${pageUrl}?range=24h`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('.chart-line bdi').nth(4).waitFor();
    const broken = `[...document.querySelectorAll('.chart-line bdi')]
      .filter((name) => name.getClientRects().length > name.textContent.split(' ').length)
      .map((name) => name.textContent)`;
    await comesTo(t, () => page.evaluate(broken), []);
    const atCursor = page.locator('.chart-legend .chart-at').first();
    await comesTo(t, () => atCursor.isVisible(), false, 'nothing is at a cursor');
    await page.setViewportSize({ width: 1_280, height: 800 });
    const rows = page.getByRole('region', { name: 'Latest results' }).locator('tbody tr');
    await rows.nth(10).waitFor();
    const shown = rows.locator('time');
    const times = await shown.evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'dateTime'))));
    t.same(times, [...times].sort().reverse());
  });

  await t.test('every day has its uptime and how much of it was observed', async (t) => {
    await see(/days? without an outage, [34] days with one, 1 day not observed/);
    const bars = page.getByRole('application', { name: /days? without an outage/ });
    await bars.focus();
    await page.keyboard.press('End');
    const heard = page.locator('.days [role=status]');
    const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format();
    await heard.getByText(today).waitFor();
    const isHeard = async () => /not observed/.test((await heard.textContent()) ?? '');
    for (let days = 0; days < 90 && !(await isHeard()); days++) await page.keyboard.press('ArrowLeft');
    t.ok(await isHeard(), 'the day that was not observed');
    await page.locator('.days').getByRole('button', { name: 'Show as table' }).click();
    await page
      .getByRole('row', { name: /9\d\.\d\d % 100 %/ })
      .first()
      .waitFor();
    await button('Observed').focus();
    await page.getByRole('tooltip').getByText('the time for which Picket has results of checks').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    // As in Safari, which gives the focus to what is around a button that is pressed.
    await page.evaluate("document.querySelector('main').focus()");
    await page.evaluate("addEventListener('mousedown', (event) => event.preventDefault(), { once: true })");
    await button('Observed').click();
    await page.getByRole('tooltip').waitFor();
    await page.locator('.days-foot').click({ position: { x: 1, y: 1 } });
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  });

  await t.test('a backtest answers while its sliders move, and its settings can be used', async (t) => {
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Backtest' }).click();
    await page.waitForURL(/#backtest$/);
    t.match(page.url(), /range=/, 'the chart keeps its range');
    await page.locator('#backtest:focus').waitFor();
    const isInWindow = async () => {
      const top = (await page.getByRole('heading', { name: 'Backtest other settings' }).boundingBox())?.y ?? -1;
      return top >= 0 && top < 800;
    };
    await comesTo(t, isInWindow, true, 'it is in the window');
    await see('With 3 confirmations, 1 retry and a check every 5 min you would have had 3 of these 3 incidents.');
    await comesTo(t, () => button('Use these settings').count(), 0);
    await page.getByLabel('Confirmations').fill('5');
    await see('With 5 confirmations, 1 retry and a check every 5 min you would have had 1 of these 3 incidents.');
    await comesTo(t, () => page.locator('.backtest-dropped').count(), 2);
    const offers = () => button('Use these settings').count();
    await comesTo(t, offers, 1, 'it is offered for other settings than those in use');
    const links = page.getByRole('navigation', { name: 'On this page' });
    await links.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(/#settings$/);
    const tried = () => page.getByLabel('Confirmations').inputValue();
    await comesTo(t, tried, '5', 'a look at the settings keeps what is tried');
    await links.getByRole('link', { name: 'Backtest' }).click();
    await page.waitForURL(/#backtest$/);
    await examined('monitor-backtest');
    await button('Use these settings').click();
    await see('Changed when Shop alerts');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.confirmations, 5);
    await button('Undo').click();
    await see('Shop has its earlier settings again');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.confirmations, null);
  });

  await t.test('a refused backtest is not repeated, and says why', async (t) => {
    let asked = 0;
    await page.route('**/backtest', (route) => {
      asked += 1;
      const problem = { status: 422, code: 'validation_failed', detail: 'Choose a shorter time.' };
      return route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await page.getByLabel('Replayed time').selectOption('14');
    await see('Choose a shorter time.');
    t.equal(asked, 1);
    await comesTo(t, () => page.getByText(/you would have had/).count(), 0, 'what was there was of another time');
    await page.unrouteAll({ behavior: 'wait' });
    await button('Try again').click();
    await see(/you would have had 1 of these 3 incidents/);
  });

  await t.test('pausing shows at once, and is taken back', async (t) => {
    await button('Pause').click();
    await see(/^Paused since/);
    await see('Paused Shop');
    await button('Undo').click();
    await see('Resumed Shop');
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.status, 'up');
    let reads = 0;
    page.on('request', (request) => {
      if (/\/results\?/.test(request.url())) reads += 1;
    });
    await button('Check now').click();
    await see('Checking from 5 locations.');
    // The page reads nothing as often as usual.
    await waitFor('results that are read sooner than usual', HEARD_MS_MAX, async () => reads >= 3);
  });

  await t.test('what became of a way back that got no answer is said, and read again', async (t) => {
    const paused = page.waitForResponse((response) => response.url().endsWith('/pause'));
    await button('Pause').click();
    await paused;
    await see(/^Paused since/);
    await page.route('**/resume', async (route) => {
      // It is done, but the page does not hear of it.
      await route.fetch();
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{"code": "unavailable"}' });
    });
    const toast = page.locator('.toast').filter({ hasText: 'Paused Shop' }).last();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await see(/^Picket cannot reach its database right now, so this is probably not done\./);
    await page.getByText(/^Paused since/).waitFor({ state: 'detached' });
    t.equal((await api('GET', `/v1/monitors/${id}`)).body.data.status, 'up');
    await page.unrouteAll({ behavior: 'wait' });
  });

  await t.test('whoever left while a monitor was deleted hears whether that is known', async (t) => {
    let release = () => {};
    const left = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/monitors/bulk', async (route) => {
      await left;
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{"code": "unavailable"}' });
    });
    const asked = page.waitForRequest(/\/v1\/monitors\/bulk/);
    await button('Delete').click();
    await asked;
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Servers/ })
      .first()
      .click();
    // A page that is only hidden while the next one loads still counts as open.
    await page.locator('h1', { hasText: 'Shop' }).waitFor({ state: 'detached' });
    release();
    await see(/^Shop may not have been deleted\. Picket cannot reach its database right now/);
    await page.unrouteAll({ behavior: 'wait' });
    t.equal((await api('GET', `/v1/monitors/${id}`)).status, 200);
  });

  await t.test('a hostile name is text; certificate, domain and older results are there', async () => {
    await buildCertificate(mongo, id);
    await buildDomain(mongo, { workspaceId, monitorId: id, registrar: HOSTILE });
    await api('PATCH', `/v1/monitors/${id}`, { name: HOSTILE });
    await page.goto(pageUrl);
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByText('61 days left').waitFor();
    await page.getByText('12 days left').waitFor();
    await page.locator('.panel').getByText(HOSTILE).waitFor();
    await see('first byte');
    await examined('monitor-hostile');
    await button('Show older results').click();
    await page.locator('table').getByRole('row').nth(40).waitFor();
    // The registry has not answered for five days.
    const since = { 'registration.status': 'unreachable', 'registration.checked_at_ms': Date.now() - 5 * 86_400_000 };
    await mongo.db.collection('monitored_domains').updateOne({ workspace_id: workspaceId }, { $set: since });
    await page.reload();
    await page.getByText(/12 days left.*, as of /).waitFor();
  });

  await t.test('a viewer sees the same, and no buttons that change', async (t) => {
    const viewer = await world.openAs('viewer');
    await viewer.page.goto(pageUrl);
    await viewer.page.locator('.chart canvas').waitFor();
    for (const name of ['Edit', 'Pause', 'Delete', 'Check now']) {
      t.equal(await viewer.page.getByText(name, { exact: true }).count(), 0, name);
    }
    await viewer.page.getByRole('button', { name: 'Try other settings' }).click();
    await viewer.page.getByText(/you would have had 3 of these 3 incidents/).waitFor();
    t.equal(await viewer.page.getByRole('button', { name: 'Use these settings' }).count(), 0);
    await viewer.close();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing, so the policy of the pages was kept');
});
