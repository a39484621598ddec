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
  return firstGroups(address, 4);
}

/**
 * Returns the bucket of an IPv6 /48, the most that a provider assigns to one customer, who then has 65,536 of the other buckets. null
 * for other addresses.
 */
export function siteBucket(address: string | null): string | null {
  return address?.includes(':') && ipaddr.IPv6.isValid(address) ? `${firstGroups(address, 3)}::/48` : null;
}

/**
 * Returns the network whose connections count together: an IPv4 address, or an IPv6 /56, which many providers give to one
 * customer.
 */
export function networkBucket(address: string | null): string {
  const bucket = addressBucket(address);
  const groups = bucket.split(':');
  if (groups.length < 4) return bucket;
  return [...groups.slice(0, 3), (Number.parseInt(groups[3] ?? '0', 16) >> 8).toString(16)].join(':');
}

function firstGroups(address: string, count: number): string {
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, count);
  return groups.map((part) => part.toString(16)).join(':');
}
