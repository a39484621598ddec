import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const violations: string[] = [];
const complaints: string[] = [];
const rules = async () => (await world.plane.api('GET', '/v1/alert-rules')).body.data;

t.test('a rule is added in words, changed, turned off, deleted and brought back', async (t) => {
  for (const { id } of await rules()) await world.plane.api('DELETE', `/v1/alert-rules/${id}`);
  const channel = { type: 'webhook', name: 'Slack of the team', config: { url: 'http://127.0.0.1:8080/hook' } };
  const created = await world.plane.api('POST', '/v1/channels', channel);
  t.equal(created.status, 201);
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/settings/alert-rules');
  await see('No rule: servers and blacklists alert nobody.');
  await examined('alert-rules-empty');
  await page.getByRole('link', { name: 'Add rule' }).click();
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Percent').fill('much');
  await press('Add rule');
  await see('Nothing was saved yet. Correct what is marked, then try again.');
  const marked = () => page.evaluate('document.activeElement.getAttribute("aria-invalid")');
  await comesTo(t, marked, 'true', 'the focus is there');
  await page.getByLabel('Percent').fill('92,5');
  await page.getByLabel('Duration (minutes)').fill('10');
  await page.getByLabel('Those with a tag').check();
  await page.getByLabel('Tags').fill('db, shop');
  await page.getByLabel('Severity').selectOption('critical');
  await page.getByLabel('Chosen channels').check();
  await page.getByLabel('Slack of the team').check();
  await see('When CPU is above 92,5 % for 10 min on a server tagged db or shop: critical, notifies Slack of the team.');
  await examined('alert-rule-new');
  await press('Add rule');
  await see('1 rule, all on.');
  t.match(await rules(), [
    {
      ...{ name: HOSTILE, metric: 'cpu_percent', operator: '>', threshold: 92.5, for_seconds: 600 },
      ...{ severity: 'critical', tags: ['db', 'shop'], server_ids: null, channels: [created.body.data.id] },
    },
  ]);
  await see(/^When CPU is above 92\.5 %/);
  await examined('alert-rules');

  await page.getByRole('button', { name: /^Turn off/ }).click();
  await see('1 rule, 1 of them off.');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await see('1 rule, all on.');
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByLabel('All, including those added later').check();
  await press('Save');
  await see(/is saved\./);
  t.match(await rules(), [{ tags: null, threshold: 92.5 }]);
  await examined('alert-rule');
  const [before] = await rules();
  await press('Delete');
  await see('No rule: servers and blacklists alert nobody.');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await see('1 rule, all on.');
  const [after] = await rules();
  const settings = ({ id: _id, created_at: _c, updated_at: _u, ...rest }: Record<string, unknown>) => rest;
  t.same(settings(after), settings(before), 'with all its settings');

  await page.getByRole('link', { name: HOSTILE }).click();
  await press('Delete');
  await see('No rule: servers and blacklists alert nobody.');
  await page.route('**/v1/alert-rules', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    // It is done, but the page does not hear of it.
    await route.fetch();
    await route.fulfill({ status: 503, contentType: 'application/json', body: '{"code": "unavailable"}' });
  });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await see(/may not have been restored\. Undo tries again\.$/);
  await page.unrouteAll({ behavior: 'wait' });
  const again = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  t.equal((await again).status(), 201);
  t.equal((await rules()).length, 1, 'it is restored once, however often somebody presses the button');
  complaints.push(...ann.complaints);
});

t.test('the other types', async (t) => {
  for (const { id } of await rules()) await world.plane.api('DELETE', `/v1/alert-rules/${id}`);
  const { page, see, press, goto, complaints: heard } = await world.openAsOwner();
  const types = [
    ['server_offline', /^When any server sends no samples for more than 5 min: critical/],
    ['disk_full', /^When a disk of any server will be full within 1 day: warning/],
    ['blacklist_listed', /^When a blacklist lists any watched address or domain: warning, notifies all channels/],
  ] as const;
  for (const [type, sentence] of types) {
    await goto('/settings/alert-rules/new');
    await page.getByLabel('Name').fill(type);
    await page.getByLabel('Type').selectOption(type);
    await see(sentence);
    await press('Add rule');
    await page.getByRole('link', { name: type, exact: true }).waitFor();
  }
  t.same((await rules()).map(({ type }: { type: string }) => type).sort(), types.map(([type]) => type).sort());
  complaints.push(...heard);
});

for (const role of ['viewer', 'member'] as const) {
  t.test(`a ${role} reads the rules and changes none`, async (t) => {
    const { page, see, goto, complaints: heard } = await world.openAs(role);
    await goto('/settings/alert-rules');
    await see('3 rules, all on.');
    t.equal(await page.getByRole('button', { name: /Turn/ }).count(), 0);
    t.equal(await page.getByRole('link', { name: 'Add rule' }).count(), 0);
    await page.getByRole('link', { name: 'disk_full', exact: true }).click();
    await see('When a disk of any server will be full within 1 day: warning');
    t.equal(await page.locator('main').getByRole('button').count(), 0);
    await goto('/settings/alert-rules/new');
    await see('Your role in this workspace does not include this.');
    complaints.push(...heard);
  });
}

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
