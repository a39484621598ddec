/** The size of a file system as `statfs` returns it, in bytes and inodes. */
export interface FileSystemSize {
  sizeBytes: number;
  freeBytes: number;
  /** Free bytes that an unprivileged user can use. */
  availableBytes: number;
  inodes: number;
  inodesFree: number;
}

/**
 * Returns the used share as `df` shows it: the reserve for root counts as neither used nor available. Returns null for
 * a file system without a size.
 */
export function usedPercent(size: FileSystemSize): number | null {
  const used = size.sizeBytes - size.freeBytes;
  const usable = used + size.availableBytes;
  return usable <= 0 ? null : (100 * used) / usable;
}

/** Returns null for file systems that create inodes when they need them. */
export function inodesUsedPercent(size: FileSystemSize): number | null {
  return size.inodes <= 0 ? null : (100 * (size.inodes - size.inodesFree)) / size.inodes;
}
