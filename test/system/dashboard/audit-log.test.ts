import { readFile } from 'node:fs/promises';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { signInAs } from '../../helpers/dashboard/sign-in-as.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { personAt } from '../../helpers/people/person.js';
import { buildPerson } from '../../helpers/second-factor/accounts.js';

const HOSTILE = `<img src=x onerror="alert('hostile')">`;
const LONG = `${'W'.repeat(150)} שרת ראשי`;
/** More than a page of the list has. */
const CHANGES = 55;

const receiver = await startReceiver();
t.teardown(() => receiver.close());
const { mongo, plane, browser, owner } = await startPlaneInBrowser(t);

const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser);
const entries = () => page.getByRole('list', { name: 'Audit log' }).locator('> li');

async function createMonitor(name: string): Promise<string> {
  const { status, body } = await plane.api('POST', '/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9' });
  t.equal(status, 201);
  return body.data.id;
}

t.test('an entry opens with its differences and with where it came from', async (t) => {
  const id = await createMonitor('Shop');
  for (let n = 0; n < CHANGES; n += 1) await plane.api('PATCH', `/v1/monitors/${id}`, { interval_seconds: 61 + n });
  await plane.api('PATCH', `/v1/monitors/${id}`, { interval_seconds: 300, tags: ['<b>prod</b>', 'eu'] });
  await plane.api('DELETE', `/v1/monitors/${await createMonitor(HOSTILE)}`);
  await createMonitor(LONG);
  await signInAs(page, plane.url, owner, '/audit');
  await see(/Who changed what in this workspace in the last 365 days/);
  await page.getByText(HOSTILE, { exact: true }).first().waitFor();
  const changed = entries().filter({ hasText: 'Monitor changed' }).first();
  await changed.locator('summary').click();
  // What an entry has is drawn after the browser has opened it.
  const has = async (words: RegExp) => (await changed.getByRole('row').allInnerTexts()).some((row) => words.test(row));
  await comesTo(t, () => has(/Interval\s+115\s+300/), true, 'the interval before and after');
  await comesTo(t, () => has(/Tags\s+nothing\s+<b>prod<\/b>, eu/), true, 'a list, and markup as text');
  await changed.getByText(/^req_/).waitFor();
  await changed.getByText('127.0.0.1').first().waitFor();
  await changed
    .getByText(/owner@picket\.localhost, API key “/)
    .first()
    .waitFor();
  await examined('audit-log');
  const logIn = entries().filter({ hasText: 'Logged in' }).first();
  await logIn.locator('summary').click();
  await logIn.getByText(/Mozilla\/5\.0/).waitFor();
});

t.test('more entries load, and the filter is in the URL', async (t) => {
  // When the stream begins, the page reads its list again, and forgets the part that it is just reading.
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  const shown = await entries().count();
  await button('Show older entries').click();
  await page.locator(`.audit-rows > li:nth-child(${shown + 1})`).waitFor();
  await page.getByLabel('What').selectOption('monitor.deleted');
  await page.waitForURL(/action=monitor\.deleted/);
  await entries().filter({ hasText: 'Monitor changed' }).first().waitFor({ state: 'detached' });
  await comesTo(t, () => entries().count(), 1);
  await page.getByLabel('Who').fill('nobody@example.com');
  await page.keyboard.press('Enter');
  await see('No entry matches this filter.');
  await examined('audit-log-empty');
  await page.reload();
  await see('No entry matches this filter.');
  await comesTo(t, () => page.getByLabel('Who').inputValue(), 'nobody@example.com');
  await button('Clear the filter').click();
  await page.getByLabel('From').fill('2026-01-31');
  await page.getByLabel('To').fill('2026-01-01');
  await see(/beginning must be before the end/);
  await comesTo(t, () => page.getByLabel('From').inputValue(), '2026-01-31', 'what was typed is kept');
});

t.test('an address with an action that there is not says so, and leads to all of them', async (t) => {
  await page.goto(`${plane.url}/audit?action=monitor.changed`);
  await see('There is no action “monitor.changed”. Choose another one under “What”, or show all actions.');
  t.notMatch(await page.locator('main').innerText(), /api_key\.|Try again/);
  await examined('audit-log-unknown-action');
  await button('Show all actions').click();
  await entries().first().waitFor();
  await comesTo(t, () => new URL(page.url()).search, '');
});

t.test('the filtered log is exported', async (t) => {
  await page.goto(`${plane.url}/audit?action=monitor.deleted`);
  await button('Export').click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /As CSV/ }).click();
  const file = await (await download).path();
  const [, ...lines] = (await readFile(file, 'utf8')).trim().split('\r\n');
  t.equal(lines.length, 1, 'only what the filter shows');
  t.match(lines[0], /monitor\.deleted/);
});

t.test('it says how to verify the log, and when it is broken', async () => {
  await page.getByText('How can I tell that nobody changed the log?').click();
  await button('Verify').click();
  await see(/^The log is intact: \d+ entries verified, up to/);
  await page.getByLabel('Command that verifies all logs').waitFor();
  await mongo.db
    .collection('audit_log')
    .updateOne({ action: 'auth.login' }, { $set: { action: 'audit.chain_broken' } });
  await page.goto(`${plane.url}/audit`);
  await see(/Entries of this log were changed or deleted/);
  await page.getByText('How can I tell that nobody changed the log?').click();
  await button('Verify').click();
  await see('The content of this entry differs from what was sealed:');
  await see(/Tell the operator of this Picket/);
  await examined('audit-log-broken');
});

t.test('a forwarder is added, tested, changed and deleted', async (t) => {
  await page.goto(`${plane.url}/settings/forwarders`);
  await see('No forwarder sends the audit log anywhere.');
  await examined('forwarders-empty');
  await button('Add forwarder').click();
  await page.getByLabel('Host and port').fill('siem.example.com');
  await button('Add forwarder').last().click();
  await see('Enter a host and a port, such as siem.example.com:6514.');
  await comesTo(t, () => page.getByLabel('Host and port').inputValue(), 'siem.example.com', 'what was typed is kept');
  await page.getByLabel('How').selectOption('https');
  await page.getByLabel('URL').fill(`${receiver.url}/siem`);
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Authorization header').fill('Bearer SECRET-OF-THE-SIEM');
  await examined('forwarder-form');
  await button('Add forwarder').last().click();
  await see(/It is shown only now/);
  t.match(await page.getByLabel('Signing secret').inputValue(), /^whsec_/);
  await button('I have stored it').click();
  await button('Send test').click();
  await see(/The receiver answered HTTP 200/);
  t.equal(receiver.requests[0]?.headers['authorization'], 'Bearer SECRET-OF-THE-SIEM');
  receiver.behave({ status: 503 });
  await button('Send test').click();
  await see(/The test failed/);
  await button('Edit').click();
  t.notMatch(await page.content(), /SECRET-OF-THE-SIEM/, 'the secret is write-only');
  await page.getByLabel('Format').selectOption('ocsf');
  await page.getByLabel('info').uncheck();
  await button('Save').click();
  await see('OCSF');
  const forwarders = () => plane.api('GET', '/v1/audit-logs/forwarders');
  await comesTo(t, async () => (await forwarders()).body.data[0]?.format, 'ocsf');
  const { body } = await forwarders();
  t.match(body.data, [{ format: 'ocsf', auth_set: true, filter: { severity: ['warning', 'critical'] } }]);
  await button('Pause').click();
  await see('1 forwarder is paused.');
  await examined('forwarders');
  await button('Resume').click();
  await button('Pause').waitFor();
  await button('Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await see('No forwarder sends the audit log anywhere.');
});

t.test('a viewer reads the log and changes no forwarder', async (t) => {
  const viewer = await buildPerson(mongo, 'viewer@example.com');
  const before = personAt(plane.url);
  await before.send('POST', '/v1/auth/login', { email: viewer.email, password: viewer.password });
  await before.send('POST', '/v1/audit-logs/forwarders', { target: 'syslog+tcp://127.0.0.1:9' });
  const own = { user_id: viewer.workspace.userId };
  await mongo.db.collection('memberships').updateOne(own, { $set: { role: 'viewer' } });
  await signInAs(page, plane.url, viewer, '/settings/forwarders');
  await page.getByRole('heading', { name: '127.0.0.1' }).waitFor();
  for (const name of ['Add forwarder', 'Edit', 'Delete', 'Pause', 'Send test']) {
    t.equal(await button(name).count(), 0, name);
  }
  await page.goto(`${plane.url}/audit`);
  await entries().first().waitFor();
});

t.test('nothing was wrong in the browser', async (t) => {
  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
