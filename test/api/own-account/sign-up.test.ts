import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { PASSWORD, startOwnAccount, tokenOf } from '../../helpers/own-account/setup.js';

const mongo = await testDatabase();
const [app, closed, unconfirmed] = [
  await startOwnAccount(mongo),
  await startOwnAccount(mongo, { signUpOpen: false }),
  await startOwnAccount(mongo, { confirmEmail: false }),
];
t.teardown(async () => {
  await Promise.all([app, closed, unconfirmed].map((one) => one.close()));
  await mongo.drop();
});

const DAY_MS = 86_400_000;
const NETWORK = '203.0.113.8';
const account = (email: string, password = PASSWORD) => ({ email, password, workspace_name: 'Florist' });
const stored = (email: string) => mongo.db.collection('users').findOne({ email });

t.test('nobody signs up where the operator does not allow it', async (t) => {
  const refused = await closed.as(null, 'POST', '/v1/auth/signup', account('closed@example.com'));
  t.match(refused, { status: 403, body: { code: 'forbidden', detail: /invitation/ } });
  t.equal(await stored('closed@example.com'), null);
});

t.test('an address counts as confirmed only where the operator does not ask for it', async (t) => {
  t.equal((await app.as(null, 'POST', '/v1/auth/signup', account('asked@example.com'))).status, 201);
  t.match(await stored('asked@example.com'), { email_confirmed_at_ms: null });
  t.match(
    app.mailsTo('asked@example.com').map(({ kind }) => kind),
    ['confirm_email'],
  );
  t.equal((await unconfirmed.as(null, 'POST', '/v1/auth/signup', account('trusted@example.com'))).status, 201);
  t.match(await stored('trusted@example.com'), { email_confirmed_at_ms: Number });
  t.same(unconfirmed.mailsTo('trusted@example.com'), []);
});

t.test('an address that only counts as confirmed is proved by the first reset of the password', async (t) => {
  const email = 'assumed@example.com';
  await unconfirmed.as(null, 'POST', '/v1/auth/signup', account(email));
  t.match(await stored(email), { email_assumed: true });
  const deletions: boolean[] = [];
  for (const password of ['seven purple lamps on a shelf', 'nine green chairs by a window']) {
    unconfirmed.later(DAY_MS);
    const deletion = { requested_at_ms: 1, by: 'usr_1', at_ms: Number.MAX_SAFE_INTEGER };
    await mongo.db.collection('users').updateOne({ email }, { $set: { deletion } });
    await unconfirmed.as(null, 'POST', '/v1/auth/password/forgot', { email });
    const token = tokenOf(unconfirmed.mailsTo(email, 'password_reset').at(-1));
    t.equal((await unconfirmed.as(null, 'POST', '/v1/auth/password/reset', { token, password })).status, 204);
    const user = await stored(email);
    t.notOk(user?.['email_assumed']);
    deletions.push(user?.['deletion'] != null);
  }
  t.same(deletions, [false, true], 'nor is a deletion carried out that somebody else asked for');
  const resets = await unconfirmed.entries('auth.password_reset', (await stored(email))?._id as unknown as string);
  t.same(
    resets.map(({ metadata }) => [metadata['first_proof_of_address'], metadata['deletion_cancelled']]),
    [
      [true, true],
      [undefined, undefined],
    ],
    'which ends what was set up before it, once',
  );
});

t.test('the owner of an address gets at most one mail a day about attempts to sign up with it', async (t) => {
  const { email } = await app.person();
  const attempt = async () => (await app.as(null, 'POST', '/v1/auth/signup', account(email))).status;
  t.same([await attempt(), await attempt()], [409, 409]);
  t.equal(app.mailsTo(email, 'sign_up_attempted').length, 1);
  app.later(DAY_MS + 1_000);
  t.equal(await attempt(), 409);
  t.equal(app.mailsTo(email, 'sign_up_attempted').length, 2);
});

t.test('one network makes at most 20 attempts a minute', async (t) => {
  const statuses = new Set<number>();
  // The minute may end meanwhile, and then the count begins again.
  for (let count = 0; count < 41; count++) {
    // A weak password is refused after it was counted.
    statuses.add((await app.as(null, 'POST', '/v1/auth/signup', account('many@example.com', 'short'), NETWORK)).status);
  }
  t.same([...statuses], [422, 429]);
});

t.test('a sign-up is audited', async (t) => {
  const user = await stored('asked@example.com');
  t.equal((await app.entries('auth.signed_up', String(user?._id))).length, 1);
});
