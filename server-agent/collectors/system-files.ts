import { closeSync, openSync, readdirSync, readlinkSync, readSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.js';

/** A file system as `statfs` sees it, in bytes and inodes. */
export interface FileSystemSize {
  sizeBytes: number;
  freeBytes: number;
  /** What an unprivileged user may still take. */
  availableBytes: number;
  inodes: number;
  inodesFree: number;
}

/** What the kernel shows of itself. What cannot be read is null, and said once for each `kind`. */
export interface SystemFiles {
  read(path: string, kind: string): string | null;
  /** As `read`, for what many machines do not have: nothing is said. */
  readIfThere(path: string): string | null;
  list(path: string, kind: string): string[] | null;
  /** The last part of where a link leads; null for what is no link. */
  linkName(path: string): string | null;
  /** Where a link leads, as it stands in it; null for what is no link. */
  link(path: string): string | null;
  exists(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Names that a file has; of a folder, the folders in it and two. */
  links(path: string): number | null;
  /** Owner of a file. */
  owner(path: string): number | null;
  size(path: string): FileSystemSize | null;
}

/** Files in /proc say that they are empty, so they are read until they end. */
const FIRST_BYTES = 16 * 1024;
const BYTES_MAX = 16 * 1024 * 1024;

/** `root` is `/` but in tests. */
export function createSystemFiles(options: { root: string; logger: Logger }): SystemFiles {
  const { root, logger } = options;
  const told = new Set<string>();
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);

  function tell(kind: string, error: unknown): null {
    if (told.has(kind)) return null;
    told.add(kind);
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ reason }, `cannot read ${kind}, its values are left out`);
    return null;
  }

  function readText(path: string): string {
    const fd = openSync(join(root, path), 'r');
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
  }

  function attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch {
      // Not there, or not for us to see: the caller knows what that means.
      return otherwise;
    }
  }

  return {
    read(path, kind) {
      try {
        return readText(path);
      } catch (error) {
        return tell(kind, error);
      }
    },
    readIfThere: (path) => attempt(() => readText(path), null),
    list(path, kind) {
      try {
        return readdirSync(join(root, path));
      } catch (error) {
        return tell(kind, error);
      }
    },
    linkName: (path) => attempt(() => readlinkSync(join(root, path)).split('/').at(-1) ?? null, null),
    link: (path) => attempt(() => readlinkSync(join(root, path)), null),
    exists: (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined,
    isDirectory: (path) => attempt(() => statSync(join(root, path)).isDirectory(), false),
    links: (path) => attempt(() => statSync(join(root, path)).nlink, null),
    owner: (path) => attempt(() => statSync(join(root, path)).uid, null),
    size(path) {
      try {
        const { blocks, bfree, bavail, bsize, files, ffree } = statfsSync(join(root, path));
        return {
          sizeBytes: blocks * bsize,
          freeBytes: bfree * bsize,
          availableBytes: bavail * bsize,
          inodes: files,
          inodesFree: ffree,
        };
      } catch (error) {
        return tell(`the size of ${path}`, error);
      }
    },
  };
}
