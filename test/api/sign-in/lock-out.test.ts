import { createHash } from 'node:crypto';
import t from 'tap';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { sessionOf, startSignIn } from '../../helpers/sign-in/setup.js';

const MINUTE_MS = 60_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const clock = testClock(Date.now());
/** Two control planes. */
const [app, other] = [await startSignIn(mongo, { clock }), await startSignIn(mongo, { clock })];
t.teardown(async () => {
  await app.close();
  await other.close();
});

/** Failures do not wait for a majority, so a read of the majority may not see the latest. */
const attempts = mongo.db.collection<{ _id: string; failures: Date[] }>('sign_in_attempts', {
  readConcern: { level: 'local' },
});
const tally = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Repeats a request that a busy machine does not answer in time, as a client does. */
async function patient<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

/**
 * Returns what is wrong with the answers to more guesses than ten: none succeeds, and ten at most say that the password
 * is wrong. A 503 of a busy machine says nothing.
 */
function gains(answers: { status: number }[]): string[] {
  const { 401: wrong = 0, 429: locked = 0, 503: busy = 0 } = tally(answers);
  const others = answers.length - wrong - locked - busy;
  return [
    ...(wrong > 10 ? [`${wrong} guesses were evaluated`] : []),
    ...(wrong + busy < 10 ? [`only ${wrong} guesses were evaluated`] : []),
    ...(others > 0 ? [`${others} other answers`] : []),
  ];
}

/** Moves all failures and locks into the past. The counters use the clock of the database, which no test can move. */
async function pass(ms: number): Promise<void> {
  const earlier = (value: string) => ({ $subtract: [value, ms] });
  const failures = { $map: { input: '$failures', as: 'at', in: earlier('$$at') } };
  await attempts.updateMany({}, [{ $set: { failures, locked_until: earlier('$locked_until') } }]);
}

t.test('ten failures lock the pair of account and network, on every control plane', async (t) => {
  const [person, colleague] = [await app.person(), await app.person()];
  const from = '198.51.100.1';
  for (let count = 0; count < 10; count++) {
    const plane = count % 2 === 0 ? app : other;
    t.equal((await plane.logIn(person.email, { password: 'wrong', from })).status, 401);
  }
  for (const plane of [app, other]) {
    const locked = await plane.logIn(person.email, { from });
    t.match(locked, { status: 429, body: { code: 'rate_limited' } }, 'also with the right password');
    const waitS = Number(locked.headers.get('retry-after'));
    t.ok(waitS > 800 && waitS <= 900, `${waitS} s`);
  }
  t.equal((await app.logIn(person.email, { from: '198.51.100.2' })).status, 200, 'not from another network');
  t.equal((await app.logIn(colleague.email, { from })).status, 200, 'not another account');
  await pass(14 * MINUTE_MS);
  t.equal((await app.logIn(person.email, { from })).status, 429);
  await pass(MINUTE_MS);
  t.equal((await app.logIn(person.email, { from })).status, 200);
});

t.test('an address that nobody has is locked like any other', async (t) => {
  const guess = (count: number) =>
    app.logIn('nobody@example.com', { password: `wrong ${count}`, from: '198.51.100.11' });
  for (let count = 0; count < 10; count++) t.equal((await guess(count)).status, 401);
  t.equal((await guess(10)).status, 429);
});

t.test('failures count for fifteen minutes, and a success forgets them', async (t) => {
  const person = await app.person();
  const from = '198.51.100.3';
  const fail = async (times: number) => {
    for (let count = 0; count < times; count++) {
      t.equal((await app.logIn(person.email, { password: 'wrong', from })).status, 401);
    }
  };
  await fail(9);
  await pass(14 * MINUTE_MS);
  t.equal((await app.logIn(person.email, { from })).status, 200);
  await fail(9);
  await pass(15 * MINUTE_MS);
  await fail(9);
  t.equal((await app.logIn(person.email, { from })).status, 200);
});

t.test('an IPv6 network counts as one', async (t) => {
  const person = await app.person();
  for (let count = 0; count < 10; count++) {
    await app.logIn(person.email, { password: 'wrong', from: `2001:db8:1:1::${count}` });
  }
  t.equal((await app.logIn(person.email, { from: '2001:db8:1:1:ffff::1' })).status, 429);
  t.equal((await app.logIn(person.email, { from: '2001:db8:1:2::1' })).status, 200);
});

t.test('guesses at the same time gain nothing', async (t) => {
  const person = await app.person();
  const from = '198.51.100.4';
  const guesses = Array.from({ length: 60 }, (_, count) =>
    (count % 2 === 0 ? app : other).logIn(person.email, { password: `wrong ${count}`, from }),
  );
  t.same(gains(await Promise.all(guesses)), []);
  const second = await app.person();
  const mixed = Array.from({ length: 60 }, (_, count) =>
    app.logIn(second.email, { from, ...(count < 40 ? { password: `wrong ${count}` } : {}) }),
  );
  const answers = await Promise.all(mixed);
  t.same(gains(answers), [], 'a right guess beyond the limit has no effect either');
  t.ok(answers.every((answer) => sessionOf(answer) === ''));
});

t.test('right log-ins at the same time all work', async (t) => {
  const person = await app.person();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => patient(() => app.logIn(person.email, { from: '198.51.100.5' }))),
  );
  t.same(tally(answers), { 200: 60 });
});

t.test('a hundred failures lock a network, whatever the accounts', async (t) => {
  const person = await app.person();
  const from = '198.51.100.6';
  const guess = (count: number) => app.logIn(`p${count}@example.com`, { password: 'x', from });
  const { 401: refused = 0, 503: busy = 0 } = tally(
    await Promise.all(Array.from({ length: 100 }, (_, count) => guess(count))),
  );
  t.equal(refused + busy, 100, 'none is locked before');
  // They may not have been counted.
  for (let count = 0; count < busy; count++) await patient(() => guess(100 + count));
  t.equal((await other.logIn(person.email, { from })).status, 429);
  t.equal((await other.logIn(person.email, { from: '198.51.100.7' })).status, 200);
});

t.test('400 failures lock an IPv6 /48, but not the devices that its people have used before', async (t) => {
  const person = await app.person();
  const home = '2001:db8:48:1::1';
  t.equal((await app.logIn(person.email, { from: home })).status, 200);
  const guessFrom = (network: string) =>
    patient(() => app.logIn(`p${network}@example.com`, { password: 'x', from: `2001:db8:48:${network}::1` }));
  t.equal((await guessFrom('10')).status, 401);
  const failures = Array.from({ length: 399 }, () => new Date());
  await attempts.updateOne({ _id: 'site/2001:db8:48::/48', 'failures.0': { $exists: true } }, { $set: { failures } });
  t.equal((await guessFrom('11')).status, 401);
  const after = await guessFrom('12');
  t.match(after, { status: 429, body: { code: 'rate_limited' } });
  t.equal((await other.logIn(person.email, { from: '2001:db8:48:2::1' })).status, 429, 'on every control plane');
  t.equal((await other.logIn(person.email, { from: home })).status, 200, 'a known device');
  t.equal((await app.logIn(person.email, { from: '2001:db8:49:2::1' })).status, 200, 'another /48');
});

t.test('failures from many networks slow an account down, but do not lock its person out', async (t) => {
  const person = await app.person();
  await app.logIn(person.email, { password: 'wrong', from: '198.51.100.8' });
  const _id = `account/${createHash('sha256').update(person.email).digest('hex')}`;
  t.equal((await attempts.findOne({ _id }))?.failures.length, 1);
  const slowed = async (failures: number, delayMs: number) => {
    const recent = Array.from({ length: failures }, () => new Date());
    await attempts.updateOne({ _id }, { $set: { failures: recent } });
    let answered = false;
    const waiting = new Promise<void>((resolve) => {
      const { after } = clock;
      clock.after = (ms, run) => {
        if (ms === delayMs) {
          clock.after = after;
          resolve();
        }
        return after(ms, run);
      };
    });
    const answer = app.logIn(person.email, { from: `198.51.100.${failures % 256}` }).finally(() => {
      answered = true;
    });
    await waiting;
    await clock.advance(delayMs - 1);
    t.notOk(answered);
    await clock.advance(1);
    t.equal((await answer).status, 200);
  };
  await slowed(100, 1_000);
  await slowed(250, 2_000);
  await slowed(400, 8_000);
  const again = await app.logIn(person.email, { from: `198.51.100.${400 % 256}` });
  t.equal(again.status, 200, 'a device and network from which they logged in before do not wait');
  const wrong = await app.logIn(person.email, { from: `198.51.100.${400 % 256}`, password: 'wrong' });
  t.equal(wrong.status, 401, 'nor does a wrong guess from there, of which there are ten');
  await slowed(401, 8_000);
});
