import { canonicalAddress, type Networks } from '../../kernel/networks.js';

/** Addresses read of a header. Nobody has more proxies than this in a row. */
const HOPS_MAX = 32;

/**
 * Returns the rightmost address that is not a trusted proxy's: first the peer of the connection, then `X-Forwarded-For`
 * from its end, where each proxy appends the peer that it has seen. What stands left of that address was sent by
 * the client itself and may be invented. When a trusted proxy wrote something else than an address, its own
 * address is the last one that is known.
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
