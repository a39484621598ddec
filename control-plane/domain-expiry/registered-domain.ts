import { parse } from 'tldts';

/** A domain as it is registered at a registry, with the public suffix that it is below. */
export interface RegisteredDomain {
  /** In lower-case punycode. */
  name: string;
  /** The public suffix that it is below: `co.uk`. In lower-case punycode. */
  suffix: string;
  /** The host is below a suffix that the owner of the domain offers to others, such as `github.io`: only that owner can renew it. */
  is_of_others: boolean;
}

/**
 * Returns the registered domain that a host belongs to; null for an address, a name with one label, a public suffix itself, and
 * a name whose top-level domain is not on the internet. Suffixes that companies offer below their own domains, such as
 * `github.io`, do not count: what has a registration is the domain of the company. Pure.
 */
export function registeredDomainOf(host: string): RegisteredDomain | null {
  const { domain, publicSuffix, isIcann, isIp } = parse(host.toLowerCase(), { allowPrivateDomains: false });
  if (domain === null || publicSuffix === null || isIp === true || isIcann !== true) return null;
  const offered = parse(host.toLowerCase(), { allowPrivateDomains: true });
  return { name: domain, suffix: publicSuffix, is_of_others: offered.isPrivate === true && offered.domain !== null };
}
