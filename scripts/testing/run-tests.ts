import { join } from 'node:path';
import { changedTests } from './changed.js';
import { reportFlakyFiles, reportSlowFiles, reportSums } from './report.js';
import { runFile } from './run-file.js';
import { runFiles } from './run-files.js';
import { runRedAgain } from './second-runs.js';
import { compileTests, isFault, testFiles } from './test-files.js';

/**
 * Compiles all tests once and runs each test file in a process of its own. Arguments select files or folders, or with
 * `--changed [COMMIT]` those that the changes since a commit concern; the default is all but those of scripts/faults. Red
 * files run again. It replaces `tap run`, whose module loaders and tsx took a quarter to a half of the CPU time of a file.
 */

/** Far more than any file takes on a slow machine. */
const GUARD_MS = 600_000;

async function main(selected: readonly string[]): Promise<number> {
  const files = await filesOf(selected);
  if (files.length === 0) return reportSums([]);
  const compiledOf = await compileTests();
  const run = (file: string) => runFile({ file, compiled: compiledOf(file), guardMs: GUARD_MS, env: process.env });
  const first = await runFiles(files, run);
  reportSlowFiles(first);
  const { results, flaky } = await runRedAgain(first, run);
  reportFlakyFiles(flaky, new Date());
  return reportSums(results);
}

/** Returns the test files of the arguments. Throws if there is none, unless nothing has changed. */
async function filesOf(selected: readonly string[]): Promise<string[]> {
  const ofCi = testFiles().filter((file) => !isFault(file));
  if (selected.length === 0) return ofCi;
  if (selected[0] === '--changed') return changedTests(selected[1] ?? 'HEAD', ofCi);
  const isSelected = (file: string) => selected.some((path) => file === path || file.startsWith(join(path, '/')));
  const files = testFiles().filter(isSelected);
  if (files.length === 0) throw new Error(`there is no test file in ${selected.join(' ')}`);
  return files;
}

process.exitCode = await main(process.argv.slice(2));
