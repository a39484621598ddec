import type { IpFamily } from './packet.js';

const UNREACHABLE_V4: Readonly<Record<number, string>> = {
  0: 'a router has no route to its network',
  1: 'no such host answers on its network',
  2: 'it does not support ICMP',
  9: 'a router refuses its network',
  10: 'a router refuses this host',
  13: 'a firewall refuses it',
};

const UNREACHABLE_V6: Readonly<Record<number, string>> = {
  0: 'a router has no route to it',
  1: 'a firewall refuses it',
  3: 'no such host answers on its network',
  5: 'a firewall refuses the address of this probe',
  6: 'a router rejects the route to it',
};

/** Returns the meaning of an ICMP error, to follow "… is unreachable:". */
export function icmpErrorReason(family: IpFamily, type: number, code: number): string {
  if (type === (family === 4 ? 11 : 3)) return 'the packets are in a routing loop (time exceeded)';
  if (type === (family === 4 ? 3 : 1)) {
    return (family === 4 ? UNREACHABLE_V4 : UNREACHABLE_V6)[code] ?? `a router reports it unreachable (code ${code})`;
  }
  return `a router rejects the packets (ICMP type ${type}, code ${code})`;
}
