import { readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.js';
import { createFileReader } from './file-reader.js';
import type { FileSystemSize } from './file-system-size.js';
import { createReadWarnings } from './read-warnings.js';

/** Reads the files of the kernel. What cannot be read is null; methods with a `kind` also log that, once per kind. */
export interface SystemFiles {
  read(path: string, kind: string): string | null;
  /** Like `read`, without a log line: for files that many machines do not have. */
  readOptional(path: string): string | null;
  list(path: string, kind: string): string[] | null;
  /** Returns the target of a symbolic link as it is stored; null for other files. */
  link(path: string): string | null;
  exists(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Returns the link count of a file. That of a directory is the number of its subdirectories plus two. */
  linkCount(path: string): number | null;
  /** Returns the user id of the owner. */
  owner(path: string): number | null;
  size(path: string): FileSystemSize | null;
}

/** `root` is `/` except in tests. */
export function createSystemFiles(needs: { root: string; logger: Logger }): SystemFiles {
  const { root } = needs;
  const readText = createFileReader();
  const warn = createReadWarnings(needs.logger);
  return {
    read(path, kind) {
      try {
        return readText(join(root, path));
      } catch (error) {
        return warn(kind, error);
      }
    },
    readOptional: (path) => attempt(() => readText(join(root, path)), null),
    list(path, kind) {
      try {
        return readdirSync(join(root, path));
      } catch (error) {
        return warn(kind, error);
      }
    },
    link: (path) => attempt(() => readlinkSync(join(root, path)), null),
    exists: (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined,
    isDirectory: (path) => attempt(() => statSync(join(root, path)).isDirectory(), false),
    linkCount: (path) => attempt(() => statSync(join(root, path)).nlink, null),
    owner: (path) => attempt(() => statSync(join(root, path)).uid, null),
    size(path) {
      try {
        return sizeOf(join(root, path));
      } catch (error) {
        return warn(`the size of ${path}`, error);
      }
    },
  };
}

/** A missing or unreadable file is not an error here: the caller knows what it means. */
function attempt<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch {
    return fallback;
  }
}

function sizeOf(path: string): FileSystemSize {
  const { blocks, bfree, bavail, bsize, files, ffree } = statfsSync(path);
  return {
    sizeBytes: blocks * bsize,
    freeBytes: bfree * bsize,
    availableBytes: bavail * bsize,
    inodes: files,
    inodesFree: ffree,
  };
}
