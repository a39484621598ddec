import { pino } from 'pino';
import t from 'tap';
import { AppError } from '../../../control-plane/errors.js';
import { createGuessLimit } from '../../../control-plane/http/limits/guess-limit.js';
import { createRateLimitStore } from '../../../control-plane/http/limits/rate-limit-store.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';

const MAX = 30;
const AT_ONCE = 300;
const ADDRESS = '203.0.113.7';
const database = await testDatabase();
t.teardown(() => database.drop());

/** A limit of its own for each test, and what it lets through. */
function setUp(what: string) {
  const clock = testClock();
  const store = createRateLimitStore(database.db);
  const limit = createGuessLimit({ what, store, clock, logger: pino({ level: 'silent' }) });
  let [checks, checking, mostAtOnce] = [0, 0, 0];
  /** Resolves to what became of a guess. */
  async function guess(isRight: boolean, address = ADDRESS): Promise<'right' | 'wrong' | 'limited'> {
    try {
      const right = await limit.check(address, async () => {
        checks += 1;
        checking += 1;
        mostAtOnce = Math.max(mostAtOnce, checking);
        await new Promise(setImmediate);
        checking -= 1;
        return isRight ? true : null;
      });
      return right === null ? 'wrong' : 'right';
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return 'limited';
      throw error;
    }
  }
  const counted = (answers: readonly string[]) => (name: string) => answers.filter((answer) => answer === name).length;
  return { clock, limit, guess, counted, checks: () => checks, mostAtOnce: () => mostAtOnce };
}

t.test('of wrong guesses that are sent at once, no more than the limit are checked', async (t) => {
  const it = setUp('first secret');
  const count = it.counted(await Promise.all(Array.from({ length: AT_ONCE }, () => it.guess(false))));
  t.equal(it.checks(), MAX);
  t.same([count('wrong'), count('limited')], [MAX, AT_ONCE - MAX]);
  t.equal(await it.guess(true), 'limited', 'a right one neither');
  t.equal(await it.guess(true, '203.0.113.8'), 'right', 'another address');
  await it.clock.advance(60_000);
  t.equal(await it.guess(true), 'right', 'in the next minute');
});

t.test('right guesses that are sent at once all pass', async (t) => {
  const it = setUp('second secret');
  const count = it.counted(await Promise.all(Array.from({ length: AT_ONCE }, () => it.guess(true))));
  t.equal(count('right'), AT_ONCE);
  t.equal(it.mostAtOnce(), MAX, 'those beyond the limit wait');
});

t.test('right ones among wrong ones pass while the wrong ones stay below the limit', async (t) => {
  const it = setUp('third secret');
  const guesses = Array.from({ length: AT_ONCE }, (_, index) => index % 20 !== 0);
  const count = it.counted(await Promise.all(guesses.map((isRight) => it.guess(isRight))));
  t.same([count('right'), count('wrong'), count('limited')], [285, 15, 0]);
});

t.test('a check that fails counts as neither, and gives its place back', async (t) => {
  const it = setUp('fourth secret');
  const failing = Array.from({ length: AT_ONCE }, () =>
    it.limit.check(ADDRESS, () => Promise.reject(new Error('no database'))).catch((error: Error) => error.message),
  );
  t.same([...new Set(await Promise.all(failing))], ['no database']);
  t.equal(await it.guess(true), 'right');
});
