/** Sectors read and written since the start of the machine. A sector has 512 bytes here, on every device. */
export interface DiskCounters {
  readSectors: number;
  writtenSectors: number;
}

/** Block devices in memory or in files, and drives with removable disks. */
const IGNORED_NAMES = /^(?:loop|ram|zram|fd|sr|nbd)\d/;

/** Returns the counters of `/proc/diskstats` by device name, including partitions. */
export function parseDiskstats(text: string): Map<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/ +/);
    const name = fields[2];
    if (name === undefined || IGNORED_NAMES.test(name)) continue;
    disks.set(name, { readSectors: Number(fields[5]), writtenSectors: Number(fields[9]) });
  }
  return disks;
}
