import { statfsSync } from 'node:fs';

/** Returns one line about a failure: the last line on stderr of a failed program, else the first line of the error. */
export function failureLine(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
  return output || ((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '');
}

/** With less free space, the database or a log can write no more. */
const FULL_BYTES = 16 * 1024 ** 2;

/** With less free space, a busy installation can fill the disk within hours. */
const LOW_BYTES = 500 * 1024 ** 2;
/** From this on, it is said again when it gets low again. */
const ENOUGH_BYTES = 2 * LOW_BYTES;

/** Returns a sentence if the disk of a folder is full: what ended because of that has no place where it could say so. */
export function fullDisk(folder: string): string | null {
  const free = freeBytes(folder);
  return free !== null && free < FULL_BYTES ? `the disk of ${folder} is full (${inMib(free)} free)` : null;
}

/** Returns a function that returns a warning each time the disk of a folder gets nearly full, otherwise null. */
export function createLowDiskWarning(folder: string, free = freeBytes): () => string | null {
  let isKnown = false;
  return () => {
    const bytes = free(folder);
    if (bytes === null) return null;
    const isNews = bytes < LOW_BYTES && !isKnown;
    isKnown = bytes < (isKnown ? ENOUGH_BYTES : LOW_BYTES);
    if (!isNews) return null;
    return `only ${inMib(bytes)} free on the disk of ${folder}; when it is full, Picket stores nothing any more`;
  };
}

const inMib = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null; // The folder has gone.
  }
}
