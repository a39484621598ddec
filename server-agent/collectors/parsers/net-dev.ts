export interface InterfaceCounters {
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Loopback, and the interfaces that containers and tunnels create in large numbers. A container's interface exists
 * only as long as the container, and its traffic counts on the interface through which it leaves the machine.
 */
const IGNORED_NAMES =
  /^(?:lo$|veth|cali|lxc|ifb\d|dummy|tunl\d|sit\d|gre\d|gretap\d|erspan\d|ip6tnl\d|ip6gre|ip_vti|ip6_vti)/;

/** Returns whether an interface with this name has metrics. */
export function isMeasured(name: string): boolean {
  return !IGNORED_NAMES.test(name);
}

/** Returns the counters of `/proc/net/dev` by interface name. */
export function parseNetDev(text: string): Map<string, InterfaceCounters> {
  const interfaces = new Map<string, InterfaceCounters>();
  for (const line of text.split('\n')) {
    // A name may contain a colon (`eth0:1`); the numbers after it do not.
    const colon = line.lastIndexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (name === '' || !isMeasured(name)) continue;
    const fields = line
      .slice(colon + 1)
      .trim()
      .split(/ +/);
    interfaces.set(name, { receivedBytes: Number(fields[0]), sentBytes: Number(fields[8]) });
  }
  return interfaces;
}
