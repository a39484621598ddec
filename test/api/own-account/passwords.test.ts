import t from 'tap';
import { deviceOf } from '../../../control-plane/sessions/devices/device.js';
import { createDevicesStore } from '../../../control-plane/sessions/devices/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';
import { buildSession } from '../../helpers/factories.js';
import {
  OTHER_PASSWORD,
  PASSWORD,
  startOwnAccount,
  type TestPerson,
  tokenOf,
} from '../../helpers/own-account/setup.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const app = await startOwnAccount(mongo);
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

const MINUTE_MS = 60_000;
const TOKEN_ENDED = { status: 422, body: { errors: [{ path: '/token' }] } };

const forgot = (email: string) => app.as(null, 'POST', '/v1/auth/password/forgot', { email });
const reset = (token: string, password = OTHER_PASSWORD) =>
  app.as(null, 'POST', '/v1/auth/password/reset', { token, password });
const change = (person: TestPerson, password = OTHER_PASSWORD) =>
  app.as(person, 'POST', '/v1/auth/password', { current_password: PASSWORD, password });
const confirm = (token: string) => app.as(null, 'POST', '/v1/auth/email/confirm', { token, password: PASSWORD });

/** Asks for a link, and resolves to its token. */
async function resetToken(person: TestPerson): Promise<string> {
  await forgot(person.email);
  return tokenOf(app.mailsTo(person.email, 'password_reset').at(-1));
}

/** Asks for another address, and resolves to the token of the mail to it. */
async function emailToken(person: TestPerson): Promise<string> {
  const email = `new-${person.email}`;
  const asked = await app.as(person, 'POST', '/v1/auth/email', { email, password: PASSWORD });
  if (asked.status !== 202) throw new Error(asked.text);
  return tokenOf(app.mailsTo(email, 'confirm_email_change').at(-1));
}

t.test('a link for a new password works for 30 minutes', async (t) => {
  const [early, late] = [await app.person(), await app.person()];
  const tokens = [await resetToken(early), await resetToken(late)];
  app.later(29.5 * MINUTE_MS);
  t.equal((await reset(tokens[0] ?? '')).status, 204);
  app.later(MINUTE_MS);
  t.match(await reset(tokens[1] ?? ''), TOKEN_ENDED);
});

t.test('how long the answer takes does not tell whether an address has an account', async (t) => {
  const person = await app.person();
  for (const email of [person.email, 'nobody@example.com']) {
    let wake = () => {};
    app.sleepUntil(new Promise((resolve) => (wake = resolve)));
    app.sleeps.length = 0;
    let isAnswered = false;
    const answer = forgot(email).finally(() => {
      isAnswered = true;
    });
    await waitFor('the request to sleep', 30_000, () => app.sleeps.length > 0, 5);
    if (email === person.email) await waitFor('the mail', 30_000, () => app.mailsTo(email).length === 1, 5);
    await app.as(null, 'GET', '/v1/openapi.json');
    t.notOk(isAnswered, 'the work alone does not answer it');
    app.sleepUntil(null);
    wake();
    t.equal((await answer).status, 202);
    t.same(app.sleeps, [300], 'the same time for all');
  }
});

t.test('a person gets one link in five minutes, and each works until one is used', async (t) => {
  const person = await app.person();
  const first = await resetToken(person);
  await forgot(person.email);
  t.equal(app.mailsTo(person.email).length, 1, 'nobody can fill a mailbox');
  app.later(5 * MINUTE_MS + 1_000);
  const second = await resetToken(person);
  t.equal(app.mailsTo(person.email).length, 2);
  t.equal((await reset(first)).status, 204, 'whoever asks again does not end it');
  t.match(await reset(second), TOKEN_ENDED);
});

t.test('mails that nobody uses become rarer, but not those that the person asks for', async (t) => {
  const person = await app.person();
  const sentAfter = async (minutes: number, ask: () => Promise<unknown> = () => forgot(person.email)) => {
    app.later(minutes * MINUTE_MS + 1_000);
    await ask();
    return app.mailsTo(person.email, 'password_reset').length;
  };
  t.same([await sentAfter(0), await sentAfter(5), await sentAfter(5), await sentAfter(5)], [1, 2, 2, 3]);
  const own = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const device = { device: deviceOf(own['user-agent']), network: '198.51.100.9' };
  const remember = createDevicesStore(mongo.db).remember;
  await createRunTransaction(mongo.client)((tx) => remember(tx, person.userId, device, app.clock.now()));
  const headers = { ...own, 'x-forwarded-for': device.network };
  const fromOwnDevice = () =>
    app.request('POST', '/v1/auth/password/forgot', { key: null, headers, body: { email: person.email } });
  t.equal(await sentAfter(5), 3, 'twenty minutes after the third');
  t.equal(await sentAfter(1, fromOwnDevice), 4, 'the device of the person');
  t.equal((await reset(tokenOf(app.mailsTo(person.email, 'password_reset').at(-1)))).status, 204);
  t.equal(await sentAfter(5), 5, 'a mail that was used begins again');
});

t.test('the link of the latest mail works until another can be sent', async (t) => {
  const person = await app.person();
  let token = '';
  for (const pause of [0, 5, 10, 20, 40]) {
    app.later(pause * MINUTE_MS + 1_000);
    token = await resetToken(person);
  }
  t.equal(app.mailsTo(person.email, 'password_reset').length, 5);
  app.later(79 * MINUTE_MS);
  await forgot(person.email);
  t.equal(app.mailsTo(person.email, 'password_reset').length, 5, 'somebody asked for so many that there is none now');
  t.equal((await reset(token)).status, 204);
});

t.test('a reset refuses a password that is made from the address, and keeps the link', async (t) => {
  const person = { ...(await app.person()), email: 'marigold@example.com' };
  const user = { _id: person.userId };
  await mongo.db.collection<{ _id: string }>('users').updateOne(user, { $set: { email: person.email } });
  const token = await resetToken(person);
  const refused = await reset(token, `${person.email}1`);
  t.match(refused, { status: 422, body: { errors: [{ path: '/password', message: /made from your address/ }] } });
  t.equal((await reset(token)).status, 204);
});

t.test('a reset ends every session and a change of the address that waits, and is audited', async (t) => {
  const person = await app.person();
  const ofThief = await emailToken(person);
  t.equal((await reset(await resetToken(person))).status, 204);
  t.equal((await app.as(person, 'POST', '/v1/ping')).status, 401);
  t.match(await confirm(ofThief), TOKEN_ENDED);
  t.equal(app.mailsTo(person.email, 'password_changed').length, 1);
  t.equal((await app.entries('auth.password_reset', person.userId)).length, 1);
});

t.test('a changed password ends links for a new one and a change of the address that waits', async (t) => {
  const person = await app.person();
  const tokens = { reset: await resetToken(person), email: await emailToken(person) };
  t.equal((await change(person)).status, 204);
  t.match(await reset(tokens.reset), TOKEN_ENDED);
  t.match(await confirm(tokens.email), TOKEN_ENDED);
});

t.test("a changed password ends the other sessions of the person, and nobody else's", async (t) => {
  const [person, somebody] = [await app.person(), await app.person()];
  const other = await buildSession(
    mongo,
    { id: person.workspaceId, userId: person.userId },
    { nowMs: app.clock.now() },
  );
  t.equal((await change(person)).status, 204);
  const statuses = [];
  for (const one of [person, somebody, other]) statuses.push((await app.as(one, 'POST', '/v1/ping')).status);
  t.same(statuses, [200, 200, 401]);
  t.equal(app.mailsTo(person.email, 'password_changed').length, 1);
  t.equal((await app.entries('auth.password_changed', person.userId)).length, 1);
});

t.test('a change to a common password, or to one made from the workspace, is refused', async (t) => {
  const person = await app.person();
  for (const weak of ['password12345', `${person.workspaceName}!`]) {
    t.match(await change(person, weak), { status: 422, body: { errors: [{ path: '/password' }] } }, weak);
  }
  const same = await change(person, PASSWORD);
  t.match(same, { status: 422, body: { errors: [{ path: '/password', code: 'same_password' }] } });
});

t.test('another address ends the links for a new password that went to the previous one', async (t) => {
  const person = await app.person();
  const toPrevious = await resetToken(person);
  t.equal((await confirm(await emailToken(person))).status, 204);
  t.match(await reset(toPrevious), TOKEN_ENDED);
});
