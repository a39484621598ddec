import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';

const NAME_CHARS_MAX = 253;

/** `7.113.0.203` of 203.0.113.7; of IPv6 its 32 nibbles, the last one first. */
export function reversedAddress(address: string): string {
  const parsed = ipaddr.parse(address);
  const parts =
    parsed instanceof ipaddr.IPv4 ? parsed.octets.map(String) : [...Buffer.from(parsed.toByteArray()).toString('hex')];
  return parts.reverse().join('.');
}

/**
 * What of a domain a list knows: all of it, or the part that somebody registered. Those who hand out names below
 * their own, as hosters do, count as registries: a customer's site is not judged for its neighbours.
 */
export function listedPart(domain: string, names: 'registrable' | 'host'): string {
  if (names === 'host') return domain;
  return getDomain(domain, { allowPrivateDomains: true }) ?? getDomain(domain) ?? domain;
}

/** The name to look up for an address or a domain in a zone; null when it would be too long. */
export function queryName(entry: string, zone: string): string | null {
  const name = `${isIP(entry) === 0 ? entry : reversedAddress(entry)}.${zone}`;
  return name.length > NAME_CHARS_MAX ? null : name;
}
