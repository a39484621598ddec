import { Secret, TOTP } from 'otpauth';
import t, { type Test } from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { type Person, personAt, USER_AGENT } from '../../helpers/people/person.js';
import { secretsIn, storedSecrets } from '../../helpers/people/secrets.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import { accountOf, settingsOf } from '../../helpers/single-sign-on/setup.js';
import { waitFor } from '../../helpers/wait.js';

const STEP_MS = 30_000;
const ENDED_MS_MAX = 60_000;
const SESSION = 'picket_session';
const DOMAIN = 'example.com';
const [ADA, GRACE] = [`ada@${DOMAIN}`, `grace@${DOMAIN}`];
const PASSWORDS = { ada: 'gravel onion tuesday lamp', grace: 'four geese over a quiet harbour' };
const EVIL = 'evil.example';

/** A control plane with a mail server, a name server and an identity provider on this machine. */
const mongo = await testDatabase();
const mailbox = await startMailbox();
const records = new Map<string, DnsReply>();
const dns = await startScriptedDns(({ name, type }) => (type === 'TXT' ? (records.get(name) ?? 'NXDOMAIN') : 'NODATA'));
const plane = await startControlPlane(mongo.uri, {
  PICKET_SMTP_URL: mailbox.url,
  PICKET_DNS_SERVERS: dns.server,
  PICKET_LOG_LEVEL: 'debug',
});
const provider = await startOidcProvider({ redirectUri: `${plane.url}/v1/auth/sso/callback` });
t.teardown(async () => {
  await plane.remove();
  await Promise.all([provider.close(), mailbox.close(), dns.stop()]);
  await mongo.drop();
});

/** Everything in this test that nobody may find in the database or the log, by what it is. */
const secrets = new Map<string, string>([
  ['password of Ada', PASSWORDS.ada],
  ['password of Grace', PASSWORDS.grace],
  ['secret of the OIDC client', provider.clientSecret],
]);
const [ada, grace] = [personAt(plane.url), personAt(plane.url)];
const providerBrowser = browser();
const state = {
  workspaceId: '',
  adaId: '',
  graceId: '',
  graceKey: '',
  totpSecret: '',
  recoveryCodes: [''],
  adaPassword: PASSWORDS.ada,
};

function expectStatus(t: Test, answer: { status: number; body: unknown }, status: number, what: string): void {
  t.equal(answer.status, status, answer.status === status ? what : `${what}: ${JSON.stringify(answer.body)}`);
}

async function tokenFor(address: string, subject: RegExp, what: string): Promise<string> {
  const { url, token } = linkIn(await mailTo(mailbox, address, subject));
  t.ok(url.startsWith(`${plane.url}/`), `the link of the mail is on the public URL: ${url}`);
  secrets.set(what, token);
  return token;
}

/** The code of a step; each works once, so each use takes a later one. */
function codeAt(steps: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(state.totpSecret), timestamp: Date.now() + steps * STEP_MS });
}

const logIn = (person: Person, email: string, password: string, factor: object = {}) =>
  person.send('POST', '/v1/auth/login', { email, password, ...factor });

t.test('Ada signs up, and confirms her address with the link of the mail', async (t) => {
  const signUp = (password: string) =>
    ada.send('POST', '/v1/auth/signup', { email: ADA, password, workspace_name: 'Example Ltd' }, { host: EVIL });
  expectStatus(t, await signUp('password12345'), 422, 'a common password');
  const signedUp = await signUp(PASSWORDS.ada);
  expectStatus(t, signedUp, 201, 'the sign-up, although with a foreign Host');
  t.match(signedUp.body.data, { email: ADA, role: 'owner', plan: 'Free', operator: false });
  state.workspaceId = signedUp.body.data.workspace.id;
  state.adaId = signedUp.body.data.id;
  expectStatus(t, await ada.send('GET', '/v1/auth/me'), 200, 'the session works');
  const token = await tokenFor(ADA, /^Confirm your e-mail address/, 'token of the confirmation');
  const confirm = (password?: string) =>
    personAt(plane.url).send('POST', '/v1/auth/email/confirm', {
      token,
      ...(password === undefined ? {} : { password }),
    });
  const unconfirmed = () => mongo.db.collection('users').countDocuments({ email: ADA, email_confirmed_at_ms: null });
  t.equal(await unconfirmed(), 1);
  expectStatus(t, await confirm(), 422, 'the mail alone is not enough');
  t.equal(await unconfirmed(), 1);
  expectStatus(t, await confirm(PASSWORDS.ada), 204, 'the link works, also in another browser');
  expectStatus(t, await ada.send('POST', '/v1/auth/logout'), 401, 'which ends the sessions from before');
  t.equal(await unconfirmed(), 0);
  expectStatus(t, await confirm(PASSWORDS.ada), 422, 'it works once');
  expectStatus(t, await logIn(ada, ADA, PASSWORDS.ada), 200, 'she logs in again');
});

t.test('Grace accepts the invitation of a mail, with a password of her own', async (t) => {
  const invited = await ada.send('POST', '/v1/team/invitations', { email: GRACE, role: 'admin' }, { host: EVIL });
  expectStatus(t, invited, 201, 'the invitation');
  const token = await tokenFor(GRACE, /^Invitation to Example Ltd/, 'token of the invitation');
  const accept = (person: Person) =>
    person.send('POST', '/v1/team/invitations/accept', { token, password: PASSWORDS.grace });
  const accepted = await accept(grace);
  t.ok([200, 201].includes(accepted.status), JSON.stringify(accepted.body));
  t.match(accepted.body.data, { email: GRACE, role: 'admin', workspace: { id: state.workspaceId } });
  state.graceId = accepted.body.data.id;
  expectStatus(t, await accept(personAt(plane.url)), 422, 'the link works once');
  expectStatus(t, await grace.send('GET', '/v1/monitors'), 200, 'she is in');
  const made = await grace.send('POST', '/v1/api-keys', { name: 'of Grace' });
  expectStatus(t, made, 201, 'she makes an API key');
  state.graceKey = made.body.data.key;
  secrets.set('API key of Grace', state.graceKey);
});

t.test('Ada sets up an authenticator app, logs out, and logs in with it and with a recovery code', async (t) => {
  const enrolment = await ada.send('POST', '/v1/auth/mfa/totp');
  expectStatus(t, enrolment, 200, 'the enrolment');
  state.totpSecret = enrolment.body.data.secret;
  secrets.set('secret of the authenticator app', state.totpSecret);
  const verified = await ada.send('POST', '/v1/auth/mfa/totp/verify', { totp: codeAt(0) });
  expectStatus(t, verified, 200, 'the first code');
  const codes: string[] = verified.body.data.recovery_codes;
  t.equal(codes.length, 10);
  state.recoveryCodes = codes;
  for (const [index, code] of codes.entries()) {
    secrets.set(`recovery code ${index}`, code);
    secrets.set(`recovery code ${index} without dashes`, code.replaceAll('-', ''));
  }

  const before = ada.cookie(SESSION) ?? '';
  expectStatus(t, await ada.send('POST', '/v1/auth/logout'), 204, 'she logs out');
  t.equal(ada.cookie(SESSION), undefined, 'the cookie is gone');
  const thief = personAt(plane.url);
  thief.keep(SESSION, before);
  expectStatus(t, await thief.send('POST', '/v1/auth/logout'), 401, 'and so is the session');

  const missing = await logIn(ada, ADA, PASSWORDS.ada);
  expectStatus(t, missing, 401, 'the password alone');
  t.match(missing.body, { code: 'second_factor_required', second_factors: ['totp', 'recovery_code'] });
  t.equal(ada.cookie(SESSION), undefined);
  const code = codeAt(1);
  expectStatus(t, await logIn(ada, ADA, PASSWORDS.ada, { totp: code }), 200, 'with a code of the app');
  t.not(ada.cookie(SESSION), before, 'in a new session');
  expectStatus(t, await logIn(thief, ADA, PASSWORDS.ada, { totp: code }), 401, 'the code works once');

  expectStatus(t, await ada.send('POST', '/v1/auth/logout'), 204, 'she logs out again');
  const factor = { recovery_code: codes[0] };
  expectStatus(t, await logIn(ada, ADA, PASSWORDS.ada, factor), 200, 'with a recovery code');
  expectStatus(t, await logIn(thief, ADA, PASSWORDS.ada, factor), 401, 'the recovery code works once');
});

t.test('the workspace requires a second factor, which Grace does not have yet', async (t) => {
  expectStatus(t, await grace.send('PATCH', '/v1/workspace', { requires_second_factor: true }), 403, 'Grace cannot');
  expectStatus(t, await ada.send('PATCH', '/v1/workspace', { requires_second_factor: true }), 200, 'Ada can');
  await waitFor('the end of what Grace may do', ENDED_MS_MAX, async () => {
    const { status, body } = await grace.send('GET', '/v1/monitors');
    return status === 403 && body.code === 'second_factor_setup_required';
  });
  expectStatus(t, await grace.send('GET', '/v1/auth/mfa'), 200, 'she can set one up');
});

t.test('the operator sets the plan; Ada connects an identity provider, and Grace logs in through it', async (t) => {
  const set = await plane.api('PATCH', `/v1/admin/workspaces/${state.workspaceId}`, { plan: 'Enterprise' });
  expectStatus(t, set, 200, 'the key of the operator');
  expectStatus(t, await ada.send('PUT', '/v1/single-sign-on', settingsOf(provider)), 200, 'the provider');
  const added = await ada.send('POST', '/v1/single-sign-on/domains', { domain: DOMAIN });
  expectStatus(t, added, 201, 'the domain');
  const { name, value } = added.body.data.record;
  records.set(name, { answers: [{ name, type: 'TXT', ttl: 1, data: [value] }] });
  expectStatus(t, await ada.send('POST', `/v1/single-sign-on/domains/${DOMAIN}/verify`), 200, 'it is hers');

  provider.signInAs(accountOf(GRACE));
  const start = `${plane.url}/v1/auth/sso/start?workspace=${state.workspaceId}`;
  const callback = `${plane.url}/v1/auth/sso/callback`;
  const done = await providerBrowser.open(await providerBrowser.until(start, callback));
  t.equal(done.status, 302, done.text.slice(0, 500));
  secrets.set('session of the single sign-on', providerBrowser.cookie(plane.url, SESSION) ?? '');
  const me = await providerBrowser.open(`${plane.url}/v1/auth/me`);
  t.match(JSON.parse(me.text), { data: { id: state.graceId, email: GRACE, role: 'admin' } });
  t.equal((await providerBrowser.open(`${plane.url}/v1/monitors`)).status, 200, 'the provider is the second factor');
});

t.test('Grace is removed: her sessions and her API key end, and the provider lets her in no more', async (t) => {
  const withKey = () => personAt(plane.url).send('GET', '/v1/monitors', undefined, authorization());
  const authorization = () => ({ authorization: `Bearer ${state.graceKey}` });
  expectStatus(t, await withKey(), 200, 'her key works');
  expectStatus(t, await ada.send('DELETE', `/v1/team/members/${state.graceId}`), 204, 'Ada removes her');
  expectStatus(t, await grace.send('POST', '/v1/auth/logout'), 401, 'her session changes nothing more at once');
  await waitFor('the end of all her access', ENDED_MS_MAX, async () => {
    const sso = await providerBrowser.open(`${plane.url}/v1/monitors`);
    const statuses = [sso.status, (await grace.send('GET', '/v1/auth/me')).status, (await withKey()).status];
    return statuses.every((status) => status === 401);
  });
  t.match((await withKey()).body, { code: 'key_revoked' });
  const again = browser();
  const start = `${plane.url}/v1/auth/sso/start?workspace=${state.workspaceId}`;
  const refused = await again.open(await again.until(start, `${plane.url}/v1/auth/sso/callback`));
  t.equal(refused.status, 403, 'the provider cannot bring her back');
  t.equal(again.cookie(plane.url, SESSION), undefined);
  t.equal((await mongo.db.collection('sessions').countDocuments({ user_id: state.graceId })) > 0, false);
});

t.test('Ada changes her password, which ends her other session', async (t) => {
  const elsewhere = personAt(plane.url);
  const factor = { recovery_code: state.recoveryCodes[2] };
  expectStatus(t, await logIn(elsewhere, ADA, PASSWORDS.ada, factor), 200, 'she is logged in twice');
  secrets.set('other session of Ada', elsewhere.cookie(SESSION) ?? '');
  const password = 'nine lanterns float upriver';
  const change = (current_password: string, next: string) =>
    ada.send('POST', '/v1/auth/password', { current_password, password: next });
  expectStatus(t, await change('not her password', password), 422, 'with a wrong current password');
  expectStatus(t, await change(PASSWORDS.ada, 'password12345'), 422, 'to a common one');
  expectStatus(t, await change(PASSWORDS.ada, password), 204, 'to another one');
  state.adaPassword = password;
  secrets.set('new password of Ada', password);
  expectStatus(t, await elsewhere.send('POST', '/v1/auth/logout'), 401, 'the other session has ended');
  expectStatus(t, await ada.send('GET', '/v1/auth/me'), 200, 'this one has not');
  await mailTo(mailbox, ADA, /password/i);
});

t.test('a reset link of a request with a foreign Host leads to the public URL, and works', async (t) => {
  const person = personAt(plane.url);
  const asked = await person.send('POST', '/v1/auth/password/forgot', { email: ADA }, { host: EVIL });
  expectStatus(t, asked, 202, 'the request');
  const unknown = await person.send('POST', '/v1/auth/password/forgot', { email: `nobody@${DOMAIN}` });
  t.same([unknown.status, unknown.body], [asked.status, asked.body], 'the answer is the same for an unknown address');
  const token = await tokenFor(ADA, /^Reset your password/, 'token of the reset');
  const other = 'ada@elsewhere.example';
  expectStatus(
    t,
    await ada.send('POST', '/v1/auth/email', { email: other, password: state.adaPassword }),
    202,
    'a thief',
  );
  const ofThief = await tokenFor(other, /^Confirm your new e-mail address/, 'token of the new address');
  const password = 'seven slow trams pass the mill';
  secrets.set('reset password of Ada', password);
  expectStatus(t, await person.send('POST', '/v1/auth/password/reset', { token, password }), 204, 'the reset');
  t.equal(person.cookie(SESSION), undefined, 'it signs nobody in');
  const late = await person.send('POST', '/v1/auth/email/confirm', { token: ofThief });
  expectStatus(t, late, 422, 'an address that was asked for with the previous password cannot be confirmed any more');
  expectStatus(t, await ada.send('POST', '/v1/auth/logout'), 401, 'all sessions have ended');
  const missing = await logIn(ada, ADA, password);
  t.match(missing.body, { code: 'second_factor_required' }, 'the second factor stays');
  const factor = { recovery_code: state.recoveryCodes[1] };
  expectStatus(t, await logIn(ada, ADA, password, factor), 200, 'with a second factor');
  for (const { raw, parts } of mailbox.mails) t.notMatch([raw, ...Object.values(parts)].join('\n'), EVIL);
});

t.test('no page of another site can use a public endpoint of the log-in', async (t) => {
  const document = (await personAt(plane.url).send('GET', '/v1/openapi.json')).body;
  const paths: Record<string, Record<string, PublicOperation>> = document.paths;
  const open = Object.entries(paths).filter(
    ([path, { post }]) => /^\/v1\/(auth|team)\//.test(path) && post?.['x-picket-access'] === 'public',
  );
  const names = open.map(([path]) => path);
  for (const name of ['login', 'signup', 'password/forgot', 'password/reset', 'email/confirm', 'passkeys/login'])
    t.ok(names.includes(`/v1/auth/${name}`), name);
  t.ok(names.includes('/v1/team/invitations/accept'));
  for (const [path, { post }] of open) {
    const example = post?.requestBody?.content['application/json']?.example;
    for (const headers of [{ origin: `https://${EVIL}` }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await personAt(plane.url).send('POST', path, example, headers);
      t.match(answer, { status: 403, body: { code: 'forbidden' } }, `${path} with ${JSON.stringify(headers)}`);
    }
  }
});

interface PublicOperation {
  'x-picket-access'?: string;
  requestBody?: { content: Record<string, { example: unknown }> };
}

/** What each person did, in this order. Failed log-ins are recorded after their answers, so they are left out. */
const ACTIONS = {
  [ADA]: [
    ...['auth.login', 'auth.signed_up', 'auth.email_confirmed', 'auth.login', 'team.member_invited'],
    'auth.mfa_enabled',
    ...['auth.logout', 'auth.login', 'auth.logout', 'auth.login', 'workspace.updated', 'integration.connected'],
    ...[
      'team.member_removed',
      'auth.login',
      'auth.password_changed',
      'auth.password_reset_requested',
      'auth.password_reset',
      'auth.login',
    ],
  ],
  [GRACE]: ['auth.login', 'team.member_joined', 'api_key.created', 'auth.login'],
};

t.test('the audit log has every step, with the address and the browser of the person', async (t) => {
  const entries = () =>
    mongo.db.collection('audit_log').find({ workspace_id: state.workspaceId }).sort({ _id: 1 }).toArray();
  const failures = (entry: Record<string, unknown>) => entry['action'] === 'auth.login_failed';
  await waitFor('the failed log-ins', ENDED_MS_MAX, async () => (await entries()).filter(failures).length >= 3);
  const stored = await entries();
  for (const [email, actions] of Object.entries(ACTIONS)) {
    const own = stored.filter((entry) => entry['actor'].email === email && !failures(entry));
    t.same(
      own.map(({ action }) => action).filter((action) => actions.includes(action)),
      actions,
      email,
    );
  }
  const people = stored.filter((entry) => [ADA, GRACE].includes(entry['actor'].email));
  t.ok(people.length > 0);
  for (const { action, actor, metadata } of people) {
    t.equal(actor.ip, '127.0.0.1', `${action} has the address`);
    if (!/^(auth|team|billing|workspace)\./.test(action)) continue;
    const isOfBrowser = metadata.user_agent === USER_AGENT || metadata.user_agent === 'node';
    t.ok(isOfBrowser, `${action} has the browser: ${metadata.user_agent}`);
  }
});

t.test('nothing secret is in the database, in the log or in an answer of the audit log', async (t) => {
  for (const [name, person] of Object.entries({ ada, grace })) {
    t.ok(person.cookies().length > 0);
    for (const [index, value] of person.cookies().entries()) secrets.set(`session ${index} of ${name}`, value);
  }
  for (const [what, secret] of secrets) t.ok(secret.length >= 12, what);
  t.same(await storedSecrets(mongo.db, secrets), []);
  const audit = await ada.send('GET', '/api/v1/audit-logs?limit=200');
  expectStatus(t, audit, 200, 'the audit log');
  t.same(secretsIn(JSON.stringify(audit.body), secrets), []);
  // Stopped first, so that the last lines count too.
  t.equal(await plane.stop(), 0);
  t.match(plane.output(), /"msg":/);
  t.same(secretsIn(plane.output(), secrets), []);
  t.same(
    secretsIn(JSON.stringify({ found: PASSWORDS.ada }), secrets),
    ['password of Ada'],
    'the search finds what is there',
  );
});
