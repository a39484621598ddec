import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { examinedVisitor } from '../../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../../helpers/dashboard/visitor.js';
import { storePerson } from '../../../helpers/team/people.js';

const HOSTILE = `<img src=x onerror="alert('hostile')">`;
const LINES = 60;

t.test('many monitors are pasted, edited and deleted, and all of it is undone', async (t) => {
  const { mongo, plane, browser, owner } = await startPlaneInBrowser(t);
  const { page, complaints, see, examined, violations } = await examinedVisitor(browser);
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
    await page.getByRole('link', { name: 'Show the monitors' }).waitFor();
    await page.locator('.toast').getByText('Undo deletes them again.').waitFor();
    t.equal((await monitors()).length, LINES);
  });

  await t.test('the undo of an addition deletes, and asks before it does', async (t) => {
    await page.goto(`${plane.url}/monitors`);
    await page.getByRole('link', { name: 'History of changes' }).click();
    await press('Undo');
    await page.getByRole('dialog', { name: 'Delete 60 monitors?' }).getByText('Nothing brings it back.').waitFor();
    await examined('bulk-undo-addition');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    t.equal((await monitors()).length, LINES);
  });

  await t.test('the difference is shown before it is applied, and the toast takes it back', async (t) => {
    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Edit…');
    const edit = page.getByRole('dialog', { name: 'Edit 60 monitors', exact: true });
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await edit.waitFor({ state: 'detached' });
    const focused = () => page.evaluate('document.activeElement.textContent');
    await comesTo(t, focused, 'Edit…', 'the focus is where it was');
    await press('Edit…');
    await press('Show the changes');
    await see('Set at least one of these.');
    await page.getByLabel('Locations', { exact: true }).first().selectOption({ label: 'Only these…' });
    // The locations can arrive late, and move the button while it is pressed.
    await page.getByLabel('Frankfurt (fra)').waitFor();
    await press('Show the changes');
    await see('Choose at least one location.');
    await page.getByLabel('Locations', { exact: true }).first().selectOption({ label: 'Leave as it is' });
    await page.getByLabel('Interval').selectOption({ label: '5 min' });
    await page.getByLabel('Confirmations').selectOption({ label: '2' });
    await page.getByLabel('Channels').first().selectOption({ label: 'Only these…' });
    await see('Nobody is notified.');
    await examined('bulk-edit');
    await press('Show the changes');
    await see('60 monitors: interval 1 min → 5 min');
    await see('60 monitors: channels all → none');
    await see(/These monitors had no incidents in the last 7 days/);
    await examined('bulk-preview');
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 60));
    await press('Change 60 monitors');
    await page.locator('.toast').getByText('60 monitors changed.').waitFor();
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 300));
    // The dialog has done what it is for.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await comesTo(t, () => page.getByRole('button', { name: 'Undo' }).count(), 1, 'there is one way back');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await see('Undone: 60 monitors are as they were.');
    t.ok((await monitors()).every((one: { interval_seconds: number }) => one.interval_seconds === 60));
  });

  await t.test('deleted monitors come back from the list of changes, and conflicts are a choice', async (t) => {
    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Tag…');
    await page.getByRole('dialog', { name: 'Tag 60 monitors', exact: true }).waitFor();
    await page.getByLabel('Tags, separated by commas').fill('shop, web');
    await press('Show the changes');
    await see('Tags do not change which incidents there are.');
    await press('Tag 60 monitors');
    await page.locator('.toast').getByText('60 monitors tagged.').waitFor();
    const [{ id }] = await monitors();
    await plane.api('PATCH', `/v1/monitors/${id}`, { name: 'Changed since' });
    await page.goto(`${plane.url}/monitors/changes`);
    await see('60 monitors tagged.');
    await examined('bulk-changes');
    await press('Undo');
    await see('Some of these monitors have changed since');
    await examined('bulk-conflict');
    await press('Undo the others');
    await see('Undone: 59 monitors are as they were.');
    await see('1 monitor was not restored.');
    await press('Show which, and why');
    await see(/: Somebody has changed this since\./);
    await examined('bulk-left-out');

    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Delete…');
    await see('60 monitors will be deleted. Their open incidents are resolved.');
    await press('Delete 60 monitors');
    // The list is empty then, and the page shows how to begin.
    await page.locator('.toast').getByText('60 monitors deleted.').waitFor();
    t.equal((await monitors()).length, 0);
    // The way back is also where no monitor is left.
    await page.getByLabel('Address', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'History of changes' }).last().click();
    await press('Undo');
    await page.locator('.toast').getByText('Undone: 60 monitors are as they were.').waitFor();
    t.equal((await monitors()).length, LINES);
  });

  await t.test('what only some monitors have is changed in these, and tags are replaced', async (t) => {
    const web = { name: 'Web', type: 'http', url: 'https://127.0.0.1:9/', tags: ['old'] };
    const { body: created } = await plane.api('POST', '/v1/monitors', web);
    await page.goto(`${plane.url}/monitors`);
    await selectAll();
    await press('Edit…');
    await page.getByText('HTTP requests').click();
    await page.getByLabel('Expected status').first().selectOption({ label: 'Set to…' });
    const status = page.getByRole('textbox', { name: 'Expected status' });
    await status.fill('20');
    await press('Show the changes');
    await see('Enter a status from 100 to 599.');
    await status.fill('204');
    await page.getByLabel('Response must contain').selectOption({ label: 'none' });
    await examined('bulk-edit-request');
    await press('Show the changes');
    await see('60 monitors cannot be changed like this');
    await examined('bulk-refused');
    await press('Back');
    await comesTo(t, () => status.inputValue(), '204', 'what was chosen is kept');
    await press('Show the changes');
    await press('Leave these out, and change only 1 monitor');
    await page.getByRole('dialog', { name: 'Edit 1 monitor', exact: true }).waitFor();
    await see('1 monitor: expected status 200 → 204');
    await press('Change 1 monitor');
    await page.locator('.toast').getByText('Web changed.').waitFor();
    const now = async () => (await plane.api('GET', `/v1/monitors/${created.data.id}`)).body.data;
    t.match(await now(), { tags: ['old'], http: { expected_status: 204, keyword: null } });

    await page.goto(`${plane.url}/monitors?q=Web`);
    await selectAll();
    await press('Tag…');
    await page.getByLabel('Replace all tags with these').check();
    await page.getByRole('group', { name: 'In use:' }).getByRole('button', { name: 'old', exact: true }).click();
    const tags = () => page.getByLabel('Tags, separated by commas').inputValue();
    await comesTo(t, tags, 'old', 'tags in use need no typing');
    await page.getByLabel('Tags, separated by commas').fill('new');
    await press('Show the changes');
    await see('1 monitor: tags old → new');
    await press('Change 1 monitor');
    await page.locator('.toast').getByText('Web changed.').last().waitFor();
    t.same((await now()).tags, ['new']);
    await plane.api('DELETE', `/v1/monitors/${created.data.id}`);
  });

  await t.test('a single monitor is deleted in its turn, and comes back with its history', async (t) => {
    const [{ id, name }] = await monitors();
    const jobs = mongo.db.collection<{ _id: string; operation: string }>('monitor_bulk_jobs');
    const { _id, ...earlier } = (await jobs.findOne({ operation: 'add' })) ?? { _id: '', operation: '' };
    // The change of another person, which cannot go on without its operation.
    const other = `${_id.slice(0, -4)}0000`;
    await jobs.insertOne({ ...earlier, _id: other, open: true, state: 'applying', sealed: null } as never);
    await page.goto(`${plane.url}/monitors/${id}`);
    await press('Delete');
    await see(`A bulk change of this workspace is being applied. Picket deletes ${name} when it has ended.`);
    await examined('delete-waits');
    t.equal((await monitors()).length, LINES);
    await jobs.deleteOne({ _id: other });
    await page.waitForURL(`${plane.url}/monitors`);
    await page.locator('.toast').getByText(`${name} deleted.`).waitFor();
    t.equal((await plane.api('GET', `/v1/monitors/${id}`)).status, 404);
    await page.goto(`${plane.url}/monitors/changes`);
    await see(`${name} deleted.`);
    await press('Undo');
    await page.locator('.toast').getByText(`Undone: ${name} is as it was.`).waitFor();
    t.equal((await plane.api('GET', `/v1/monitors/${id}`)).status, 200);

    await jobs.updateOne({ _id }, {
      $set: { has_items: true, monitors: 100_000, finished_at_ms: Date.now() },
    } as never);
    await page.goto(`${plane.url}/monitors/${id}`);
    await press('Delete');
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
    await examined('delete-for-good');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${plane.url}/monitors`);
    t.equal((await plane.api('GET', `/v1/monitors/${id}`)).status, 404);
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
    await press(/^Select (all|the monitor that)/);
  }
});
