import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { encodeSegmentHeader, writeAll } from './segment.js';

/** The file of the segment that is written to. */
export interface OpenFile {
  /** Throws what the file system throws; then nothing of the bytes is left behind. */
  write(bytes: Buffer, offset: number): void;
  /** Writes the header of the ended segment in place, so that a full disk takes it, and waits for the disk. */
  finish(last: number): void;
  /** Resolves when all that was written is on the disk. */
  sync(): Promise<void>;
  /** Closes the file, once the last sync on it is done. */
  release(): void;
}

/** Begins the file of a segment whose first record is `first`; throws what the file system throws and leaves no file. */
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
      // At once where possible: a descriptor that stays open keeps the room of a segment that was dropped.
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
    // The next record is written over it, and a scan would stop at it.
  }
}
