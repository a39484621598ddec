import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { PASSWORD, startOwnAccount, type TestPerson, tokenOf } from '../../helpers/own-account/setup.js';

const mongo = await testDatabase();
const app = await startOwnAccount(mongo);
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

const HOUR_MS = 3_600_000;
const NETWORK = '203.0.113.7';
const TOKEN_ENDED = { status: 422, body: { errors: [{ path: '/token' }] } };

const confirm = (token: string) => app.as(null, 'POST', '/v1/auth/email/confirm', { token, password: PASSWORD });
const change = (person: TestPerson, email: string, from?: string) =>
  app.as(person, 'POST', '/v1/auth/email', { email, password: PASSWORD }, from);
const tokenTo = (email: string) => tokenOf(app.mailsTo(email, 'confirm_email_change').at(-1));
const workspaces = mongo.db.collection<{ _id: string; confirmed_at_ms: number | null }>('workspaces');

t.test('a link to confirm an address works for a day', async (t) => {
  const [early, late] = [await app.person(), await app.person()];
  for (const person of [early, late]) await change(person, `day-${person.email}`);
  const tokens = [early, late].map(({ email }) => tokenTo(`day-${email}`));
  app.later(23.5 * HOUR_MS);
  t.equal((await confirm(tokens[0] ?? '')).status, 204);
  app.later(HOUR_MS);
  t.match(await confirm(tokens[1] ?? ''), TOKEN_ENDED);
});

t.test('whoever reads the mail needs the session of the account, or its password', async (t) => {
  const [person, other] = [await app.person(), await app.person()];
  await change(person, `mine-${person.email}`);
  const token = tokenTo(`mine-${person.email}`);
  const confirmAs = (by: TestPerson | null, password?: string, from?: string) =>
    app.as(by, 'POST', '/v1/auth/email/confirm', { token, ...(password === undefined ? {} : { password }) }, from);
  const refused = (code: string) => ({ status: 422, body: { errors: [{ path: '/password', code }] } });
  t.match(await confirmAs(null), refused('required'));
  t.match(await confirmAs(other), refused('required'), 'with another account');
  t.match(await confirmAs(null, 'wrong'), refused('wrong'));
  t.match(await app.entries('auth.login_failed', person.userId), [{ metadata: { reason: 'confirmation' } }]);
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess++) statuses.push((await confirmAs(null, 'wrong', '203.0.113.9')).status);
  t.equal(statuses.at(-1), 429, 'wrong passwords count like those of log-ins');
  const stored = () => mongo.db.collection<{ _id: string }>('users').findOne({ _id: person.userId });
  t.match(await stored(), { email: person.email });
  t.equal((await confirmAs(person)).status, 204, 'no refusal has used the link up');
  t.match(await stored(), { email: `mine-${person.email}` });
});

t.test('only the newest link works', async (t) => {
  const person = await app.person();
  const [first, second] = [`first-${person.email}`, `second-${person.email}`];
  await change(person, first);
  await change(person, second);
  t.match(await confirm(tokenTo(first)), TOKEN_ENDED);
  t.equal((await confirm(tokenTo(second))).status, 204);
  t.equal((await app.entries('auth.email_changed', person.userId)).length, 1);
});

t.test('an address that somebody has taken since is refused, and the person keeps theirs', async (t) => {
  const [person, other] = [await app.person(), await app.person()];
  const wanted = `wanted-${person.email}`;
  await change(person, wanted);
  await change(other, wanted);
  const [ofPerson, ofOther] = app.mailsTo(wanted).map(tokenOf);
  t.equal((await confirm(ofOther ?? '')).status, 204);
  t.match(await confirm(ofPerson ?? ''), { status: 409, body: { code: 'conflict' } });
  const stored = await mongo.db.collection<{ _id: string }>('users').findOne({ _id: person.userId });
  t.match(stored, { email: person.email });
});

t.test('after a person confirms their address, only the workspaces that they own may notify others', async (t) => {
  const [owner, person] = [await app.person(), await app.person()];
  await app.join(person.userId, { workspaceId: owner.workspaceId, role: 'member' });
  const both = { _id: { $in: [owner.workspaceId, person.workspaceId] } };
  await workspaces.updateMany(both, { $set: { confirmed_at_ms: null } });
  await change(person, `confirmed-${person.email}`);
  t.equal((await confirm(tokenTo(`confirmed-${person.email}`))).status, 204);
  t.not((await workspaces.findOne({ _id: person.workspaceId }))?.confirmed_at_ms, null);
  t.equal((await workspaces.findOne({ _id: owner.workspaceId }))?.confirmed_at_ms, null);
});

t.test('one network sends at most 20 mails a minute to addresses that it names', async (t) => {
  const person = await app.person();
  const statuses = new Set<number>();
  // The minute may end meanwhile, and then the count begins again.
  for (let count = 0; count < 41; count++) {
    // The present address is refused after it was counted, so no mail is sent.
    const { status } = await change(person, person.email, NETWORK);
    statuses.add(status);
  }
  t.ok(statuses.has(429), [...statuses].join());
});
