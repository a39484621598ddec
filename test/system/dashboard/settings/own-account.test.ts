import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { examinedVisitor } from '../../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../../helpers/dashboard/plane-in-browser.js';
import { signInAs } from '../../../helpers/dashboard/sign-in-as.js';
import { overflowsPhone } from '../../../helpers/dashboard/visitor.js';
import { startMailbox } from '../../../helpers/machine/mailbox.js';
import { freePort } from '../../../helpers/machine/ports.js';
import { mailTo } from '../../../helpers/people/mail.js';
import { personAt } from '../../../helpers/people/person.js';
import { buildPerson } from '../../../helpers/second-factor/accounts.js';
import { addVirtualAuthenticator } from '../../../helpers/second-factor/virtual-authenticator.js';
import { waitFor } from '../../../helpers/wait.js';

const NEW_EMAIL = 'anna@example.org';
const NEW_PASSWORD = 'velvet ladder march pepper';
const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)} שרת`;

const mailbox = await startMailbox();
const port = await freePort();
// Browsers have passkeys for localhost and for no address.
const url = `http://localhost:${port}`;
const settings = { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: url, PICKET_SMTP_URL: mailbox.url };
t.teardown(() => mailbox.close());
const { mongo, browser } = await startPlaneInBrowser(t, { settings });

const anna = await buildPerson(mongo, 'anna@example.com');
const credentials = { email: anna.email, password: anna.password };
const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser);
const dialog = () => page.getByRole('dialog').last();
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
let codes: string[] = [];

/** As if the person had logged in a while ago. */
async function forgetConfirmation(): Promise<void> {
  await mongo.db.collection('sessions').updateMany({}, { $set: { confirmed_at_ms: 0 } });
}

/** Logs in somewhere else, with another program. */
async function signInElsewhere(device: string): Promise<void> {
  const { status } = await personAt(url).send('POST', '/v1/auth/login', credentials, { 'user-agent': device });
  t.equal(status, 200);
}

t.test('sessions are listed and ended', async (t) => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await signInElsewhere(firefox);
  await signInElsewhere('curl/8.5.0');
  await signInAs(page, url, credentials, '/account/sessions');
  await page.waitForURL(`${url}/settings/sessions`);
  await see('You are logged in 3 times.');
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  const isFirst = async () => /this session.*used now/s.test(await rows.first().innerText());
  await comesTo(t, isFirst, true, 'it comes first');
  await comesTo(t, () => rows.getByText('used now').count(), 1);
  await examined('sessions');
  await button('End the session of Firefox on Linux').click();
  await see('You are logged in 2 times.');
  await signInElsewhere(firefox);
  await button('End all others').click();
  await inDialog('End all others').click();
  await see('You are logged in here and nowhere else.');
  await comesTo(t, () => rows.count(), 1);
});

t.test('an authenticator app is set up', async (t) => {
  await page.goto(`${url}/account/second-factor`);
  await page.waitForURL(`${url}/settings/second-factor`);
  await see('Only the password protects your account.');
  await forgetConfirmation();
  await button('Set up an app').click();
  await dialog().getByLabel('Password').fill(anna.password);
  await examined('confirm-identity');
  await inDialog('Confirm').click();
  const secret = (await page.getByLabel('Secret for the app').inputValue()).replaceAll(' ', '');
  const picture = page.getByAltText('QR code with the secret for the authenticator app');
  // Browsers decode pictures beside the page.
  await waitFor('the picture', 30_000, () => picture.evaluate((image) => Reflect.get(image, 'naturalWidth') > 0));
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await button('Turn on').click();
  await see('The app does not show this code now.');
  await examined('authenticator-app');
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await button('Turn on').click();
  await see('They are shown only now');
  await examined('recovery-codes');
  const listed = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await comesTo(t, () => listed.count(), 10);
  codes = await listed.allInnerTexts();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as a file' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  t.ok(
    codes.every((code) => file.includes(code)),
    'the file has all codes',
  );
  await button('I have stored them').click();
  await see('Your account is protected by the password and an authenticator app.');
  const hasCodes = async () => (await page.content()).includes(codes[0] ?? '');
  await comesTo(t, hasCodes, false, 'the codes are gone');
});

t.test('a passkey is added, renamed and removed', async (t) => {
  await addVirtualAuthenticator(page);
  await button('Add passkey').click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await button('Continue').click();
  const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await row.getByText('Laptop').waitFor();
  await button('Rename').click();
  await page.getByLabel('Name of the passkey').fill(HOSTILE);
  await button('Save').click();
  await row.getByText(HOSTILE).waitFor();
  await examined('second-factor-settings');
  await button('Add passkey').click();
  await page.getByLabel('Name of the passkey').fill('Laptop again');
  await button('Continue').click();
  await see(/No passkey was added/);
  await forgetConfirmation();
  await row.getByRole('button', { name: 'Remove' }).click();
  await inDialog('Remove').click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await dialog().getByRole('button', { name: 'Use a passkey' }).click();
  await inDialog('Use passkey').click();
  await row.waitFor({ state: 'detached' });
  await comesTo(t, () => mongo.db.collection('passkeys').countDocuments(), 0);
});

t.test('the app is removed with a recovery code', async () => {
  await button('Remove').click();
  await dialog().getByLabel('Code of the app').fill('12');
  await inDialog('Remove').click();
  await dialog().getByRole('alert').waitFor();
  await examined('remove-app');
  await inDialog('Use a recovery code').click();
  await dialog()
    .getByLabel('Recovery code')
    .fill(codes[0] ?? '');
  await inDialog('Remove').click();
  await see('Only the password protects your account.');
});

t.test('the password and the address are changed', async (t) => {
  await page.getByRole('link', { name: 'Profile' }).click();
  await see('You are logged in as anna@example.com.');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Current password').last().fill('wrong');
  await button('Change password').click();
  await see('is wrong');
  await comesTo(t, () => page.getByLabel('New password').inputValue(), NEW_PASSWORD, 'what was typed is kept');
  await page.getByLabel('Current password').last().fill(anna.password);
  await button('Change password').click();
  await see('Your password is changed.');
  await page.getByLabel('New address').fill(NEW_EMAIL);
  await page.getByLabel('Current password').first().fill(NEW_PASSWORD);
  await examined('account');
  await button('Change address').click();
  await see(`An e-mail is on its way to ${NEW_EMAIL}.`);
  await mailTo(mailbox, NEW_EMAIL, /onfirm/);
});

t.test('the account is deleted and kept after all', async (t) => {
  const memberships = mongo.db.collection('memberships');
  const own = { user_id: anna.workspace.userId };
  await memberships.insertOne({
    ...(await memberships.findOne(own)),
    _id: 'other' as never,
    user_id: 'usr_other',
    role: 'member',
  });
  await button('Delete account').click();
  await inDialog('Delete account').click();
  await dialog()
    .getByText(/You are the only owner/)
    .waitFor();
  await inDialog('Cancel').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await memberships.updateOne({ user_id: 'usr_other' }, { $set: { role: 'owner' } });
  await button('Delete account').click();
  await inDialog('Delete account').click();
  await see(/This account will be deleted on/);
  await examined('account-deleted');
  await button('Keep the account').click();
  await see('The account is kept.');
  const deletion = async () =>
    (await mongo.db.collection('users').findOne({ email: anna.email }))?.['deletion'] ?? null;
  await comesTo(t, deletion, null);
});

t.test('language and colours are chosen', async (t) => {
  await page.getByLabel('Dark').check();
  await comesTo(t, () => page.getAttribute('html', 'data-mantine-color-scheme'), 'dark');
  await page.getByLabel('Deutsch').check();
  await see('Sie sind als anna@example.com angemeldet.');
  await examined('account-german');
  await page.goto(`${url}/settings/second-factor`);
  await see('Nur das Passwort schützt Ihr Konto.');
  t.notOk(await overflowsPhone(page));
});

t.test('nothing was wrong in the browser', async (t) => {
  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
