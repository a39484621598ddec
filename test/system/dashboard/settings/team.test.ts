import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { startMailbox } from '../../../helpers/machine/mailbox.js';
import { mailTo } from '../../../helpers/people/mail.js';

const LONG_AGO_MS = 1;
const GRACE = 'grace@example.com';

const mailbox = await startMailbox();
const world = await startWorkspaceInBrowser({ PICKET_SMTP_URL: mailbox.url });
t.teardown(async () => {
  await world.close();
  await mailbox.close();
});
const violations: string[] = [];
const complaints: string[] = [];

t.test('people are invited, get another role with a way back, and are removed', async (t) => {
  const bob = await world.openAs('member');
  await bob.close();
  const ann = await world.openAsOwner({ confirmedAtMs: LONG_AGO_MS });
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/settings/team');
  await see('2 members; 2 without a second factor.');
  await page.getByLabel('E-mail address').fill('nobody');
  await press('Send invitation');
  await page.getByRole('dialog').getByLabel('Password').fill(world.owner.password);
  await press('Confirm');
  await page.getByLabel('E-mail address').and(page.locator('[aria-invalid=true]')).waitFor();
  t.equal(await page.getByLabel('E-mail address').inputValue(), 'nobody', 'what was typed is kept');
  await page.getByLabel('E-mail address').fill(GRACE);
  await press('Send invitation');
  await see(`An invitation is on its way to ${GRACE}.`);
  await mailTo(mailbox, GRACE, /invit/i);
  await see(/Waits for an answer until/);
  await examined('team');
  const row = page.getByRole('listitem').filter({ hasText: GRACE });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await see('The link in the e-mail stops working.');
  await press('Revoke');
  await see(`The invitation of ${GRACE} is revoked.`);
  t.same((await world.plane.api('GET', '/v1/team/invitations')).body.data, []);

  await page.getByLabel(`Role of ${bob.email}`).selectOption('viewer');
  await see(`${bob.email} now has the role Viewer`);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await see(`${bob.email} now has the role Member`);
  const { body } = await world.plane.api('GET', '/v1/team/members');
  t.match(
    body.data.find(({ email }: { email: string }) => email === bob.email),
    { role: 'member' },
  );
  const member = page.getByRole('listitem').filter({ hasText: bob.email });
  await member.getByRole('button', { name: 'Remove', exact: true }).click();
  await see('Their sessions in this workspace end');
  await see('Channels stay: if one sends to this person');
  await examined('team-remove');
  await press('Remove');
  await see('1 member; 1 without a second factor.');
  complaints.push(...ann.complaints);
});

t.test('single sign-on: the provider is asked before it is saved, and a domain shows its record', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  await goto('/settings/single-sign-on');
  await see('No identity provider is set.');
  await page.getByLabel('Issuer').fill('http://127.0.0.1:9/realms/staff');
  await page.getByLabel('Client ID').fill('picket');
  await page.getByLabel('Client secret').fill('SECRET');
  await page.getByLabel('Claim with the role').fill('groups');
  await press('Add value');
  await page.getByLabel('Value of the claim').fill('engineering');
  await press('Save');
  await page.getByRole('alert').waitFor();
  t.equal(await page.getByLabel('Value of the claim').inputValue(), 'engineering', 'what was typed is kept');
  await page.getByLabel('Domain', { exact: true }).fill('example.com');
  await press('Add domain');
  await see('not verified');
  const record = () => page.getByLabel('Name of the TXT record').inputValue();
  await comesTo(t, record, '_picket-verification.example.com');
  violations.push(...(await ann.examined('single-sign-on')));
  await page.getByRole('button', { name: /^Verify/ }).click();
  await page.getByRole('listitem').getByRole('alert').waitFor();
  await page.getByRole('listitem').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByText('can no longer log in').waitFor();
  await press('Remove');
  await see('example.com is removed.');
  complaints.push(...ann.complaints);
});

t.test('a viewer sees the team and changes nothing', async (t) => {
  const vic = await world.openAs('viewer');
  await vic.goto('/settings/team');
  await vic.page.getByRole('listitem').getByText(vic.email).waitFor();
  for (const name of ['Send invitation', 'Remove', 'Revoke']) {
    t.equal(await vic.page.getByRole('button', { name }).count(), 0, name);
  }
  t.equal(await vic.page.getByLabel(/^Role of/).count(), 0);
  await comesTo(t, () => vic.page.getByRole('button', { name: 'Leave' }).count(), 1);
  t.equal(await vic.page.getByRole('link', { name: 'Single sign-on' }).count(), 0);
  await vic.goto('/settings/single-sign-on');
  await vic.see('Your role in this workspace does not include this.');
  complaints.push(...vic.complaints);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
