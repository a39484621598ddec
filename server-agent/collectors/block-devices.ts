import { type CounterState, nextRates, type RateWindow } from '../rates.js';
import { isDeviceName, type ReportValues } from '../report-values.js';
import type { DeviceBounds } from './bounded.js';
import type { SystemFiles } from './system-files.js';

/** Sectors read and written since the start of the machine. A sector is 512 bytes here, whatever the device says. */
export interface DiskCounters {
  readSectors: number;
  writtenSectors: number;
}

const SECTOR_BYTES = 512;
/** Pieces of memory and of files that look like disks, and drives whose disks come and go. */
const NO_DISK = /^(?:loop|ram|zram|fd|sr|nbd)\d/;

/** `/proc/diskstats` by device name, partitions among them. */
export function parseDiskstats(text: string): Map<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/ +/);
    const name = fields[2];
    if (name === undefined || NO_DISK.test(name)) continue;
    disks.set(name, { readSectors: Number(fields[5]), writtenSectors: Number(fields[9]) });
  }
  return disks;
}

/** What a name in `/proc/diskstats` is. `physical` ones make the total: others are made of them. */
type Kind = 'partition' | 'physical' | 'made_of_others';

export interface BlockDevices {
  sample(atMs: number, values: ReportValues): void;
}

export function createBlockDevices(options: {
  files: SystemFiles;
  bounds: DeviceBounds;
  window: RateWindow;
}): BlockDevices {
  const { files, bounds, window } = options;
  let kinds = new Map<string, Kind>();
  let state: CounterState | null = null;

  function kindOf(name: string): Kind {
    // A slash in a name (`cciss/c0d0`) is an exclamation mark in a path.
    const path = `/sys/block/${name.replaceAll('/', '!')}`;
    if (!files.exists(path)) return 'partition';
    return files.exists(`${path}/device`) ? 'physical' : 'made_of_others';
  }

  /** Looked up once for each name, until it goes. */
  function classify(names: Iterable<string>): void {
    kinds = new Map([...names].map((name) => [name, kinds.get(name) ?? kindOf(name)]));
  }

  return {
    sample(atMs, values) {
      const text = files.read('/proc/diskstats', '/proc/diskstats');
      if (text === null) return;
      const disks = parseDiskstats(text);
      classify(disks.keys());
      const whole = [...disks.keys()].filter((name) => kinds.get(name) !== 'partition' && isDeviceName(name)).sort();
      const counters = new Map<string, number>();
      for (const name of whole) {
        counters.set(`r ${name}`, disks.get(name)?.readSectors ?? Number.NaN);
        counters.set(`w ${name}`, disks.get(name)?.writtenSectors ?? Number.NaN);
      }
      state = nextRates(state, atMs, counters, window);
      const physical = whole.filter((name) => kinds.get(name) === 'physical');
      const counted = physical.length > 0 ? physical : whole;
      const { rates } = state;
      for (const [prefix, metric] of [
        ['r', 'DISK_READ_RATE'],
        ['w', 'DISK_WRITE_RATE'],
      ] as const) {
        const rateOf = (name: string) => (rates.get(`${prefix} ${name}`) ?? Number.NaN) * SECTOR_BYTES;
        values.add(metric, '', sumOfKnown(counted.map(rateOf)));
        for (const name of bounds.first('block devices', whole)) values.add(metric, name, rateOf(name));
      }
    },
  };
}

/** NaN when none is known. */
export function sumOfKnown(numbers: readonly number[]): number {
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.length === 0 ? Number.NaN : known.reduce((sum, number) => sum + number, 0);
}
