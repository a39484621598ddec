import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createSweep } from '../../../control-plane/verdicts/evaluate/sweep.js';
import { createThrottledTask } from '../../../control-plane/verdicts/throttled-task.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

const PERIOD_MS = 1_000;
const SLOW_MS = 30_000;

t.test('after a slow run that failed, the next one follows at once', async (t) => {
  const clock = testClock();
  const startedMs: number[] = [];
  const failed: unknown[] = [];
  const work = async () => {
    startedMs.push(clock.monotonic());
    await clock.sleep(SLOW_MS);
    throw new Error('the database did not answer');
  };
  const task = createThrottledTask(clock, PERIOD_MS, work, (error) => failed.push(error));
  task.start();
  await clock.advance(PERIOD_MS + SLOW_MS);
  t.equal(failed.length, 1);
  await clock.advance(PERIOD_MS);
  t.equal(startedMs.length, 2, `runs began at ${startedMs.join(', ')} ms`);
  await clock.advance(SLOW_MS);
  await task.stop();
});

t.test('a slow run is followed by a pause of four times its duration, but of 5 s at most', async (t) => {
  const clock = testClock();
  let durationMs = PERIOD_MS;
  let runs = 0;
  const work = async () => {
    runs += 1;
    await clock.sleep(durationMs);
  };
  const task = createThrottledTask(clock, PERIOD_MS, work, (error) => t.fail(String(error)));
  task.start();
  await clock.advance(PERIOD_MS + durationMs + 3_000);
  t.equal(runs, 1);
  durationMs = SLOW_MS;
  await clock.advance(2_000);
  t.equal(runs, 2);
  await clock.advance(SLOW_MS + 3_000);
  t.equal(runs, 2);
  await clock.advance(4_000);
  t.equal(runs, 3);
  await clock.advance(SLOW_MS);
  await task.stop();
});

t.test('a monitor whose evaluation hangs does not keep the sweep from the others', async (t) => {
  const clock = testClock();
  const evaluated: string[] = [];
  let endHang = () => {};
  const hang = new Promise<void>((resolve) => {
    endHang = resolve;
  });
  const sweep = createSweep({
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    store: { needingAttention: async () => [{ _id: 'mon_locked' }, { _id: 'mon_other' }] as MonitorDocument[] },
    evaluator: {
      isDue: () => true,
      async evaluate(ids: readonly string[]) {
        evaluated.push(...ids);
        if (ids.includes('mon_locked')) await hang;
      },
      async stop() {},
    },
  });
  sweep.start();
  await clock.advance(20_000);
  const others = evaluated.filter((id) => id === 'mon_other').length;
  t.ok(others >= 2, `the other one was evaluated ${others} times`);
  t.equal(evaluated.length - others, 1, 'the locked one is not evaluated again meanwhile');
  const stopped = sweep.stop();
  await clock.advance(1_000);
  await t.resolves(stopped, 'nor the process from its end');
  endHang();
});

t.test('a sweep reads the next page when few monitors of the last one are left', async (t) => {
  const clock = testClock();
  const [PAGE, LEFT_MAX] = [500, 100];
  const page = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ _id: `mon_${first + n}` })) as MonitorDocument[];
  const pages = [page(0, PAGE), page(PAGE, 1)];
  const ends = new Map<string, () => void>();
  const sweep = createSweep({
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    store: { needingAttention: async () => pages.shift() ?? [] },
    evaluator: {
      isDue: () => true,
      evaluate: ([id = '']) => new Promise((resolve) => ends.set(id, resolve)),
      async stop() {},
    },
  });
  const end = (id: string) => ends.get(id)?.();
  const swept = sweep.run();
  await clock.advance(0);
  await clock.advance(10_000);
  t.equal(ends.size, PAGE, 'what arrives now does not wait for the next page');
  for (let n = LEFT_MAX; n < PAGE; n++) end(`mon_${n}`);
  await clock.advance(0);
  t.equal(ends.size, PAGE);
  end('mon_0');
  await clock.advance(0);
  t.equal(ends.size, PAGE + 1, 'and the sweep does not wait for the last of the page');
  end('mon_1');
  await clock.advance(3_000);
  t.equal(await swept, PAGE + 1);
  for (const resolve of ends.values()) resolve();
  await clock.advance(0);
});
