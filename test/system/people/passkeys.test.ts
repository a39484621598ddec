import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { freePort } from '../../helpers/machine/ports.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { buildPerson } from '../../helpers/second-factor/accounts.js';
import { type BrowserPerson, browserPerson } from '../../helpers/second-factor/browser.js';

const mongo = await testDatabase();
const port = await freePort();
const ORIGIN = `http://localhost:${port}`;
const plane = await startControlPlane(mongo.uri, { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: ORIGIN });
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await plane.remove();
  await mongo.drop();
});

interface Account {
  email: string;
  password: string;
}

const owner: Account = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));

async function challenge(person: BrowserPerson, purpose: 'login' | 'second_factor' = 'login') {
  return (await person.call('POST', '/v1/auth/passkeys/challenge', { for: purpose })).body.data;
}

/** Logs in with the password, adds a passkey, and logs out again. */
async function withPasskey(account: Account) {
  const person = await browserPerson(browser);
  t.teardown(() => person.close());
  await person.open(ORIGIN);
  const { email, password } = account;
  const signedIn = await person.call('POST', '/v1/auth/login', { email, password });
  const options = await person.call('POST', '/v1/auth/passkeys/options');
  const credential = await person.create(options.body.data);
  const added = await person.call('POST', '/v1/auth/passkeys', { name: 'Laptop', credential });
  const after = await person.call('GET', '/v1/monitors');
  await person.call('POST', '/v1/auth/logout');
  return { person, account: { email, password }, signedIn, added, after };
}

const logIn = async (person: BrowserPerson, credential: object) =>
  person.call('POST', '/v1/auth/passkeys/login', { credential });

const ann = await withPasskey(owner);

t.test('a passkey of a real browser is registered', async (t) => {
  t.equal(ann.signedIn.status, 200);
  t.match(ann.added, { status: 201, body: { data: { name: 'Laptop', recovery_codes: Array(10).fill(String) } } });
  t.equal(ann.after.status, 200, 'the session goes on');
  t.equal((await ann.person.call('GET', '/v1/auth/me')).status, 401, 'logged out');
});

t.test('a passkey logs in without a password, and each answer works once', async (t) => {
  const { person } = ann;
  const credential = await person.get(await challenge(person));
  t.match(await logIn(person, credential), { status: 200, body: { data: { email: owner.email, api_key: null } } });
  t.match(await person.call('GET', '/v1/auth/me'), { status: 200, body: { data: { email: owner.email } } });
  t.match(await person.call('GET', '/v1/auth/passkeys'), { body: { data: [{ name: 'Laptop', last_used_at: /Z$/ }] } });
  await person.call('POST', '/v1/auth/logout');
  t.equal((await logIn(person, credential)).status, 401, 'a replay');
});

t.test('a passkey is the second factor of a log-in with the password, and confirms a session', async (t) => {
  const { person, account } = ann;
  t.match(await person.call('POST', '/v1/auth/login', account), {
    status: 401,
    body: { code: 'second_factor_required', second_factors: ['passkey', 'recovery_code'] },
  });
  const passkey = await person.get(await challenge(person, 'second_factor'));
  t.equal((await person.call('POST', '/v1/auth/login', { ...account, passkey })).status, 200);
  const again = await person.get(await challenge(person, 'second_factor'));
  t.equal((await person.call('POST', '/v1/auth/confirm', { passkey: again })).status, 204);
  t.equal((await person.call('POST', '/v1/auth/confirm', { passkey: again })).status, 403, 'a replay');
  await person.call('POST', '/v1/auth/logout');
});

t.test('an answer that a page of another origin got is refused', async (t) => {
  const { person } = ann;
  const options = await challenge(person);
  await person.open(`http://localhost:${port + 1}`);
  const phished = await person.get(options);
  await person.open(ORIGIN);
  t.match(await logIn(person, phished), { status: 401, body: { code: 'unauthenticated' } });
});

t.test('an answer for another host is refused, although it is signed with the same key', async (t) => {
  const { person } = ann;
  const [credential] = await person.credentials();
  if (credential === undefined) throw new Error('the authenticator has no credential');
  await person.replaceCredential({ ...credential, rpId: 'picket.localhost' });
  const options = await challenge(person);
  await person.open(`http://picket.localhost:${port}`);
  const other = await person.get({ ...options, rpId: 'picket.localhost' });
  await person.open(ORIGIN);
  await person.replaceCredential({ ...credential, signCount: credential.signCount + 10 });
  t.equal((await logIn(person, other)).status, 401);
  t.equal((await logIn(person, await person.get(await challenge(person)))).status, 200, 'for this host it works');
  await person.call('POST', '/v1/auth/logout');
});

t.test('a copy of a passkey is noticed by its counter', async (t) => {
  const { person } = ann;
  const [credential] = await person.credentials();
  if (credential === undefined) throw new Error('the authenticator has no credential');
  await person.replaceCredential({ ...credential, signCount: credential.signCount - 5 });
  t.equal((await logIn(person, await person.get(await challenge(person)))).status, 401, 'the copy is behind');
  await person.replaceCredential(credential);
  t.equal((await logIn(person, await person.get(await challenge(person)))).status, 200, 'the original');
  await person.call('POST', '/v1/auth/logout');
});

t.test('the passkey of somebody else is no second factor', async (t) => {
  const bob = await withPasskey(await buildPerson(mongo, 'bob@example.com'));
  t.equal(bob.added.status, 201);
  const passkey = await ann.person.get(await challenge(ann.person, 'second_factor'));
  t.match(await bob.person.call('POST', '/v1/auth/login', { ...bob.account, passkey }), {
    status: 401,
    body: { code: 'unauthenticated' },
  });
  const own = await bob.person.get(await challenge(bob.person, 'second_factor'));
  t.equal((await bob.person.call('POST', '/v1/auth/login', { ...bob.account, passkey: own })).status, 200);
});

t.test('failed log-ins of a passkey are on the audit log of the workspace', async (t) => {
  const log = await plane.api('GET', '/v1/audit-logs?action=auth.login_failed');
  t.match(log.body.data[0], { actor: { email: owner.email }, metadata: { method: 'passkey' } });
});
