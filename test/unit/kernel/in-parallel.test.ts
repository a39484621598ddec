import t from 'tap';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';

t.test('all items are worked on in their order, never more than so many at a time', async (t) => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel(new Set([1, 2, 3, 4, 5]), 2, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  });
  t.same(begun, [1, 2, 3, 4, 5]);
  t.equal(most, 2);
});

t.test('it rejects when one fails', (t) =>
  t.rejects(
    inParallel([1, 2], 1, () => Promise.reject(new Error('refused'))),
    { message: 'refused' },
  ),
);
