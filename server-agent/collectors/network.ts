import { isDeviceName } from '../../proto/metrics.js';
import { type CounterState, nextRates, type RateWindow, readingTime } from '../rates.js';
import type { SampleValues } from '../sample-values.js';
import type { DeviceLimits } from './device-limits.js';
import { sumOfKnown } from './known-sum.js';
import { parseNetDev } from './parsers/net-dev.js';
import { parseEstablished } from './parsers/tcp-connections.js';
import type { SystemFiles } from './system-files.js';

/** `physical` has (possibly virtualised) hardware, `upper` is built on other interfaces, `base` is neither. */
type Kind = 'physical' | 'upper' | 'base';

export interface Network {
  sample(monotonic: () => number, values: SampleValues): void;
}

export function createNetwork(needs: { files: SystemFiles; limits: DeviceLimits; window: RateWindow }): Network {
  const { files, limits, window } = needs;
  let kinds = new Map<string, Kind>();
  let state: CounterState | null = null;

  function kindOf(name: string): Kind {
    const path = `/sys/class/net/${name}`;
    if (files.exists(`${path}/device`)) return 'physical';
    const entries = files.list(path, 'the structure of interfaces') ?? [];
    return entries.some((entry) => entry.startsWith('lower_')) ? 'upper' : 'base';
  }

  /** Returns the interfaces of the total. Bridges, bonds and VLANs are not in it: their traffic counts on their parts. */
  function counted(names: readonly string[]): readonly string[] {
    const of = (kind: Kind) => names.filter((name) => kinds.get(name) === kind);
    const physical = of('physical');
    return physical.length > 0 ? physical : of('base');
  }

  function sampleInterfaces(text: string, atMs: number, values: SampleValues): void {
    const interfaces = parseNetDev(text);
    const names = [...interfaces.keys()].filter(isDeviceName).sort();
    kinds = new Map(names.map((name) => [name, kinds.get(name) ?? kindOf(name)]));
    const counters = new Map<string, number>();
    for (const name of names) {
      counters.set(`r ${name}`, interfaces.get(name)?.receivedBytes ?? Number.NaN);
      counters.set(`s ${name}`, interfaces.get(name)?.sentBytes ?? Number.NaN);
    }
    state = nextRates(state, atMs, counters, window);
    const { rates } = state;
    const total = counted(names);
    // If there are too many for one sample, those with the machine's own traffic come first.
    const kept = limits.first('interfaces', [...total, ...names.filter((name) => !total.includes(name))]);
    for (const [prefix, metric] of [
      ['r', 'NET_BYTES_RECV_RATE'],
      ['s', 'NET_BYTES_SENT_RATE'],
    ] as const) {
      const rateOf = (name: string) => rates.get(`${prefix} ${name}`) ?? Number.NaN;
      values.add(metric, '', sumOfKnown(total.map(rateOf)));
      for (const name of kept) values.add(metric, name, rateOf(name));
    }
  }

  return {
    sample(monotonic, values) {
      const beforeMs = monotonic();
      const text = files.read('/proc/net/dev', '/proc/net/dev');
      const atMs = readingTime(beforeMs, monotonic(), window);
      if (text !== null) sampleInterfaces(text, atMs, values);
      const snmp = files.read('/proc/net/snmp', '/proc/net/snmp');
      const established = snmp === null ? null : parseEstablished(snmp);
      if (established !== null) values.add('TCP_CONNECTIONS', '', established);
    },
  };
}
