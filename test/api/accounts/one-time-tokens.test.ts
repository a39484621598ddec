import t from 'tap';
import { createOneTimeTokens } from '../../../control-plane/accounts/one-time-tokens/one-time-tokens.js';
import { createOneTimeTokensStore } from '../../../control-plane/accounts/one-time-tokens/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const clock = testClock(Date.now());
const store = createOneTimeTokensStore(mongo.db);
await store.ensureIndexes();
const tokens = createOneTimeTokens({ store, clock, random: systemRandom });
const run = createRunTransaction(mongo.client);
const HOUR_MS = 3_600_000;

const issue = (purpose = 'reset', userId = 'usr_1') =>
  run((tx) => tokens.issue(tx, { purpose, userId, data: { a: 'b' }, ttlMs: HOUR_MS }));
const redeem = (token: string, purpose = 'reset') => run((tx) => tokens.redeem(tx, purpose, token));

t.test('a token works once, for its purpose', async (t) => {
  const token = await issue();
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.notMatch(JSON.stringify(await mongo.db.collection('one_time_tokens').find().toArray()), token, 'a hash is stored');
  t.equal(await redeem(token, 'confirm'), null, 'not for another purpose');
  t.same(await redeem(token), { userId: 'usr_1', data: { a: 'b' } });
  t.equal(await redeem(token), null, 'not twice');
  for (const bad of ['', 'x', `${token}x`, '$ne']) t.equal(await redeem(bad), null);
});

t.test('of two concurrent uses of a token, one succeeds', async (t) => {
  for (let round = 0; round < 5; round++) {
    const token = await issue();
    const results = await Promise.all([redeem(token), redeem(token), redeem(token)]);
    t.equal(results.filter((result) => result !== null).length, 1);
  }
});

t.test('a token that was redeemed in a transaction without a commit still works', async (t) => {
  const token = await issue();
  const failed = run(async (tx) => {
    await tokens.redeem(tx, 'reset', token);
    throw new Error('no');
  });
  await t.rejects(failed, /no/);
  t.not(await redeem(token), null);
});

t.test('a token expires', async (t) => {
  const [early, late] = [await issue(), await issue()];
  await clock.advance(HOUR_MS - 1);
  t.not(await redeem(early), null);
  await clock.advance(1);
  t.equal(await redeem(late), null);
});

t.test('revoking ends the unused tokens of a user and purpose', async (t) => {
  const [one, two, other, confirm] = [
    await issue(),
    await issue(),
    await issue('reset', 'usr_2'),
    await issue('confirm'),
  ];
  await run((tx) => tokens.revoke(tx, 'reset', 'usr_1'));
  t.equal(await redeem(one), null);
  t.equal(await redeem(two), null);
  t.not(await redeem(other), null);
  t.not(await redeem(confirm, 'confirm'), null);
});
