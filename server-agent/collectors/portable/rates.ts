import { fsStats, networkStats } from 'systeminformation';
import { isDeviceName } from '../../../proto/metrics.js';
import { type CounterState, nextRates, rateWindow, readingTime } from '../../rates.js';
import type { MetricName, SampleValues } from '../../sample-values.js';
import type { DeviceLimits } from '../device-limits.js';
import { sumOfKnown } from '../known-sum.js';

/** Samples the metrics that are rates of counters. */
export interface PortableRates {
  sampleNetwork(monotonic: () => number, values: SampleValues): Promise<void>;
  sampleDisks(monotonic: () => number, values: SampleValues): Promise<void>;
}

/** Share of the interval that a reading may take: `systeminformation` runs programs, which is slow on some systems. */
const READ_RATIO_MAX = 0.3;

export function createPortableRates(needs: { intervalMs: number; limits: DeviceLimits }): PortableRates {
  const window = { ...rateWindow(needs.intervalMs), readMsMax: needs.intervalMs * READ_RATIO_MAX };
  let network: CounterState | null = null;
  let disks: CounterState | null = null;
  return {
    async sampleNetwork(monotonic, values) {
      const beforeMs = monotonic();
      const found = await networkStats('*');
      const atMs = readingTime(beforeMs, monotonic(), window);
      const interfaces = found.filter(({ iface }) => isDeviceName(iface) && !/^lo\d*$/.test(iface));
      const counters = new Map<string, number>();
      for (const { iface, rx_bytes, tx_bytes } of interfaces) {
        counters.set(`r ${iface}`, rx_bytes);
        counters.set(`s ${iface}`, tx_bytes);
      }
      network = nextRates(network, atMs, counters, window);
      const names = interfaces.map(({ iface }) => iface);
      addRates(values, network, 'NET_BYTES_RECV_RATE', 'r', needs.limits.first('interfaces', names));
      addRates(values, network, 'NET_BYTES_SENT_RATE', 's', needs.limits.first('interfaces', names));
    },
    /** Adds the rates of the whole machine, because systems without /proc have no counters by device. */
    async sampleDisks(monotonic, values) {
      const beforeMs = monotonic();
      const counts = await fsStats();
      const atMs = readingTime(beforeMs, monotonic(), window);
      if (counts === null) return;
      const counters = new Map([
        ['r', counts.rx],
        ['w', counts.wx],
      ]);
      disks = nextRates(disks, atMs, counters, window);
      values.add('DISK_READ_RATE', '', disks.rates.get('r') ?? Number.NaN);
      values.add('DISK_WRITE_RATE', '', disks.rates.get('w') ?? Number.NaN);
    },
  };
}

function addRates(
  values: SampleValues,
  { rates }: CounterState,
  metric: MetricName,
  prefix: string,
  names: readonly string[],
): void {
  const rateOf = (name: string) => rates.get(`${prefix} ${name}`) ?? Number.NaN;
  values.add(metric, '', sumOfKnown(names.map(rateOf)));
  for (const name of names) values.add(metric, name, rateOf(name));
}
