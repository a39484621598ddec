import t from 'tap';
import { createRounds } from '../../../kernel/rounds.js';
import { testClock } from '../../helpers/clock.js';

/** Rounds whose end the test decides. */
function scene(firstMs?: number) {
  const clock = testClock();
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const failures: unknown[] = [];
  const rounds = createRounds({
    clock,
    periodMs: 1_000,
    ...(firstMs === undefined ? {} : { firstMs }),
    round: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    failed: (error) => failures.push(error),
  });
  return { clock, ends, failures, rounds };
}

t.test('a round each period, and none beside one that is under way', async (t) => {
  const { clock, ends, rounds } = scene();
  rounds.start();
  rounds.start();
  await clock.advance(999);
  t.equal(ends.length, 0);
  await clock.advance(1);
  t.equal(ends.length, 1, 'started twice is started once');
  await clock.advance(5_000);
  t.equal(ends.length, 1);
  ends[0]?.resolve();
  await clock.advance(0);
  await clock.advance(1_000);
  t.equal(ends.length, 2);
});

t.test('a first round sooner than the period', async (t) => {
  const { clock, ends, rounds } = scene(100);
  rounds.start();
  await clock.advance(100);
  t.equal(ends.length, 1);
});

t.test('a round that fails is told, and the next one comes', async (t) => {
  const { clock, ends, failures, rounds } = scene();
  rounds.start();
  await clock.advance(1_000);
  const error = new Error('no database');
  ends[0]?.reject(error);
  await clock.advance(0);
  await clock.advance(1_000);
  t.strictSame(failures, [error]);
  t.equal(ends.length, 2);
});

t.test('a stop waits for the round under way, and there is none after it until the next start', async (t) => {
  const { clock, ends, rounds } = scene();
  rounds.start();
  await clock.advance(1_000);
  let stopped = false;
  const stopping = rounds.stop().then(() => {
    stopped = true;
  });
  await clock.advance(3_000);
  t.notOk(stopped);
  ends[0]?.resolve();
  await stopping;
  await clock.advance(3_000);
  t.equal(ends.length, 1);
  rounds.start();
  await clock.advance(1_000);
  t.equal(ends.length, 2);
});
