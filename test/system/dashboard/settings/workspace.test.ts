import { readFile } from 'node:fs/promises';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { storeWorkspace } from '../../../helpers/team/people.js';

const HOSTILE = `<img src=x onerror="alert('hostile')">`;
const KUMA = {
  version: '1.23.16',
  monitorList: [
    { name: HOSTILE, type: 'http', url: 'https://shop.example.com/', interval: 60 },
    { name: 'Queue', type: 'mqtt', hostname: 'queue.example.com' },
  ],
};

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const violations: string[] = [];
const complaints: string[] = [];

t.test('the workspace is renamed', async () => {
  const ann = await world.openAsOwner({ confirmedAtMs: 1 });
  const { page, see, press, goto } = ann;
  await goto('/');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL(/\/settings\/workspace$/);
  await page.getByLabel('Name').fill(`Shop ${HOSTILE}`);
  await press('Save');
  await page.getByRole('dialog').getByLabel('Password').fill(world.owner.password);
  await press('Confirm');
  await page.getByRole('heading', { name: `Shop ${HOSTILE}` }).waitFor();
  await see('The settings are saved.');
  violations.push(...(await ann.examined('workspace')));
  complaints.push(...ann.complaints);
});

t.test('a backup of Uptime Kuma shows what it would do, is imported, and exported again', async (t) => {
  const ann = await world.openAs('member');
  const { page, see, press, goto } = ann;
  await goto('/settings/workspace');
  const file = page.getByLabel('File (JSON or YAML, at most 1 MiB)');
  await see('No file chosen');
  const choosing = page.waitForEvent('filechooser');
  await page.getByText('Choose file', { exact: true }).waitFor();
  await file.click();
  await choosing;
  const choose = (text: string) =>
    file.setInputFiles({ name: 'backup.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose('');
  await see('The file is empty. Choose another one.');
  await see('backup.json');
  await choose('{"neither": 1');
  await page.getByRole('alert').waitFor();
  await choose(JSON.stringify(KUMA));
  await see('This would create 1 monitor and change 0; 0 are the same already, 1 cannot be imported.');
  await see('not imported');
  t.equal((await world.plane.api('GET', '/v1/monitors')).body.data.length, 0, 'nothing is written yet');
  violations.push(...(await ann.examined('import')));
  await press('Import 1 monitor');
  await see('1 monitor created and 0 changed; 0 were the same already, 1 could not be imported.');
  t.match((await world.plane.api('GET', '/v1/monitors')).body.data, [{ name: HOSTILE }]);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download file' }).click();
  const exported = await readFile(await (await downloading).path(), 'utf8');
  t.match(exported, /shop\.example\.com/);
  await file.setInputFiles({ name: 'monitors.yaml', mimeType: 'application/yaml', buffer: Buffer.from(exported) });
  await see('This would create 0 monitors and change 0; 1 is the same already, 0 cannot be imported.');
  await comesTo(t, () => page.getByRole('button', { name: 'Import 0 monitors' }).isDisabled(), true);
  complaints.push(...ann.complaints);
});

t.test('a workspace is deleted and restored', async (t) => {
  const own = await storeWorkspace(world.mongo, { name: 'Side project' });
  const ann = await world.openAs('owner', own);
  const { page, see, press, goto } = ann;
  await goto('/settings/workspace');
  await press('Delete workspace');
  await page.getByLabel('Type the name of the workspace: Side project').fill('Another');
  await press('Delete workspace');
  await see('Enter the name of the workspace exactly.');
  await page.getByLabel('Type the name of the workspace: Side project').fill('Side project');
  violations.push(...(await ann.examined('workspace-delete')));
  await press('Delete workspace');
  await see(/^This workspace has stopped, and all its data will be deleted on/);
  await comesTo(t, () => page.getByRole('button', { name: 'Delete workspace' }).count(), 0);
  violations.push(...(await ann.examined('workspace-stopped')));
  await press('Restore workspace');
  await see('Side project works again.');
  await page.getByRole('button', { name: 'Delete workspace' }).waitFor();
  complaints.push(...ann.complaints);
});

t.test('a viewer exports and changes nothing', async (t) => {
  const { page, see, goto, complaints: heard } = await world.openAs('viewer');
  await goto('/settings/workspace');
  await see('Export monitors');
  for (const name of ['Save', 'Delete workspace', /^Import/]) {
    t.equal(await page.getByRole('button', { name }).count(), 0, String(name));
  }
  t.equal(await page.getByLabel('With passwords, header values and request bodies').count(), 0);
  complaints.push(...heard);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
