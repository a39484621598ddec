import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { storePerson } from '../../helpers/team/people.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const HOSTILE = `<img src=x onerror="alert('hostile')">`;
const LINES = 60;

t.test('many monitors are pasted, edited and deleted, and all of it is undone', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await plane.remove();
    await mongo.drop();
  });
  const owner = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
  const { page, complaints, examine } = await visitor(browser);
  const violations: string[] = [];
  const examined = async (name: string) => {
    violations.push(...(await examine(name)));
    t.notOk(await overflowsPhone(page), `${name} fits a phone`);
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const monitors = async () => (await plane.api('GET', '/v1/monitors?limit=200')).body.data;

  await page.goto(`${plane.url}/login?next=/monitors/new/lines`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();

  await t.test('pasted lines show what will be added, and say what is wrong', async (t) => {
    const lines = Array.from({ length: LINES - 3 }, (_, n) => `Shop ${n}, 127.0.0.1:${1_000 + n}`);
    const names = [HOSTILE, 'W'.repeat(190), 'שרת ראשי של החנות'];
    const text = [...lines, ...names.map((name, n) => `${name}, 127.0.0.1:${9_000 + n}`)].join('\n');
    const field = page.getByLabel('Monitors', { exact: true });
    await field.fill(`${text}\nWrong, shop.example:99999`);
    await press('Show what will be added');
    await see(/Line 61: The port must be a number/);
    t.match(await field.inputValue(), /Wrong, shop/, 'what was typed is kept');
    await examined('bulk-paste');
    await field.fill(text);
    await press('Show what will be added');
    await see('60 monitors will be added.');
    await examined('bulk-paste-preview');
    await press('Add 60 monitors');
    await see('60 monitors added.');
    t.equal((await monitors()).length, LINES);
  });

  await t.test('the difference is shown before it is applied, and the toast takes it back', async (t) => {
    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Edit…');
    await press('Show the changes');
    await see('Set at least one of these.');
    await page.getByLabel('Check every').selectOption('300');
    await page.getByLabel('Locations that must agree').selectOption('2');
    await examined('bulk-edit');
    await press('Show the changes');
    await see('60 monitors: interval 1 min → 5 min');
    await see(/These monitors had no alerts in the last 7 days/);
    await examined('bulk-preview');
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 60));
    await press('Change 60 monitors');
    await page.locator('.toast').getByText('60 monitors changed.').waitFor();
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 300));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await see('Undone: 60 monitors are as they were.');
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 60));
  });

  await t.test('deleted monitors come back from the list of changes, and conflicts are a choice', async (t) => {
    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Tag…');
    await page.getByLabel('Tags, separated by commas').fill('shop, web');
    await press('Show the changes');
    await press('Tag 60 monitors');
    await page.getByRole('dialog').getByText('60 monitors tagged.').waitFor();
    const [{ id }] = await monitors();
    await plane.api('PATCH', `/v1/monitors/${id}`, { name: 'Changed since' });
    await page.goto(`${plane.url}/monitors/changes`);
    await see('60 monitors tagged.');
    await examined('bulk-changes');
    await press('Undo');
    await see('Some of these monitors have changed since');
    await examined('bulk-conflict');
    await press('Undo the others');
    await see('1 monitor not undone');

    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Delete…');
    await see('60 monitors will be deleted. Their open incidents are resolved.');
    await press('Delete 60 monitors');
    // The list is empty then, and the page shows how to begin.
    await page.locator('.toast').getByText('60 monitors deleted.').waitFor();
    t.equal((await monitors()).length, 0);
    await page.goto(`${plane.url}/monitors/changes`);
    await press('Undo');
    await see('Undone: 60 monitors are as they were.');
    t.equal((await monitors()).length, LINES);
  });

  await t.test('a viewer is not offered what they may not do', async (t) => {
    const workspace = await mongo.db.collection<{ _id: string }>('workspaces').findOne();
    const viewer = await storePerson(mongo, workspace?._id ?? '', 'viewer');
    const other = await visitor(browser);
    const [name = '', value = ''] = viewer.cookie.split('=');
    await other.page.context().addCookies([{ name, value, url: plane.url }]);
    await other.page.goto(`${plane.url}/monitors/changes`);
    await other.page.getByText('60 monitors deleted.').first().waitFor();
    t.equal(await other.page.getByRole('button', { name: 'Undo' }).count(), 0);
    await other.page.goto(`${plane.url}/monitors/new/lines`);
    await other.page.getByText('Your role may not add monitors.').waitFor();
    t.equal(await other.page.getByLabel('Monitors', { exact: true }).count(), 0);
    await other.close();
  });

  t.same(violations, []);
  t.same(complaints, []);

  async function selectAll(): Promise<void> {
    await press(/^Select all/);
  }
});
