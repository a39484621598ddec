import { copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';

/** Two files of this size are kept: the current one, and the one before it. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;
const SIZE_CHECK_MS = 60_000;

export interface LogFile {
  path: string;
  /** Processes that inherit it append to the file, also after it was emptied. */
  descriptor: number;
}

/**
 * Opens the file that gets the log lines of all processes while a terminal shows what people read. A file that has
 * become too large is copied to `picket.log.1` and emptied. Lines that are written meanwhile can be lost.
 */
export function openLogFile(dataDir: string, clock: Clock): LogFile {
  const path = join(dataDir, 'picket.log');
  const descriptor = openSync(path, 'a', 0o600);
  const bound = () => {
    if (fstatSync(descriptor).size <= LOG_BYTES_MAX) return;
    copyFileSync(path, `${path}.1`);
    ftruncateSync(descriptor);
  };
  bound();
  clock.every(SIZE_CHECK_MS, bound);
  return { path, descriptor };
}
