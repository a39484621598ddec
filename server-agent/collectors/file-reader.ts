import { closeSync, openSync, readSync } from 'node:fs';

const FIRST_BYTES = 16 * 1024;
const BYTES_MAX = 16 * 1024 * 1024;

/**
 * Returns a function that reads a text file. Files in /proc have a size of 0, so it reads until the end. All reads
 * share one buffer, so that a sample allocates little memory.
 */
export function createFileReader(): (path: string) => string {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  return (path) => {
    const fd = openSync(path, 'r');
    try {
      let filled = 0;
      for (;;) {
        const count = readSync(fd, buffer, filled, buffer.length - filled, null);
        filled += count;
        if (count === 0 || filled >= BYTES_MAX) return buffer.toString('utf8', 0, filled);
        if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      }
    } finally {
      closeSync(fd);
    }
  };
}
