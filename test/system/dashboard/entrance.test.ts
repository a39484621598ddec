import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { freePort } from '../../helpers/machine/ports.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { createInPage } from '../../helpers/second-factor/browser.js';
import { addVirtualAuthenticator } from '../../helpers/second-factor/virtual-authenticator.js';

const ANNA = 'anna@example.com';
const CAROL = 'carol@example.com';
const BOB = 'bob@example.com';
const PASSWORD = 'gravel onion tuesday lamp';
const NEW_PASSWORD = 'velvet ladder march pepper';

const mongo = await testDatabase();
const mailbox = await startMailbox();
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await mailbox.close();
  await mongo.drop();
});

t.test('people come in by the links of their e-mails', async (t) => {
  const port = await freePort();
  // Browsers have passkeys for localhost and for no address.
  const url = `http://localhost:${port}`;
  const settings = { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: url, PICKET_SMTP_URL: mailbox.url };
  const plane = await startControlPlane(mongo.uri, settings);
  t.teardown(() => plane.remove());
  const { page, complaints, foreignRequests, examine } = await visitor(browser);
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const linkOf = async (address: string, subject: RegExp) => {
    const { url: link, token } = linkIn(await mailTo(mailbox, address, subject));
    return `${link}#token=${token}`;
  };
  const violations: string[] = [];
  const examined = async (name: string) => {
    violations.push(...(await examine(name)));
    t.notOk(await overflowsPhone(page), `${name} fits a phone`);
  };

  await t.test('sign up and confirm the address', async (t) => {
    await page.goto(`${url}/sign-up`);
    await page.getByLabel('Name of your workspace').fill('Anna & <b>Co</b>');
    await page.getByLabel('E-mail address').fill(ANNA);
    await page.getByLabel('Password', { exact: true }).fill('short');
    await press('Create account');
    await see(/Choose a stronger password: at least 12 characters/);
    await comesTo(t, () => page.getByLabel('E-mail address').inputValue(), ANNA, 'what was typed is kept');
    await examined('sign-up');
    const password = page.getByLabel('Password', { exact: true });
    t.equal(await password.getAttribute('autocomplete'), 'new-password', 'for password managers');
    await page.getByLabel('Show password').check();
    await comesTo(t, () => password.getAttribute('type'), 'text', 'what was typed can be shown');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Create account');
    await see('What should we watch?');
    await see('Anna & <b>Co</b>');
    await see(/Confirm your e-mail address/);
    await page.goto(await linkOf(ANNA, /onfirm/));
    await examined('confirm-email');
    await press('Confirm address');
    await see('Your e-mail address is confirmed.');
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await see('What should we watch?');
    await comesTo(t, () => page.getByText(/Confirm your e-mail address/).count(), 0);
  });

  await t.test('a browser without the account asks for its password before it confirms the address', async (t) => {
    const body = { email: CAROL, password: PASSWORD, workspace_name: 'Carol' };
    t.equal((await plane.api('POST', '/v1/auth/signup', body, { authorization: '' })).status, 201);
    const other = await visitor(browser);
    const link = await linkOf(CAROL, /onfirm/);
    const submit = () => other.page.getByRole('button', { name: 'Confirm address', exact: true }).click();
    await other.page.goto(link);
    await submit();
    const password = other.page.getByLabel('Password of your account');
    await password.fill('wrong');
    violations.push(...(await other.examine('confirm-email-password')));
    t.notOk(await overflowsPhone(other.page));
    await submit();
    await other.page.getByText('This is wrong.').waitFor();
    await password.fill(PASSWORD);
    await submit();
    await other.page.getByText('Your e-mail address is confirmed.').waitFor();
    complaints.push(...other.complaints);
    await other.close();
  });

  await t.test('a forgotten password is replaced', async () => {
    await page.context().clearCookies();
    await page.goto(`${url}/login`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(ANNA);
    await examined('forgot-password');
    await press('Send link');
    await see(new RegExp(`If ${ANNA} has an account`));
    await page.goto(await linkOf(ANNA, /password/i));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await examined('reset-password');
    await press('Set password');
    await see(/Your new password is set/);
    await page.getByLabel('E-mail address').fill(ANNA);
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await press('Log in');
    await see('What should we watch?');
  });

  await t.test('a passkey logs in', async () => {
    await addVirtualAuthenticator(page);
    const { data: options } = await page.evaluate(callApi, { path: 'v1/auth/passkeys/options' });
    const credential = await page.evaluate(createInPage, options);
    await page.evaluate(callApi, { path: 'v1/auth/passkeys', body: { name: 'Laptop', credential } });
    await page.context().clearCookies();
    await page.goto(`${url}/login`);
    await press('Log in with a passkey');
    await see('What should we watch?');
  });

  await t.test('a second factor is asked for', async () => {
    const enrolment = await page.evaluate(callApi, { path: 'v1/auth/mfa/totp' });
    const secret = enrolment.data.secret;
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { data } = await page.evaluate(callApi, { path: 'v1/auth/mfa/totp/verify', body: { totp: code() } });
    const logInAgain = async () => {
      await page.context().clearCookies();
      await page.goto(`${url}/login`);
      await page.getByLabel('E-mail address').fill(ANNA);
      await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
      await press('Log in');
      await page.getByLabel('Code').waitFor();
    };
    await logInAgain();
    await page.getByLabel('Code').fill('000000');
    await press('Continue');
    await see(/This code is wrong/);
    await examined('second-factor');
    // The code that set the app up works only once, and the next one comes in half a minute.
    await mongo.db.collection('second_factors').updateOne({ totp: { $ne: null } }, { $set: { 'totp.last_step': 0 } });
    await page.getByLabel('Code').fill(code());
    await press('Continue');
    await see('What should we watch?');
    await logInAgain();
    await press('Use a passkey');
    await see('Confirm with the passkey of your account.');
    await press('Use a passkey');
    await see('What should we watch?');
    await logInAgain();
    await press('Use a recovery code');
    await page.getByLabel('Recovery code').fill(data.recovery_codes[0]);
    await press('Continue');
    await see('What should we watch?');
  });

  await t.test('an invitation makes a member', async () => {
    await page.evaluate(callApi, { path: 'v1/team/invitations', body: { email: BOB, role: 'viewer' } });
    const link = await linkOf(BOB, /invit/i);
    await page.context().clearCookies();
    await page.goto(link);
    await see('Join Anna & <b>Co</b>');
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await examined('invitation');
    await press('Join workspace');
    await see('Your role may not add monitors.');
    await page.goto(link);
    await page.reload();
    await see(/This invitation is not valid any more/);
  });

  await t.test('the pages speak German to who wants it', async (t) => {
    await page.context().clearCookies();
    await page.goto(`${url}/login`);
    await press('Deutsch');
    await see('Bei Picket anmelden');
    await page.getByLabel('E-Mail-Adresse').fill(BOB);
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await press('Anmelden');
    await see('Was sollen wir überwachen?');
    await comesTo(t, () => page.getAttribute('html', 'lang'), 'de');
    await examined('german');
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});

t.test('the dashboard works below a path, behind proxies that remove it and those that do not', async (t) => {
  for (const removes of [true, false]) {
    const [port, proxyPort] = [await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${proxyPort}`;
    const settings = { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: `${origin}/tools/picket` };
    const database = await testDatabase();
    const plane = await startControlPlane(database.uri, settings);
    const proxy = await proxyBelow('/tools/picket', { removes, from: proxyPort, to: port });
    const { page, complaints, close } = await visitor(browser);
    const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
    await page.goto(`${origin}/tools/picket/incidents?status=firing`);
    await page.waitForURL(/\/tools\/picket\/login\?next=/);
    const owner = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${origin}/tools/picket/incidents?status=firing`);
    await see('No incident matches this filter.');
    await page.getByRole('link', { name: 'Monitors', exact: true }).click();
    await page.waitForURL(`${origin}/tools/picket/monitors`);
    await page.reload();
    await see('What should we watch?');
    await page.goto(`${origin}/tools/picket/docs`);
    await page.locator('.swagger-ui .info .title').waitFor();
    t.same(complaints, [], removes ? 'behind one that removes the path' : 'behind one that passes it on');
    await close();
    await proxy.close();
    await plane.remove();
    await database.drop();
  }
});

/** A reverse proxy that serves only paths below `path`. */
async function proxyBelow(path: string, { removes, from, to }: { removes: boolean; from: number; to: number }) {
  const server = createServer((incoming, outgoing) => {
    const wanted = incoming.url ?? '/';
    if (!wanted.startsWith(`${path}/`)) {
      outgoing.writeHead(502).end();
      return;
    }
    const { method, headers } = incoming;
    const sent = request(
      { host: '127.0.0.1', port: to, method, headers, path: removes ? wanted.slice(path.length) : wanted },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(from, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs in the page: a request with its cookies. */
// biome-ignore lint/suspicious/noExplicitAny: the test knows the shape of the answers.
async function callApi({ path, body }: { path: string; body?: object }): Promise<any> {
  const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method: 'POST', ...(body === undefined ? {} : sent) });
  return response.json();
}
