import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { examinedVisitor } from '../../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../../helpers/dashboard/plane-in-browser.js';
import { signInAs } from '../../../helpers/dashboard/sign-in-as.js';
import { temporaryFolder } from '../../../helpers/machine/temporary-folder.js';
import { withAddresses } from '../../../helpers/processes/joined-probe.js';
import { startNodeProcess } from '../../../helpers/processes/node-process.js';
import { buildPerson } from '../../../helpers/second-factor/accounts.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(40)} שרת`;

const { mongo, plane, browser, owner } = await startPlaneInBrowser(t);

const customer = await buildPerson(mongo, 'customer@example.com');
const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser);
const inDialog = (name: string) => page.getByRole('dialog').last().getByRole('button', { name, exact: true });

t.test('a probe joins, is drained, and is revoked', async (t) => {
  await signInAs(page, plane.url, owner, '/settings/probes');
  await see('No probe is connected, so nothing is checked.');
  await button('Add probe').click();
  await inDialog('Create command').click();
  const line = await page.getByLabel('Command that installs and joins the probe').inputValue();
  await see(/Waiting for the probe to join/);
  await examined('probe-join');
  const [token = ''] = /pjt_[\w-]+/.exec(line) ?? [];
  const probe = startNodeProcess('probe/main.js', ['--data', temporaryFolder(t)], {
    PICKET_JOIN_TOKEN: withAddresses(token, `127.0.0.1:${plane.env['PICKET_GRPC_PORT']}`),
  });
  t.teardown(() => probe.kill('SIGKILL'));
  await see('joined:');
  await inDialog('Close').click();
  const row = page.getByRole('list', { name: 'Probes' }).getByRole('listitem');
  await row.getByText('Frankfurt').waitFor();
  await examined('probes');
  await row.getByRole('button', { name: 'Drain' }).click();
  await row.getByText('drained', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Re-enable' }).click();
  await row.getByRole('button', { name: 'Drain' }).waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await inDialog('Revoke').click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked probes').check();
  await row.getByText('revoked', { exact: true }).waitFor();
});

t.test('a location is added, edited by two people, and deleted', async (t) => {
  await page.getByRole('link', { name: 'Locations' }).click();
  await see(/no connected probe\.$/);
  await button('Add location').click();
  await page.getByLabel('Code').fill('Ams');
  await page.getByLabel('City').fill(HOSTILE);
  await page.getByLabel('Region').fill('EU-West');
  await page.getByLabel('Canary targets').fill('https://example.com/\nftp://no');
  await button('Add location').click();
  await see(/must be an http/i);
  await page.getByLabel('Canary targets').fill('https://example.com/');
  await button('Add location').click();
  const row = page.getByRole('list', { name: 'Locations' }).getByRole('listitem').filter({ hasText: HOSTILE });
  await row.getByText('1 canary target').waitFor();
  await examined('locations');
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('City').fill('Amsterdam');
  await plane.api('PATCH', '/v1/admin/locations/ams', { city: 'Mokum', region: 'EU-North' });
  await button('Save').click();
  await page.getByRole('alert').getByText('Mokum').waitFor();
  await examined('location-conflict');
  await button('Save').click();
  const saved = page.getByRole('list', { name: 'Locations' }).getByRole('listitem').filter({ hasText: 'Amsterdam' });
  await saved.getByText('EU-North').waitFor();
  await saved.getByRole('button', { name: 'Delete' }).click();
  await inDialog('Delete').click();
  await saved.waitFor({ state: 'detached' });
  await comesTo(t, async () => (await plane.api('GET', '/v1/admin/locations/ams')).status, 404);
});

t.test('a workspace is found, gets another plan, and is suspended and resumed', async (t) => {
  const own = { _id: customer.workspace.id as never };
  await mongo.db.collection('workspaces').updateOne(own, { $set: { name: HOSTILE } });
  await page.getByRole('link', { name: 'Workspaces' }).click();
  await see('2 workspaces.');
  await page.getByLabel('Name, id, or e-mail address of a member').fill(customer.email);
  await page.waitForURL(/q=customer/);
  await see('1 workspace.');
  await examined('workspaces');
  await page.getByRole('link', { name: HOSTILE }).click();
  await see('Runs on the Enterprise plan.');
  await page.getByLabel('Plan of the workspace').selectOption('Pro');
  await button('Set plan').click();
  await see('Runs on the Pro plan.');
  await page.getByLabel('Reason').fill('Payment overdue.');
  await button('Suspend workspace').click();
  await see('Suspended: Payment overdue.');
  await examined('workspace');
  const { body } = await plane.api('GET', `/v1/admin/workspaces/${customer.workspace.id}`);
  t.match(body.data, { plan: 'Pro', suspended: { reason: 'Payment overdue.' } });
  await button('Resume workspace').click();
  await see('Runs on the Pro plan.');
});

t.test('the health of Picket is shown', async () => {
  await page.getByRole('link', { name: 'Health' }).click();
  await see('Picket is ready, but no probe is connected, so nothing is checked.');
  await see(/^Other work delays 1 % of its tasks by more than/);
  await see(/^It uses [\d,]+ MiB of memory/);
  await page.getByRole('list', { name: 'Locations' }).getByText('Frankfurt').waitFor();
  await examined('health');
});

t.test('an operator who works in another workspace does not see these pages there', async (t) => {
  const account = page.getByRole('button', { name: /^Account/ });
  await account.click();
  await button('Create workspace').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Night team');
  await inDialog('Create').click();
  await page.getByRole('button', { name: /^Account.*Night team/ }).waitFor();
  await page.goto(`${plane.url}/settings/health`);
  await see('Only the operators of this installation see this page.');
  t.equal(await page.getByRole('link', { name: 'Probes', exact: true }).count(), 0);
  await account.click();
  await page.getByRole('button', { name: 'My workspace' }).click();
  await page.getByRole('button', { name: /^Account.*My workspace/ }).waitFor();
  await page.goto(`${plane.url}/settings/health`);
  await page.getByRole('link', { name: 'Probes', exact: true }).waitFor();
});

t.test('nobody else sees these pages', async (t) => {
  await signInAs(page, plane.url, customer, '/settings/sessions');
  await see('You are logged in here and nowhere else.');
  for (const name of ['Probes', 'Workspaces', 'Health']) {
    t.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name);
  }
  for (const path of ['probes', 'locations', 'workspaces', 'health']) {
    await page.goto(`${plane.url}/settings/${path}`);
    await see('Only the operators of this installation see this page.');
    await page.getByRole('link', { name: 'To the overview', exact: true }).waitFor();
  }
});

t.test('nothing was wrong in the browser', async (t) => {
  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
