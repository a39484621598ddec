import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { reportFlakyFiles, reportSums } from '../../../scripts/testing/report.js';
import type { FileResults } from '../../../scripts/testing/run-file.js';
import { RED_FILES_MAX, runRedAgain } from '../../../scripts/testing/second-runs.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const green = (file: string): FileResults => ({ file, passed: 3, failed: 0, skipped: 0, failures: [], seconds: 1 });
const red = (file: string): FileResults => ({
  ...green(file),
  failed: 1,
  failures: [`not ok ${file} > a monitor > should be equal\n--- expected\n+++ actual`],
});

/** Runs files so that each answers what is planned for it, in turn. */
function planned(plan: Record<string, FileResults[]>) {
  const ran: string[] = [];
  const run = async (file: string) => {
    ran.push(file);
    const next = plan[file]?.shift();
    if (next === undefined) throw new Error(`${file} was not to run again`);
    return next;
  };
  return { ran, run };
}

t.test('a red file that passes when it runs again counts as passed and is named', async (t) => {
  const { ran, run } = planned({ b: [green('b')], c: [red('c'), green('c')] });
  const { results, flaky } = await runRedAgain([green('a'), red('b'), red('c')], run);
  t.same(ran, ['b', 'c', 'c'], 'one after the other, and no green one');
  t.same(results, [green('a'), green('b'), green('c')]);
  t.same(flaky, [
    { file: 'b', assertion: 'a monitor > should be equal', passedInRun: 2 },
    { file: 'c', assertion: 'a monitor > should be equal', passedInRun: 3 },
  ]);
});

t.test('a file that fails three times is red', async (t) => {
  const { ran, run } = planned({ a: [red('a'), red('a')] });
  const { results, flaky } = await runRedAgain([red('a'), green('b')], run);
  t.same(ran, ['a', 'a']);
  t.same(flaky, []);
  t.equal(
    results.reduce((sum, { failed }) => sum + failed, 0),
    1,
  );
});

t.test('with more than five red files, none runs again', async (t) => {
  const many = Array.from({ length: RED_FILES_MAX + 1 }, (_, n) => red(`${n}`));
  const { ran, run } = planned({});
  t.same(await runRedAgain(many, run), { results: many, flaky: [] });
  t.same(ran, []);
});

t.test('flaky files are named before the sums, and their log keeps those of earlier runs', async (t) => {
  const log = join(temporaryFolder(t), 'cache', 'flaky.jsonl');
  const printed = t.capture(console, 'log');
  const [one, other] = ['x.test.ts', 'y.test.ts'].map((file) => ({ file, assertion: 'a > b', passedInRun: 2 }));
  if (one === undefined || other === undefined) throw new Error('no files');
  reportFlakyFiles([one], new Date(0), log);
  reportFlakyFiles([], new Date(0), log);
  reportFlakyFiles([other], new Date(1), log);
  t.equal(reportSums([green('a'), green('b')]), 0);
  const lines = printed().map(({ args }) => `${args[0]}`.trim());
  t.same(
    lines.filter((line) => line !== ''),
    ['flaky: x.test.ts: a > b', 'flaky: y.test.ts: a > b', '6 passed, 0 failed, 0 skipped'],
  );
  t.same(
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { at: '1970-01-01T00:00:00.000Z', file: 'x.test.ts', assertion: 'a > b', passed_in_run: 2 },
      { at: '1970-01-01T00:00:00.001Z', file: 'y.test.ts', assertion: 'a > b', passed_in_run: 2 },
    ],
  );
});
