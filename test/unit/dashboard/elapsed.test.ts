import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

const { createElapsed } = await browserModule<{
  createElapsed(time: { steadyMs(): number; wallMs(): number }): () => number;
}>('app/live/elapsed.ts');

const HOUR_MS = 3_600_000;

/** Returns a clock of durations, and the function that lets time pass for each of its two sources. */
function clock() {
  const [began, time] = [Date.UTC(2026, 0, 31), { steady: 0, wall: 0 }];
  const now = createElapsed({ steadyMs: () => time.steady, wallMs: () => began + time.wall });
  const pass = (steadyMs: number, wallMs = steadyMs) => {
    time.steady += steadyMs;
    time.wall += wallMs;
    return now();
  };
  return pass;
}

t.test('durations are right when the clock of the machine is set back', async (t) => {
  const pass = clock();
  t.equal(pass(100), 100);
  t.equal(pass(100, -HOUR_MS), 200);
  t.equal(pass(100), 300);
});

t.test('sleep counts, also where the steady clock stops meanwhile', async (t) => {
  const pass = clock();
  t.equal(pass(100, HOUR_MS), HOUR_MS);
  t.equal(pass(HOUR_MS), 2 * HOUR_MS);
});

t.test('that the two clocks are rounded differently does not add up', async (t) => {
  const pass = clock();
  for (let turn = 0; turn < 1_000; turn += 1) pass(10, turn % 2 === 0 ? 11 : 9);
  t.equal(pass(0), 10_000);
});
