import t from 'tap';
import { isFull, type TokenBucket, takeTokens, untilPositiveMs } from '../../../kernel/buckets/token-bucket.js';

const RATE = { burst: 10, perSecond: 2 };

t.test('a bucket gives its burst at once, then its rate, and forgives nothing', async (t) => {
  let bucket: TokenBucket | null = null;
  const take = (cost: number, atMs: number) => {
    bucket = takeTokens(bucket, RATE, cost, atMs);
    return untilPositiveMs(bucket, RATE, atMs);
  };
  t.equal(take(10, 0), 0, 'the burst');
  t.equal(take(1, 0), 500, 'then one each half second');
  t.equal(take(1, 500), 500);
  t.equal(take(4, 1_000), 2_000, 'a large cost delays the next taker');
  t.equal(take(0, 3_000), 0);
  t.notOk(isFull(bucket as unknown as TokenBucket, RATE, 7_999));
  t.ok(isFull(bucket as unknown as TokenBucket, RATE, 8_000));
  t.equal(take(11, 1_000_000), 500, 'it never has more than its burst');
});
