import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { encodeSegmentHeader, writeAll } from './segment.js';

/** The file of the segment that is currently written. */
export interface OpenFile {
  /** Throws the file system's error; then none of the bytes remain in the file. */
  write(bytes: Buffer, offset: number): void;
  /** Writes the final header in place, which succeeds on a full disk too, and waits for the disk. */
  finish(last: number): void;
  /** Resolves when all written bytes are on disk. */
  sync(): Promise<void>;
  /** Closes the file after its last sync. */
  release(): void;
}

/** Creates the file of a segment that starts with record `first`. On a failure it throws and leaves no file. */
export function createOpenFile(path: string, first: number): OpenFile {
  const fd = openSync(path, 'w', 0o600);
  const syncs = new Set<Promise<void>>();
  try {
    writeAll(fd, encodeSegmentHeader(first, 0), 0);
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
  return {
    write(bytes, offset) {
      try {
        writeAll(fd, bytes, offset);
      } catch (error) {
        discardTail(fd, offset);
        throw error;
      }
    },
    finish(last) {
      writeAll(fd, encodeSegmentHeader(first, last), 0);
      fdatasyncSync(fd);
    },
    sync() {
      const done = syncData(fd).finally(() => syncs.delete(done));
      syncs.add(done);
      return done;
    },
    release() {
      // At once if possible, because an open descriptor keeps the disk space of a dropped segment.
      if (syncs.size === 0) closeSync(fd);
      else void Promise.allSettled(syncs).then(() => closeSync(fd));
    },
  };
}

function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

function discardTail(fd: number, length: number): void {
  try {
    ftruncateSync(fd, length);
  } catch {
    // The next record overwrites it, and a scan would stop at it.
  }
}
