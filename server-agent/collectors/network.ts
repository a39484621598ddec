import { type CounterState, nextRates, type RateWindow } from '../rates.js';
import { isDeviceName, type ReportValues } from '../report-values.js';
import { sumOfKnown } from './block-devices.js';
import type { DeviceBounds } from './bounded.js';
import type { SystemFiles } from './system-files.js';

export interface InterfaceCounters {
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Loopback, and what containers and tunnels make by the dozen: the other end of a container's interface lives as
 * long as the container, and what goes through it is counted where it leaves the machine.
 */
const NO_INTERFACE =
  /^(?:lo$|veth|cali|lxc|ifb\d|dummy|tunl\d|sit\d|gre\d|gretap\d|erspan\d|ip6tnl\d|ip6gre|ip_vti|ip6_vti)/;

/** Whether an interface of this name has metrics. */
export function isReported(name: string): boolean {
  return !NO_INTERFACE.test(name);
}

/** `/proc/net/dev` by name. */
export function parseNetDev(text: string): Map<string, InterfaceCounters> {
  const interfaces = new Map<string, InterfaceCounters>();
  for (const line of text.split('\n')) {
    // A name may hold a colon itself (`eth0:1`); the numbers hold none.
    const colon = line.lastIndexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (name === '' || !isReported(name)) continue;
    const fields = line
      .slice(colon + 1)
      .trim()
      .split(/ +/);
    interfaces.set(name, { receivedBytes: Number(fields[0]), sentBytes: Number(fields[8]) });
  }
  return interfaces;
}

/**
 * Established connections, IPv4 and IPv6 together: the kernel's own count, as `ss -s` shows it. It holds those that
 * the other side has closed already (CLOSE_WAIT) and costs one line however many there are.
 */
export function parseEstablished(snmp: string): number | null {
  const [names, numbers] = snmp.split('\n').filter((line) => line.startsWith('Tcp: '));
  const at = names?.split(' ').indexOf('CurrEstab') ?? -1;
  const value = at < 0 ? undefined : numbers?.split(' ')[at];
  return value === undefined ? null : Number(value);
}

/** `physical` has hardware (or what a hypervisor shows as such); `upper` is made of others; `base` is neither. */
type Kind = 'physical' | 'upper' | 'base';

export interface Network {
  sample(atMs: number, values: ReportValues): void;
}

export function createNetwork(options: { files: SystemFiles; bounds: DeviceBounds; window: RateWindow }): Network {
  const { files, bounds, window } = options;
  let kinds = new Map<string, Kind>();
  let state: CounterState | null = null;

  function kindOf(name: string): Kind {
    const path = `/sys/class/net/${name}`;
    if (files.exists(`${path}/device`)) return 'physical';
    const entries = files.list(path, 'what interfaces are made of') ?? [];
    return entries.some((entry) => entry.startsWith('lower_')) ? 'upper' : 'base';
  }

  /** Bridges, bonds and VLANs carry again what their parts carry, so that one of both counts. */
  function counted(names: readonly string[]): readonly string[] {
    const of = (kind: Kind) => names.filter((name) => kinds.get(name) === kind);
    const physical = of('physical');
    return physical.length > 0 ? physical : of('base');
  }

  return {
    sample(atMs, values) {
      const text = files.read('/proc/net/dev', '/proc/net/dev');
      if (text !== null) {
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
        // With more than a report may hold, those that carry the machine's own traffic come first.
        const kept = bounds.first('interfaces', [...total, ...names.filter((name) => !total.includes(name))]);
        for (const [prefix, metric] of [
          ['r', 'NET_BYTES_RECV_RATE'],
          ['s', 'NET_BYTES_SENT_RATE'],
        ] as const) {
          const rateOf = (name: string) => rates.get(`${prefix} ${name}`) ?? Number.NaN;
          values.add(metric, '', sumOfKnown(total.map(rateOf)));
          for (const name of kept) values.add(metric, name, rateOf(name));
        }
      }
      const snmp = files.read('/proc/net/snmp', '/proc/net/snmp');
      const established = snmp === null ? null : parseEstablished(snmp);
      if (established !== null) values.add('TCP_CONNECTIONS', '', established);
    },
  };
}
