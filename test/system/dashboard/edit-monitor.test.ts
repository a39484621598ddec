import t from 'tap';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildSession, buildWorkspace } from '../../helpers/factories.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { storePerson } from '../../helpers/team/people.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const SECRET = 'Bearer very-secret';
const LONG = 'W'.repeat(200);

t.test('editing a monitor', async (t) => {
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
    ...{ name: 'Shop', type: 'http', url: 'https://ana:pass@shop.example/', interval_seconds: 60 },
    ...{ tags: ['eu', 'prod'], http: { headers: { authorization: SECRET }, body: 'ping', method: 'POST' } },
  });
  const id: string = created.data.id;
  const read = async () => (await api('GET', `/v1/monitors/${id}`)).body.data;
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
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const open = async () => {
    await page.goto(`${plane.url}/monitors/${id}/edit`);
    await field('Name').waitFor();
  };

  await t.test('secrets are not shown, and stay when they are not touched', async (t) => {
    await page.goto(`${plane.url}/monitors/${id}`);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await field('Name').waitFor();
    t.equal(await field('Address').inputValue(), 'https://***@shop.example/');
    t.equal(await field('Value of header 1').inputValue(), '');
    t.notMatch(await page.content(), /very-secret|ana:pass/);
    await examined('edit-monitor');
    t.ok(await button('Save').isDisabled(), 'nothing is changed');
    await field('Address').fill('https://***@shop.example/health');
    await button('Add a header').click();
    await field('Name of header 2').fill('accept');
    await field('Value of header 2').fill('text/html');
    await field('Check every').selectOption('300');
    await field('Singapore (sin)').uncheck();
    await field('Every channel of the workspace').uncheck();
    await see('Nobody is notified.');
    await field('Runbook').fill('https://wiki.example/shop');
    await button('Save').click();
    await page.waitForURL(`${plane.url}/monitors/${id}`);
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
    await see(/must be <= 599|at most 599/);
    t.equal(await field('Name').inputValue(), LONG);
    t.equal(await field('Expected status').inputValue(), '999');
    await field('Name').fill(' ');
    await button('Save').click();
    await see('Enter a name.');
    await examined('edit-monitor-errors');
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
    t.equal(await field('Name').inputValue(), 'My shop', 'what was typed stays');
    t.equal(await field('Timeout in milliseconds').inputValue(), '5000');
    t.equal(await field('Check every').inputValue(), '300', 'what was not touched follows the other person');
    t.equal((await read()).name, 'Their shop', 'nothing is overwritten before the choice');
    await examined('edit-monitor-conflict');
    const choice = (label: string) => page.getByRole('group', { name: new RegExp(`^${label}`) });
    await choice('Tags')
      .getByLabel(/Keep as it was/)
      .check();
    await choice('Name')
      .getByLabel(/Take theirs/)
      .check();
    t.equal(await field('Name').inputValue(), 'Their shop');
    await choice('Name')
      .getByLabel(/Keep mine/)
      .check();
    t.equal(await field('Name').inputValue(), 'My shop', 'what was typed comes back');
    await button('Save').click();
    await page.waitForURL(`${plane.url}/monitors/${id}`);
    const { name, interval_seconds, timeout_ms, tags } = await read();
    t.same([name, interval_seconds, timeout_ms, tags], ['My shop', 300, 5_000, ['eu', 'prod']]);
  });

  await t.test('a change is not taken back over a later one', async (t) => {
    await page.goto(`${plane.url}/monitors/${id}/edit`);
    await field('Name').fill('Shop 2');
    await button('Save').click();
    await see('Saved Shop 2');
    await api('PATCH', `/v1/monitors/${id}`, { name: 'Shop 3' });
    await button('Undo').click();
    await see('My shop was not changed back: somebody else has changed it since.');
    t.equal((await read()).name, 'Shop 3');
  });

  await t.test('another kind of check has other settings', async (t) => {
    await open();
    await field('Type of check').selectOption('tcp');
    await field('Address').fill('shop.example:443');
    t.equal(await page.getByText('The request', { exact: true }).count(), 0);
    await button('Save').click();
    await see('Saved Shop 3');
    t.same((await read()).http, null);
    await button('Undo').click();
    await see('Shop 3 has its earlier settings again');
    t.same((await read()).http.headers, { authorization: SECRET });
  });

  await t.test('a viewer cannot edit', async (t) => {
    const viewer = await signedIn((await storePerson(mongo, workspace.id, 'viewer')).cookie);
    await viewer.page.goto(`${plane.url}/monitors/${id}/edit`);
    await viewer.page.getByText('Your role may not change monitors.').waitFor();
    t.equal(await viewer.page.getByRole('textbox').count(), 0);
    await viewer.close();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});
