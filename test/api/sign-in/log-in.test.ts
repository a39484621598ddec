import { hash } from '@node-rs/argon2';
import { MongoClient } from 'mongodb';
import t from 'tap';
import type { SessionDocument } from '../../../control-plane/sessions/documents.js';
import type { SecondFactorCheck } from '../../../control-plane/sessions/second-factor-check.js';
import { testDatabase } from '../../helpers/database.js';
import { buildSession, buildWorkspace } from '../../helpers/factories.js';
import { createGate } from '../../helpers/gate.js';
import { sessionOf, startSignIn } from '../../helpers/sign-in/setup.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** A person whose address begins with `mfa` has an authenticator app, which shows 123456. */
const secondFactors: SecondFactorCheck = {
  factorsOf: async ({ email }) => (email.startsWith('mfa') ? ['totp', 'recovery_code'] : []),
  async verify(_tx, { email }, { totp }) {
    if (totp === undefined) return 'missing';
    return email.startsWith('mfa') && totp === '123456' ? 'right' : 'wrong';
  },
};
const app = await startSignIn(mongo, { secondFactors });
t.teardown(() => app.close());

const as = (cookie: string, headers: Record<string, string> = {}) => ({ key: null, headers: { cookie, ...headers } });
const entries = (action: string, workspaceId: string) =>
  mongo.db.collection('audit_log').find({ action, workspace_id: workspaceId }).sort({ _id: 1 }).toArray();
const failureIn = (workspaceId: string) =>
  waitFor('the entry', 60_000, async () => (await entries('auth.login_failed', workspaceId)).at(-1));

t.test('a person logs in', async (t) => {
  const person = await app.person();
  const answer = await app.logIn(person.email.toUpperCase(), {
    from: '192.0.2.9',
    headers: { 'user-agent': 'curl/8' },
  });
  t.match(answer, { status: 200, body: { data: { id: person.userId, role: 'owner', api_key: null } } });
  t.match(answer.headers.getSetCookie(), [/^picket_session=.{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/]);
  t.equal((await app.request('POST', '/v1/ping', as(sessionOf(answer)))).status, 200);
  t.match((await entries('auth.login', person.id)).at(-1), {
    actor: { id: person.userId, ip: '192.0.2.9' },
    metadata: { method: 'password', second_factor: false },
  });
});

t.test('a log-in replaces the hash of an earlier version', async (t) => {
  const users = mongo.db.collection<{ _id: string; password_hash: string }>('users');
  const password = 'an old password of ours';
  const person = await app.person({ email: 'mfa-old@example.com' });
  const before = await hash(password);
  await users.updateOne({ _id: person.userId }, { $set: { password_hash: before } });
  const stored = async () => (await users.findOne({ _id: person.userId }))?.password_hash ?? '';
  t.equal((await app.logIn(person.email, { password: 'wrong', totp: '123456' })).status, 401);
  t.equal((await app.logIn(person.email, { password, totp: '000000' })).status, 401);
  t.equal(await stored(), before, 'not before the person is logged in');
  t.equal((await app.logIn(person.email, { password, totp: '123456' })).status, 200);
  const after = await stored();
  t.match(after, /^keyed\$argon2id/);
  t.equal((await app.logIn(person.email, { password, totp: '123456' })).status, 200);
  t.equal(await stored(), after, 'once');
});

t.test('the answer does not tell whether somebody has the address', async (t) => {
  const person = await app.person();
  const answers = [];
  for (const email of [person.email, 'nobody@example.com']) {
    const { status, headers, body } = await app.logIn(email, { password: 'wrong', headers: { 'x-request-id': 'r' } });
    const shown = Object.fromEntries([...headers].filter(([name]) => !/^(date|ratelimit-)/.test(name)));
    answers.push({ status, shown, body });
  }
  t.same(answers[0], answers[1]);
  t.match(answers[0], {
    ...{ status: 401, body: { code: 'unauthenticated', detail: 'The e-mail address or the password is wrong.' } },
  });
});

t.test('the work for the answer does not tell it either, and no answer waits for the audit log', async (t) => {
  const client = new MongoClient(mongo.uri, { monitorCommands: true });
  const gate = createGate();
  const watched = { ...mongo, client, db: client.db(mongo.db.databaseName) };
  // Only the entry in the audit log has a transaction here.
  const gated = await startSignIn(watched, { beforeTransaction: gate.pass });
  t.teardown(async () => {
    gate.open();
    await gated.close();
    await client.close();
  });
  const person = await gated.person();
  const commands: string[] = [];
  client.on('commandStarted', ({ commandName, command }) => commands.push(`${commandName} ${command[commandName]}`));
  const guess = async (email: string, from: string) => {
    commands.length = 0;
    t.equal((await gated.logIn(email, { password: 'wrong', from })).status, 401);
    return commands.filter((command) => /attempts|users/.test(command)).sort();
  };
  const [known, unknown] = [await guess(person.email, '192.0.2.31'), await guess('somebody@example.com', '192.0.2.32')];
  t.ok(known.length >= 5, `${known.length} commands`);
  t.same(unknown, known, 'the same commands');
  t.match(gated.verified, [/^keyed/, null]);
  t.equal(gated.verified.length, 2, 'one hash each');
  t.same(await entries('auth.login_failed', person.id), [], 'the entry is not written yet');
  gate.open();
  t.match(await failureIn(person.id), { actor: { email: person.email } });
});

t.test(
  'a failure is recorded in the workspace of the account; for an unknown address, in that of the operators',
  async (t) => {
    const person = await app.person();
    const foreign = {
      from: '192.0.2.77',
      headers: { 'user-agent': 'curl/8', 'x-request-id': 'fails' },
      password: 'wrong',
    };
    await app.logIn(person.email, foreign);
    t.match(await failureIn(person.id), {
      actor: { id: person.userId, email: person.email, ip: '192.0.2.77' },
      resource: { type: 'user', id: person.userId, name: person.email },
      metadata: { method: 'password', reason: 'password', user_agent: 'curl/8' },
      severity: 'warning',
      request_id: 'fails',
    });
    const operators = await buildWorkspace(mongo, { operator: true });
    await app.logIn('Nobody.Else@example.com', foreign);
    t.match(await failureIn(operators.id), {
      actor: { id: null, email: 'nobody.else@example.com', ip: '192.0.2.77' },
      resource: { type: 'user', id: 'unknown' },
      metadata: { user_agent: 'curl/8' },
    });
    const all = JSON.stringify(await mongo.db.collection('audit_log').find().toArray());
    t.notMatch(all, /"wrong"/, 'no entry has the password');
  },
);

t.test('a person without a password cannot log in with one', async (t) => {
  const person = await app.person();
  const user = { _id: person.userId };
  await mongo.db.collection<{ _id: string }>('users').updateOne(user, { $set: { password_hash: null } });
  t.equal((await app.logIn(person.email)).status, 401);
});

t.test('a second factor is asked for after the right password only', async (t) => {
  const person = await app.person({ email: `mfa-${Date.now()}@example.com` });
  const missing = await app.logIn(person.email);
  t.match(missing, {
    ...{ status: 401, body: { code: 'second_factor_required', second_factors: ['totp', 'recovery_code'] } },
  });
  t.same(missing.headers.getSetCookie(), []);
  t.match(await app.logIn(person.email, { password: 'wrong' }), { status: 401, body: { code: 'unauthenticated' } });
  t.match(await app.logIn(person.email, { password: 'wrong', totp: '123456' }), { body: { code: 'unauthenticated' } });
  t.match(await app.logIn(person.email, { totp: '000000' }), {
    ...{ status: 401, body: { code: 'unauthenticated', detail: 'The second factor is wrong.' } },
  });
  await waitFor(
    'the entry',
    5_000,
    async () => (await entries('auth.login_failed', person.id)).at(-1)?.['metadata'].reason === 'second_factor',
  );
  const right = await app.logIn(person.email, { totp: '123456' });
  t.equal(right.status, 200);
  t.match((await entries('auth.login', person.id)).at(-1), { metadata: { second_factor: true } });
});

t.test('a page of another site cannot log a browser in', async (t) => {
  const person = await app.person();
  const foreign = await app.logIn(person.email, { headers: { origin: 'https://evil.example' } });
  t.match(foreign, { status: 403, body: { code: 'forbidden' } });
  t.same(foreign.headers.getSetCookie(), []);
  t.equal((await app.logIn(person.email, { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  t.equal((await app.logIn(person.email, { headers: { origin: 'http://picket.test' } })).status, 200);
});

t.test('session fixation: a planted session does not become that of the person', async (t) => {
  const [attacker, victim] = [await app.person(), await app.person()];
  const planted = await buildSession(mongo, attacker);
  const answer = await app.logIn(victim.email, { headers: { cookie: planted.cookie } });
  t.not(sessionOf(answer), planted.cookie);
  t.equal((await app.request('POST', '/v1/ping', as(planted.cookie))).status, 401);
  t.match((await app.request('POST', '/v1/ping', as(sessionOf(answer)))).body.data, { email: victim.email });
});

t.test('what is not a log-in is refused before anything is hashed', async (t) => {
  app.verified.length = 0;
  const send = async (body: unknown) => (await app.request('POST', '/v1/auth/login', { key: null, body })).status;
  const email = 'anna@example.com';
  for (const body of [
    {},
    { email },
    { email, password: '' },
    { email, password: 'x'.repeat(129) },
    { email: 'no address', password: 'x' },
    { email: `${'a'.repeat(250)}@b.c`, password: 'x' },
    { email, password: 'x', totp: '12345' },
    { email, password: 'x', remember: true },
    { email: { $ne: null }, password: { $ne: null } },
  ]) {
    t.equal(await send(body), 422, JSON.stringify(body).slice(0, 80));
  }
  t.same(app.verified, []);
});

t.test('log-out ends the session and removes its cookie', async (t) => {
  const person = await app.person();
  const cookie = sessionOf(await app.logIn(person.email));
  t.equal((await app.request('POST', '/v1/auth/logout', as(cookie, { origin: 'https://evil.example' }))).status, 403);
  const out = await app.request('POST', '/v1/auth/logout', as(cookie));
  t.equal(out.status, 204);
  t.same(out.headers.getSetCookie(), ['picket_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
  t.equal((await app.request('POST', '/v1/ping', as(cookie))).status, 401);
  t.equal((await app.request('POST', '/v1/auth/logout', as(cookie))).status, 401);
  t.match((await entries('auth.logout', person.id)).at(-1), {
    actor: { id: person.userId },
    resource: { type: 'session' },
  });
  t.equal((await app.request('POST', '/v1/auth/logout')).status, 403, 'a key is no session');
});

t.test('a confirmation makes a session fresh again', async (t) => {
  const person = await app.person({ email: `mfa-${Date.now()}@example.com` });
  const old = { confirmed_at_ms: Date.now() - 3_600_000 };
  const { cookie, session } = await buildSession(mongo, person, old);
  const stored = () => mongo.db.collection<SessionDocument>('sessions').findOne({ _id: session._id });
  const confirm = (body: unknown) => app.request('POST', '/v1/auth/confirm', { ...as(cookie), body });
  t.match(await confirm({ password: 'wrong' }), { status: 403, body: { code: 'forbidden' } });
  t.match(await confirm({ totp: '000000' }), { status: 403, body: { code: 'forbidden' } });
  t.match(await stored(), old);
  for (const body of [{}, { password: 'x', totp: '123456' }]) t.equal((await confirm(body)).status, 422);
  const beforeMs = Date.now();
  t.equal((await confirm({ password: 'correct horse battery staple' })).status, 204);
  const confirmedAtMs = Number((await stored())?.confirmed_at_ms);
  t.ok(confirmedAtMs >= beforeMs && confirmedAtMs <= Date.now(), `confirmed at ${confirmedAtMs}`);
  t.match(await stored(), { second_factor: false });
  t.equal((await confirm({ totp: '123456' })).status, 204);
  t.match(await stored(), { second_factor: true }, 'the person has proved a second factor');
  await waitFor('the entries', 5_000, async () => (await entries('auth.login_failed', person.id)).length === 2);
  for (let count = 0; count < 10; count++) await confirm({ password: 'wrong' });
  t.match(await confirm({ password: 'correct horse battery staple' }), { status: 429 }, 'failures count');
});
