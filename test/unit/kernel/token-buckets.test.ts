import t from 'tap';
import { createTokenBuckets } from '../../../kernel/buckets/token-buckets.js';

const RATE = { burst: 10, perSecond: 2 };

t.test('each key has a bucket of its own', async (t) => {
  let nowMs = 0;
  const buckets = createTokenBuckets(RATE, { monotonic: () => nowMs });
  t.equal(buckets.take('one', 11), 500);
  t.equal(buckets.waitMs('one'), 500);
  t.equal(buckets.tryTake('one', 1), 1_000, 'what is not there is not taken');
  t.equal(buckets.waitMs('one'), 500);
  t.equal(buckets.tryTake('two', 10), 0);
  nowMs = 500;
  t.equal(buckets.waitMs('one'), 0);
  t.equal(buckets.tryTake('two', 1), 0);
});

t.test('full buckets are forgotten, others never', async (t) => {
  let nowMs = 0;
  const buckets = createTokenBuckets(RATE, { monotonic: () => nowMs });
  for (let index = 0; index < 990; index++) buckets.take(`old ${index}`, 10);
  nowMs = 4_999;
  for (let index = 0; index < 9; index++) buckets.take(`new ${index}`, 20);
  t.equal(buckets.size(), 999);
  nowMs = 5_000;
  buckets.take('new 9', 20);
  buckets.take('new 10', 20);
  t.equal(buckets.size(), 11);
  t.ok(buckets.waitMs('new 0') > 0);
});
