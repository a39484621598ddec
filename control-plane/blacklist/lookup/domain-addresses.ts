import { isIP } from 'node:net';
import type { Answer } from '../lists/classify.js';
import type { DnsClient } from './dns-client.js';
import { canonicalAddress, privateRefusal } from './targets.js';

const ADDRESSES_MAX = 8;

/** Why a family's addresses are not known. */
export interface AddressFailure {
  status: 'error' | 'timeout';
  reason: string;
}

/** Where a domain is; an empty list means that it has no address of that family. */
export interface DomainAddresses {
  4: string[] | AddressFailure;
  6: string[] | AddressFailure;
  /** Those that no list is asked about: private ones, and those beyond the eighth. In words, each with its address. */
  skipped: string[];
}

/** Looks up the public addresses of a domain, at the resolvers that the lists are asked through. */
export async function findAddresses(dns: DnsClient, domain: string): Promise<DomainAddresses> {
  const [answer4, answer6] = await Promise.all([dns.resolve4(domain), dns.resolve6(domain)]);
  return chooseAddresses(answer4, answer6);
}

/** IPv4 first, else in their own order, so that two looks ask about the same ones. Pure. */
export function chooseAddresses(answer4: Answer, answer6: Answer): DomainAddresses {
  const skipped: string[] = [];
  let left = ADDRESSES_MAX;
  const isChosen = (address: string, family: 4 | 6): boolean => {
    const refusal =
      isIP(address) === family ? privateRefusal(address) : `${address} is an IPv4 address written as IPv6`;
    if (refusal === null && left-- > 0) return true;
    skipped.push(refusal ?? `${address} is beyond the first ${ADDRESSES_MAX}`);
    return false;
  };
  const choose = (answer: Answer, family: 4 | 6): string[] | AddressFailure => {
    if (answer.kind === 'timeout') return { status: 'timeout', reason: 'The domain’s addresses did not come in time.' };
    if (answer.kind === 'failed') {
      return { status: 'error', reason: `The domain’s addresses could not be found: ${answer.error}.` };
    }
    const found = answer.kind === 'none' ? [] : [...new Set(answer.addresses.map(canonicalAddress))].sort();
    return found.filter((address) => isChosen(address, family));
  };
  return { 4: choose(answer4, 4), 6: choose(answer6, 6), skipped };
}
