import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileResults } from './run-file.js';
import type { FlakyFile } from './second-runs.js';

const SLOW_SECONDS = 5;
const SLOW_FILES_MAX = 15;
const FLAKY_LOG = '.cache/flaky.jsonl';

export function reportSlowFiles(results: readonly FileResults[]): void {
  const slow = results.filter(({ seconds }) => seconds > SLOW_SECONDS).sort((a, b) => b.seconds - a.seconds);
  if (slow.length > 0) console.log(`\nslowest test files`);
  for (const { file, seconds } of slow.slice(0, SLOW_FILES_MAX)) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
}

/** Prints a line for each flaky file and appends it to the log, which keeps those of earlier runs. */
export function reportFlakyFiles(flaky: readonly FlakyFile[], at: Date, log = FLAKY_LOG): void {
  if (flaky.length === 0) return;
  mkdirSync(dirname(log), { recursive: true });
  console.log('');
  for (const { file, assertion, passedInRun } of flaky) {
    console.log(`flaky: ${file}: ${assertion}`);
    appendFileSync(log, `${JSON.stringify({ at: at.toISOString(), file, assertion, passed_in_run: passedInRun })}\n`);
  }
}

/** Prints the sums as the last line, and returns the exit code of the run. */
export function reportSums(results: readonly FileResults[]): number {
  const sum = (of: 'passed' | 'failed' | 'skipped') => results.reduce((total, one) => total + one[of], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed') === 0 ? 0 : 1;
}
