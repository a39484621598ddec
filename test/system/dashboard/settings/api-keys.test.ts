import type { Locator } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

const LONG_AGO_MS = 1;
const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const hasFocus = (element: Locator) =>
  element.evaluate((one) => Reflect.get(one, 'ownerDocument').activeElement === one);
const violations: string[] = [];
const complaints: string[] = [];

t.test('a key is created after a confirmation, works, is rotated and revoked', async (t) => {
  const ann = await world.openAsOwner({ confirmedAtMs: LONG_AGO_MS });
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/settings/api-keys');
  await page.getByRole('link', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Choose…').check();
  await page.getByRole('group', { name: 'Servers' }).getByLabel('Read').check();
  await page.getByRole('group', { name: 'Monitors' }).getByLabel('Change').check();
  await examined('api-key-new');
  await press('Create key');
  await see('Confirm that it is you');
  await examined('confirm-identity');
  await page.getByLabel('Password').fill('not the password');
  await press('Confirm');
  await see('The password is wrong.');
  const field = page.getByRole('dialog').getByLabel('Password');
  await comesTo(t, () => hasFocus(field), true, 'the focus is where something is wrong');
  await page.keyboard.press('Escape');
  await see('You did not confirm that it is you. Nothing was changed.');
  await comesTo(t, () => page.getByLabel('Name').inputValue(), HOSTILE, 'what was typed is kept');
  await page.locator('button:focus').getByText('Create key').waitFor();
  await page.keyboard.press('Enter');
  await field.waitFor();
  await comesTo(t, () => hasFocus(field), true, 'the focus is in the first field');
  await page.keyboard.type(world.owner.password);
  await page.keyboard.press('Enter');
  await see('The key works from now on.');
  const value = await page.getByLabel('API key', { exact: true }).inputValue();
  const status = async (path: string) =>
    (await fetch(`${world.plane.url}${path}`, { headers: { authorization: `Bearer ${value}` } })).status;
  t.equal(await status('/v1/servers'), 200, 'the key may read servers');
  t.equal(await status('/v1/channels'), 403, 'and nothing else');
  await examined('api-key-created');
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await see('2 keys can use the API.');
  await see(/Reads and changes: Monitors; Reads: Servers/);
  await comesTo(t, () => page.getByText(value).count(), 0, 'the value is not shown again');
  await examined('api-keys');

  const row = page.getByRole('listitem').filter({ hasText: HOSTILE });
  await row.getByRole('button', { name: /^Rotate/ }).click();
  await page.getByLabel('The old key continues to work for').selectOption('0');
  await examined('api-key-rotate');
  await press(`Rotate`);
  await see(`New key “${HOSTILE}”`);
  const next = await page.getByLabel('API key', { exact: true }).inputValue();
  t.not(next, value);
  t.equal(await status('/v1/servers'), 401, 'the old key has ended');
  await press('I have stored it');
  const fresh = page.getByRole('listitem').filter({ hasText: `…${next.slice(-4)}` });
  await fresh.getByRole('button', { name: 'Revoke' }).click();
  await see('Programs with this key are refused within a second.');
  await press('Revoke');
  await see(/is revoked\./);
  const { body } = await world.plane.api('GET', '/v1/api-keys');
  t.notOk(body.data.some(({ last_four }: { last_four: string }) => last_four === next.slice(-4)));
  complaints.push(...ann.complaints);
});

t.test('a member has no API keys in the settings, and a link from somebody else explains why', async (t) => {
  const bob = await world.openAs('member');
  await bob.goto('/settings/api-keys');
  await bob.see('Your role in this workspace does not include this.');
  t.equal(await bob.page.getByRole('link', { name: 'API keys' }).count(), 0);
  t.equal(await bob.page.getByRole('button', { name: /Create/ }).count(), 0);
  complaints.push(...bob.complaints);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
