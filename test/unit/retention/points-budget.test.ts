import t from 'tap';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { testClock } from '../../helpers/clock.js';

t.test('a workspace that has read more than its budget of points waits, others do not', async (t) => {
  const clock = testClock(0);
  const budget = createPointsBudget(clock);
  for (let request = 0; request < 5; request++) {
    budget.admit('ws_greedy');
    budget.charge('ws_greedy', 1_000_000);
  }
  t.doesNotThrow(() => budget.admit('ws_greedy'), 'five million points are within the budget');
  budget.charge('ws_greedy', 1_000_000);
  t.throws(() => budget.admit('ws_greedy'), { code: 'rate_limited', extra: { headers: { 'Retry-After': '10' } } });
  t.doesNotThrow(() => budget.admit('ws_other'));
  await clock.advance(10_000);
  t.doesNotThrow(() => budget.admit('ws_greedy'));
});
