import t from 'tap';
import { createFairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';

t.test('groups that wait take turns, and no more than the limit run', async (t) => {
  const fair = createFairSemaphore(2);
  const order: string[] = [];
  let [running, most] = [0, 0];
  const work = (group: string, name: string) =>
    fair.run(group, async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(name);
      await new Promise(setImmediate);
      running -= 1;
    });
  const ofMany = Array.from({ length: 100 }, (_, index) => work('many', `many ${index}`));
  await Promise.all([...ofMany, work('few', 'few 0'), work('few', 'few 1')]);
  t.equal(most, 2);
  t.equal(order.length, 102);
  t.ok(order.indexOf('few 0') <= 3, order.slice(0, 8).join());
  t.ok(order.indexOf('few 1') <= 5, order.slice(0, 8).join());
});

t.test('work that fails gives its place back', async (t) => {
  const fair = createFairSemaphore(1);
  await t.rejects(
    fair.run('a', () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  t.equal(await fair.run('b', () => Promise.resolve('done')), 'done');
});
