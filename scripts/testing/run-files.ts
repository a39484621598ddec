import type { FileResults } from './run-file.js';
import { nextFile } from './test-order.js';

/** Runs the files in the order of `nextFile`, several at the same time. Resolves to their results in the order of their ends. */
export async function runFiles(
  files: readonly string[],
  run: (file: string) => Promise<FileResults>,
): Promise<FileResults[]> {
  const waiting = [...files];
  const running = new Map<string, Promise<void>>();
  const results: FileResults[] = [];
  const start = async (file: string) => {
    results.push(await run(file));
    running.delete(file);
  };
  do {
    const file = nextFile(waiting, [...running.keys()]);
    if (file === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(file), 1);
    running.set(file, start(file));
  } while (waiting.length + running.size > 0);
  return results;
}
