import t from 'tap';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { testClock } from '../../helpers/clock.js';

/** Returns a task whose runs end when the test resolves or rejects them. */
function scene(firstMs?: number) {
  const clock = testClock();
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const failures: unknown[] = [];
  const task = createPeriodicTask({
    clock,
    periodMs: 1_000,
    ...(firstMs === undefined ? {} : { firstMs }),
    run: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    onFailure: (error) => failures.push(error),
  });
  return { clock, ends, failures, task };
}

t.test('the task runs every period, and never while the previous run continues', async (t) => {
  const { clock, ends, task } = scene();
  task.start();
  task.start();
  await clock.advance(999);
  t.equal(ends.length, 0);
  await clock.advance(1);
  t.equal(ends.length, 1, 'start is idempotent');
  await clock.advance(5_000);
  t.equal(ends.length, 1);
  ends[0]?.resolve();
  await clock.advance(0);
  await clock.advance(1_000);
  t.equal(ends.length, 2);
});

t.test('the first run can be sooner than the period', async (t) => {
  const { clock, ends, task } = scene(100);
  task.start();
  await clock.advance(100);
  t.equal(ends.length, 1);
});

t.test('a failed run is passed to onFailure, and the task continues', async (t) => {
  const { clock, ends, failures, task } = scene();
  task.start();
  await clock.advance(1_000);
  const error = new Error('no database');
  ends[0]?.reject(error);
  await clock.advance(0);
  await clock.advance(1_000);
  t.strictSame(failures, [error]);
  t.equal(ends.length, 2);
});

t.test('stop waits for the current run, and no run starts until the next start', async (t) => {
  const { clock, ends, task } = scene();
  task.start();
  await clock.advance(1_000);
  let stopped = false;
  const stopping = task.stop().then(() => {
    stopped = true;
  });
  await clock.advance(3_000);
  t.notOk(stopped);
  ends[0]?.resolve();
  await stopping;
  await clock.advance(3_000);
  t.equal(ends.length, 1);
  task.start();
  await clock.advance(1_000);
  t.equal(ends.length, 2);
});
