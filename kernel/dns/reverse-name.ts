import ipaddr from 'ipaddr.js';

/** Returns the name at which the names of an address are: `7.113.0.203.in-addr.arpa`; for IPv6 the 32 nibbles below `ip6.arpa`. */
export function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.reverse().join('.')}.in-addr.arpa`;
  const nibbles = [...Buffer.from(parsed.toByteArray()).toString('hex')];
  return `${nibbles.reverse().join('.')}.ip6.arpa`;
}
