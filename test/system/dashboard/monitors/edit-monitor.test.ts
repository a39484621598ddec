import type { Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startMonitorInBrowser } from '../../../helpers/dashboard/monitor-in-browser.js';

const SECRET = 'Bearer very-secret';
const LONG = 'W'.repeat(200);

t.test('editing a monitor', async (t) => {
  const { world, id, pageUrl, page, complaints, see, button, examined, violations } = await startMonitorInBrowser(t, {
    ...{ name: 'Shop', type: 'http', url: 'https://ana:pass@shop.example/', interval_seconds: 60 },
    ...{ tags: ['eu', 'prod'], http: { headers: { authorization: SECRET }, body: 'ping', method: 'POST' } },
  });
  const { api } = world.plane;
  const read = async () => (await api('GET', `/v1/monitors/${id}`)).body.data;
  const field = (label: string) => page.getByLabel(label, { exact: true });
  /** Waits for a message that the person sees without scrolling. */
  const isInView = async (t: Test, text: string) => {
    const message = page.getByRole('alert').filter({ hasText: text });
    await message.waitFor();
    const height = page.viewportSize()?.height ?? 0;
    const isSeen = async () => {
      const box = await message.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };
    await comesTo(t, isSeen, true, `${text} is in view`);
  };
  const open = async () => {
    await page.goto(`${pageUrl}/edit`);
    await field('Name').waitFor();
  };

  await t.test('secrets are not shown, and stay when they are not touched', async (t) => {
    await page.goto(pageUrl);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await field('Name').waitFor();
    await comesTo(t, () => field('Address').inputValue(), 'https://***@shop.example/');
    await comesTo(t, () => field('Value of header 1').inputValue(), '');
    t.notMatch(await page.content(), /very-secret|ana:pass/);
    await examined('edit-monitor');
    await comesTo(t, () => button('Save').isDisabled(), true, 'nothing is changed');
    await field('Address').fill('https://***@shop.example/health');
    await button('Add header').click();
    await field('Name of header 2').fill('accept');
    await field('Value of header 2').fill('text/html');
    await field('Interval').selectOption('300');
    await field('Singapore (sin)').uncheck();
    await field('Every channel of the workspace').uncheck();
    await see('Nobody is notified.');
    await field('Runbook').fill('https://wiki.example/shop');
    await button('Save').click();
    await page.waitForURL(pageUrl);
    await see('Saved Shop');
    const { url, http, interval_seconds, locations, channels, runbook_url, tags } = await read();
    t.equal(url, 'https://ana:pass@shop.example/health');
    t.same(http.headers, { authorization: SECRET, accept: 'text/html' });
    t.equal(http.body, 'ping');
    t.same([interval_seconds, channels, runbook_url, tags], [300, [], 'https://wiki.example/shop', ['eu', 'prod']]);
    t.notOk(locations.includes('sin'));
  });

  await t.test('saving is taken back from where it was done', async (t) => {
    await button('Undo').click();
    await see('Shop has its earlier settings again');
    const { url, http, interval_seconds, channels, runbook_url } = await read();
    t.equal(url, 'https://ana:pass@shop.example/');
    t.same(http.headers, { authorization: SECRET });
    t.same([interval_seconds, channels, runbook_url], [60, null, null]);
  });

  await t.test('an error is at its field, and what was typed stays', async (t) => {
    await open();
    await field('Name').fill(LONG);
    await field('Expected status').fill('999');
    await field('Runbook').fill('wiki');
    await button('Save').click();
    await see('Enter at most 599.');
    t.equal(await field('Name').inputValue(), LONG);
    t.equal(await field('Expected status').inputValue(), '999');
    await field('Name').fill(' ');
    await button('Save').click();
    await see('Enter a name.');
    await examined('edit-monitor-errors');
  });

  await t.test('what became of saving is where the button is', async (t) => {
    await open();
    await field('Name').fill('Shop 1');
    const unavailable = { status: 503, contentType: 'application/json', body: '{"code": "unavailable"}' };
    const isPatch = (route: Route) => route.request().method() === 'PATCH';
    await page.route('**/v1/monitors/*', (route) => (isPatch(route) ? route.fulfill(unavailable) : route.continue()));
    await button('Save').click();
    await isInView(t, 'Picket cannot reach its database right now, so this is probably not done.');
    await examined('edit-monitor-unavailable');
    await page.unrouteAll({ behavior: 'wait' });
    await field('Name').fill(' ');
    await button('Save').click();
    await isInView(t, '1 field needs a correction.');
    await field('Name').and(page.locator(':focus')).waitFor();
  });

  await t.test('two people edit the same monitor', async (t) => {
    await open();
    await field('Name').fill('My shop');
    await field('Timeout in milliseconds').fill('5000');
    const { status } = await api('PATCH', `/v1/monitors/${id}`, {
      ...{ name: 'Their shop', interval_seconds: 300, tags: ['prod'] },
    });
    t.equal(status, 200);
    await button('Save').click();
    await see('Somebody else changed this meanwhile');
    // The change above was made with the key of the owner.
    await page
      .getByRole('alert')
      .getByText(/\S+ made the last change .*\d\d:\d\d\. Nothing of yours is lost\./)
      .waitFor();
    t.equal(await field('Name').inputValue(), 'My shop', 'what was typed stays');
    t.equal(await field('Timeout in milliseconds').inputValue(), '5000');
    const interval = () => field('Interval').inputValue();
    await comesTo(t, interval, '300', 'what was not touched follows the other person');
    t.equal((await read()).name, 'Their shop', 'nothing is overwritten before the choice');
    await examined('edit-monitor-conflict');
    const choice = (label: string) => page.getByRole('group', { name: new RegExp(`^${label}`) });
    await choice('Tags')
      .getByLabel(/Keep as it was/)
      .check();
    await choice('Name')
      .getByLabel(/Take theirs/)
      .check();
    await comesTo(t, () => field('Name').inputValue(), 'Their shop');
    await choice('Name')
      .getByLabel(/Keep mine/)
      .check();
    await comesTo(t, () => field('Name').inputValue(), 'My shop', 'what was typed comes back');
    await button('Save').click();
    await page.waitForURL(pageUrl);
    const { name, interval_seconds, timeout_ms, tags } = await read();
    t.same([name, interval_seconds, timeout_ms, tags], ['My shop', 300, 5_000, ['eu', 'prod']]);
  });

  await t.test('what somebody else changes beside the form is no conflict', async (t) => {
    await open();
    await field('Timeout in milliseconds').fill('6000');
    const { status } = await api('POST', `/v1/monitors/${id}/pause`);
    t.equal(status, 200);
    await button('Save').click();
    await see('Saved My shop');
    await page.waitForURL(pageUrl);
    const { timeout_ms, status: now, name } = await read();
    t.same([timeout_ms, now, name], [6_000, 'paused', 'My shop']);
    await api('POST', `/v1/monitors/${id}/resume`);
  });

  await t.test('a change is not taken back over a later one', async (t) => {
    await page.goto(`${pageUrl}/edit`);
    await field('Name').fill('Shop 2');
    await button('Save').click();
    await see('Saved Shop 2');
    await api('PATCH', `/v1/monitors/${id}`, { name: 'Shop 3' });
    await button('Undo').click();
    await see('My shop was not changed back: somebody else has changed it since.');
    t.equal((await read()).name, 'Shop 3');
  });

  for (const [answer, text] of [
    [
      { status: 503, json: { code: 'unavailable' } },
      /^Shop 3 may not have been changed back: Picket could not confirm it\./,
    ],
    [{ status: 429, json: { code: 'rate_limited' } }, /^Shop 3 was not changed back\. Nothing was changed: /],
  ] as const) {
    await t.test(`a change that is not taken back because of ${answer.status} says what is known`, async () => {
      await open();
      await field('Name').fill('Shop 4');
      await button('Save').click();
      await see('Saved Shop 4');
      await page.route('**/v1/monitors/*', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill(answer) : route.continue(),
      );
      await button('Undo').click();
      await see(text);
      await page.unrouteAll({ behavior: 'wait' });
      await api('PATCH', `/v1/monitors/${id}`, { name: 'Shop 3' });
    });
  }

  await t.test('another kind of check has other settings', async (t) => {
    await open();
    await field('Type of check').selectOption('tcp');
    await field('Address').fill('shop.example:443');
    await comesTo(t, () => page.getByText('The request', { exact: true }).count(), 0);
    await button('Save').click();
    await see('Saved Shop 3');
    t.same((await read()).http, null);
    await button('Undo').click();
    await see('Shop 3 has its earlier settings again');
    t.same((await read()).http.headers, { authorization: SECRET });
  });

  await t.test('a viewer cannot edit', async (t) => {
    const viewer = await world.openAs('viewer');
    await viewer.page.goto(`${pageUrl}/edit`);
    await viewer.page.getByText('Your role may not change monitors.').waitFor();
    t.equal(await viewer.page.getByRole('textbox').count(), 0);
    await viewer.close();
  });

  await t.test('a monitor that somebody deletes says so, and what was typed stays', async (t) => {
    await open();
    await field('Name').fill('My shop');
    const body = { operation: 'delete', ids: [id] };
    const { status } = await api('POST', '/v1/monitors/bulk', body);
    t.equal(status, 202);
    // It is seen before anything is saved.
    await isInView(t, 'Somebody deleted this monitor, so nothing can be saved.');
    t.equal(await field('Name').inputValue(), 'My shop');
    await examined('edit-monitor-deleted');
    const refused = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await button('Save').click();
    await refused;
    await isInView(t, 'Somebody deleted this monitor, so nothing can be saved.');
    await page.getByRole('link', { name: 'See whether it can be restored' }).click();
    await page.waitForURL(/\/monitors\/changes$/);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});
