import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

const { paced } = await browserModule<{
  paced(
    read: () => Promise<number>,
    clock: { now(): number; wait(ms: number): Promise<void> },
  ): (signal: AbortSignal) => Promise<number>;
}>('parts/monitors/list/paced.ts');

t.test('a read that is asked for again and again takes a sixth of the time', async (t) => {
  let nowMs = 0;
  const began: number[] = [];
  const clock = {
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  const read = paced(async () => {
    began.push(nowMs);
    nowMs += 400;
    return began.length;
  }, clock);
  const { signal } = new AbortController();
  t.equal(await read(signal), 1);
  t.equal(await read(signal), 2);
  t.same(began, [0, 2_400], 'the second one waits for five times as long as the first one took');
  nowMs = 60_000;
  await read(signal);
  t.equal(began.at(-1), 60_000, 'after a quiet time nothing waits');
});
