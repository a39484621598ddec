import type { FileResults } from './run-file.js';

/** With more red files than this, none runs again: they have a common cause. */
export const RED_FILES_MAX = 5;
const MORE_RUNS_MAX = 2;

/** A file that failed and passed when it ran again, alone. It must be mended: a run that has one proves less. */
export interface FlakyFile {
  file: string;
  /** The first line of its first failure: where, and which assertion. */
  assertion: string;
  /** The number of the run that passed; the first run is 1. */
  passedInRun: number;
}

/**
 * Runs the red files again, one after another, each at most twice. Resolves to all results, in which a file that passed
 * counts as passed, and to those files. With more than five red files,
 * nothing runs again.
 */
export async function runRedAgain(
  results: readonly FileResults[],
  run: (file: string) => Promise<FileResults>,
): Promise<{ results: FileResults[]; flaky: FlakyFile[] }> {
  const red = results.filter(({ failed }) => failed > 0);
  if (red.length > RED_FILES_MAX) return { results: [...results], flaky: [] };
  const final = new Map(results.map((one) => [one.file, one]));
  const flaky: FlakyFile[] = [];
  for (const { file, failures } of red) {
    for (let round = 2; round < 2 + MORE_RUNS_MAX; round++) {
      const again = await run(file);
      final.set(file, again);
      if (again.failed > 0) continue;
      flaky.push({ file, assertion: firstLine(failures, file), passedInRun: round });
      break;
    }
  }
  return { results: [...final.values()], flaky };
}

/** Returns the failure without "not ok" and the path of the file, which the report names before it. */
function firstLine(failures: readonly string[], file: string): string {
  const [line = ''] = (failures[0] ?? '').split('\n');
  const text = line.replace(/^not ok /, '');
  return text.startsWith(file) ? text.slice(file.length).replace(/^( > |: )/, '') : text;
}
