import { Readable } from 'node:stream';
import t from 'tap';
import { readTap } from '../../../scripts/testing/tap-results.js';

const read = (...lines: string[]) => readTap('x.test.ts', Readable.from(['TAP version 14\n', `${lines.join('\n')}\n`]));

t.test('assertions are counted once, also within subtests', async (t) => {
  const results = await read(
    '# Subtest: a',
    '    ok 1 - one',
    '    ok 2 - two',
    '    1..2',
    'ok 1 - a',
    'ok 2 - b',
    '1..2',
  );
  t.match(results, { passed: 3, failed: 0, skipped: 0 });
});

t.test('a subtest without assertions counts as one', async (t) => {
  const results = await read('# Subtest: a', '    1..0', 'ok 1 - a', '1..1');
  t.match(results, { passed: 1, failed: 0 });
});

t.test('a failing assertion is counted once and named with its path', async (t) => {
  const results = await read('# Subtest: a', '    not ok 1 - one', '    1..1', 'not ok 1 - a', '1..1');
  t.match(results, { passed: 0, failed: 1 });
  t.match(results.failures, [/^not ok x\.test\.ts > a > one/]);
});

t.test('a subtest that fails without a failing assertion counts, as a crash or a time limit does', async (t) => {
  const results = await read('# Subtest: a', '    ok 1 - one', '    1..1', 'not ok 1 - a', '1..1');
  t.match(results, { passed: 1, failed: 1 });
});

t.test('output that ends before its plan is a failure', async (t) => {
  t.match(await read('ok 1 - a', '1..2'), { failed: 1 });
  t.match(await read('ok 1 - a'), { failed: 1 });
});

t.test('skipped and unfinished tests are counted as skipped', async (t) => {
  t.match(await read('ok 1 - a # SKIP no network', 'not ok 2 - b # TODO later', '1..2'), { skipped: 2, failed: 0 });
});
