import t from 'tap';
import { createResultBudget } from '../../../control-plane/results/result-budget.js';
import { testClock } from '../../helpers/clock.js';

t.test('the counts of a probe that was silent for ten minutes are forgotten', async (t) => {
  const clock = testClock();
  const budget = createResultBudget(clock);
  const taken = (probe: string) => {
    const counts = budget.of(probe);
    let results = 0;
    while (results < 1_000 && budget.take(counts, 'mon_1', 0)) results += 1;
    return results;
  };
  t.same([taken('prb_1'), taken('prb_2')], [150, 150]);
  await clock.advance(599_999);
  t.equal(taken('prb_2'), 0);
  await clock.advance(1);
  t.equal(taken('prb_2'), 0, 'it was heard a moment ago');
  t.equal(taken('prb_1'), 150);
});
