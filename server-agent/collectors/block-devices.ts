import { isDeviceName } from '../../proto/metrics.js';
import { type CounterState, nextRates, type RateWindow, readingTime } from '../rates.js';
import type { SampleValues } from '../sample-values.js';
import type { DeviceLimits } from './device-limits.js';
import { sumOfKnown } from './known-sum.js';
import { parseDiskstats } from './parsers/disk-counters.js';
import type { SystemFiles } from './system-files.js';

const SECTOR_BYTES = 512;

/** The total is the sum of `physical` devices. `virtual` ones, such as RAID and LVM, use the same disks again. */
type Kind = 'partition' | 'physical' | 'virtual';

export interface BlockDevices {
  sample(monotonic: () => number, values: SampleValues): void;
}

export function createBlockDevices(needs: {
  files: SystemFiles;
  limits: DeviceLimits;
  window: RateWindow;
}): BlockDevices {
  const { files, limits, window } = needs;
  let kinds = new Map<string, Kind>();
  let state: CounterState | null = null;

  function kindOf(name: string): Kind {
    // A slash in a name (`cciss/c0d0`) is an exclamation mark in a path.
    const path = `/sys/block/${name.replaceAll('/', '!')}`;
    if (!files.exists(path)) return 'partition';
    return files.exists(`${path}/device`) ? 'physical' : 'virtual';
  }

  /** Reads the kind of a device only when it appears. */
  function classify(names: Iterable<string>): void {
    kinds = new Map([...names].map((name) => [name, kinds.get(name) ?? kindOf(name)]));
  }

  return {
    sample(monotonic, values) {
      const beforeMs = monotonic();
      const text = files.read('/proc/diskstats', '/proc/diskstats');
      const atMs = readingTime(beforeMs, monotonic(), window);
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
        for (const name of limits.first('block devices', whole)) values.add(metric, name, rateOf(name));
      }
    },
  };
}
