import { canonicalAddress, type Networks } from '../../../kernel/guard/networks.js';

/** The number of addresses that are read from a header. Real chains of proxies are shorter. */
const HOPS_MAX = 32;

/**
 * Returns the rightmost address that is not a trusted proxy's: first the peer of the connection, then `X-Forwarded-For`
 * from its end, where each proxy appends the peer that it has seen. The client itself sent what is left of that
 * address, and may have invented it. When a trusted proxy wrote something other than an address, its own address is the
 * last known one.
 */
export function clientAddressOf(peer: string, forwardedFor: string, trustedProxies: Networks): string {
  const hops = forwardedFor.split(',').slice(-HOPS_MAX);
  let address = canonicalAddress(peer) ?? peer;
  while (trustedProxies.contain(address)) {
    const before = addressOfHop(hops.pop() ?? '');
    if (before === null) break;
    address = before;
  }
  return address;
}

/** Some proxies append the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressOfHop(hop: string): string | null {
  const [, bracketed, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop.trim()) ?? [];
  return canonicalAddress(bracketed ?? ipv4 ?? hop.trim());
}
