import { fsStats, networkStats } from 'systeminformation';
import { isDeviceName } from '../../../proto/metrics.js';
import { type CounterState, nextRates, rateWindow } from '../../rates.js';
import type { MetricName, SampleValues } from '../../sample-values.js';
import type { DeviceLimits } from '../device-limits.js';
import { sumOfKnown } from '../known-sum.js';

/** Samples the metrics that are rates of counters. */
export interface PortableRates {
  sampleNetwork(atMs: number, values: SampleValues): Promise<void>;
  sampleDisks(atMs: number, values: SampleValues): Promise<void>;
}

export function createPortableRates(needs: { intervalMs: number; limits: DeviceLimits }): PortableRates {
  const window = rateWindow(needs.intervalMs);
  let network: CounterState | null = null;
  let disks: CounterState | null = null;
  return {
    async sampleNetwork(atMs, values) {
      const interfaces = (await networkStats('*')).filter(({ iface }) => isDeviceName(iface) && !/^lo\d*$/.test(iface));
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
    async sampleDisks(atMs, values) {
      const counts = await fsStats();
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
