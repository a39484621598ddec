import ipaddr from 'ipaddr.js';

/** Requests from which on the control planes exchange the count of an address. */
export const ADDRESS_EXCHANGED_FROM = 10;

/**
 * Returns the bucket of an IPv4 address or of an IPv6 /64, which is what a provider assigns to one customer. All
 * requests whose connection has already been closed share one.
 */
export function addressBucket(address: string | null): string {
  if (address === null) return 'none';
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}
