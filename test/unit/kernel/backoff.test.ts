import t from 'tap';
import { backoffMs } from '../../../kernel/backoff.js';

t.test('the delay doubles up to the bound, with a quarter of jitter in both directions', async (t) => {
  const range = { firstMs: 1_000, maxMs: 30_000 };
  t.same(
    [1, 2, 3, 5, 6, 1_000].map((failures) => backoffMs(failures, 0.5, range)),
    [1_000, 2_000, 4_000, 16_000, 30_000, 30_000],
  );
  t.equal(backoffMs(1, 0, range), 750);
  t.equal(backoffMs(1, 0.999999, range), 1_249);
});

t.test('full jitter is uniform between zero and a bound that doubles', async (t) => {
  const range = { firstMs: 500, maxMs: 30_000, jitter: 'full' } as const;
  t.equal(backoffMs(1, 0, range), 0);
  t.equal(backoffMs(1, 0.999999, range), 499);
  t.equal(backoffMs(4, 0.5, range), 2000);
  t.equal(backoffMs(1_000, 0.999999, range), 29_999);
});

t.test('without jitter the random number has no effect', async (t) => {
  const range = { firstMs: 250, maxMs: 30_000, jitter: 'none' } as const;
  t.same([backoffMs(1, 0, range), backoffMs(1, 0.9, range), backoffMs(50, 0.9, range)], [250, 250, 30_000]);
});
