import t from 'tap';
import { faultTable } from '../../../scripts/testing/fault-table.js';

t.test('the table of the fault scenes has their counts, and dashes for those that count nothing', async (t) => {
  const nothing = { fault: null, of: null, expected: null, seen: null, lost: null, doubled: null, falsePages: null };
  const counts = { fault: 'kill -9', of: 'results', expected: 240, seen: 239, lost: 1, doubled: 0, falsePages: 0 };
  const rows = [
    { file: 'test/faults/product/kills.test.ts', result: 'passed', seconds: 60.4, ...counts },
    { file: 'test/faults/probe/alone.test.ts', result: 'failed', seconds: 7, ...nothing },
  ] as const;
  t.same(faultTable(rows).split('\n'), [
    'scene          result  s   fault    of       expected  seen  lost  doubled  false pages',
    'product/kills  passed  60  kill -9  results  240       239   1     0        0',
    'probe/alone    failed  7   -        -        -         -     -     -        -',
  ]);
});
