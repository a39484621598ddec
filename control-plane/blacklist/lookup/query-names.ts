import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';

const NAME_CHARS_MAX = 253;

/** Returns `7.113.0.203` for 203.0.113.7; for IPv6 the 32 nibbles, the last one first. */
function reversedAddress(address: string): string {
  const parsed = ipaddr.parse(address);
  const parts =
    parsed instanceof ipaddr.IPv4 ? parsed.octets.map(String) : [...Buffer.from(parsed.toByteArray()).toString('hex')];
  return parts.reverse().join('.');
}

/**
 * Returns the part of a domain that a list contains: the whole host name or the registrable domain. Hosters that give
 * out subdomains count as registries, so that a customer's site is not listed because of other customers.
 */
export function listedPart(domain: string, names: 'registrable' | 'host'): string {
  if (names === 'host') return domain;
  return getDomain(domain, { allowPrivateDomains: true }) ?? getDomain(domain) ?? domain;
}

/** Returns the DNS name for an address or a domain in a zone; null if it is too long. */
export function queryName(entry: string, zone: string): string | null {
  const name = `${isIP(entry) === 0 ? entry : reversedAddress(entry)}.${zone}`;
  return name.length > NAME_CHARS_MAX ? null : name;
}
