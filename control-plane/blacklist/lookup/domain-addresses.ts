import { isIP } from 'node:net';
import type { Answer } from '../../../kernel/dns/answer.js';
import { canonicalAddress } from '../../../kernel/guard/networks.js';
import { privateRefusal } from './targets.js';

const ADDRESSES_MAX = 8;
/** The number of skipped addresses that are named. Each list repeats them, and an answer can have 4,000 addresses. */
const SKIPPED_SHOWN_MAX = 8;
const NOT_ALLOWED = 'the domain points to an address that is not allowed';

/** Why the addresses of a family are unknown. */
export interface AddressFailure {
  status: 'error' | 'timeout';
  reason: string;
}

/** The addresses of a domain. An empty list means that it has no address of that family. */
export interface DomainAddresses {
  4: string[] | AddressFailure;
  6: string[] | AddressFailure;
  /**
   * Why addresses are not queried: one text for those that are not public, which names none of them; and of those beyond the
   * eighth, one text with the address for each of the first ones, and one with the number of the others.
   */
  skipped: string[];
  /** The refusals of addresses that are not public, for the log. */
  refused: string[];
  /** false if the resolver says for both families that the domain does not exist. */
  exists: boolean;
}

/** Chooses IPv4 first, else in sorted order, so that two consecutive checks query the same addresses. Pure. */
export function chooseAddresses(answer4: Answer, answer6: Answer): DomainAddresses {
  const skipped: string[] = [];
  const refused: string[] = [];
  let skippedCount = 0;
  let left = ADDRESSES_MAX;
  const isChosen = (address: string, family: 4 | 6): boolean => {
    const refusal = privateRefusal(address);
    if (refusal !== null) {
      refused.push(refusal);
      return false;
    }
    const isMapped = isIP(address) !== family;
    if (!isMapped && left-- > 0) return true;
    skippedCount++;
    if (skippedCount <= SKIPPED_SHOWN_MAX) {
      const why = isMapped ? 'an IPv4 address written as IPv6' : `beyond the first ${ADDRESSES_MAX}`;
      skipped.push(`${address} is ${why}`);
    }
    return false;
  };
  const choose = (answer: Answer, family: 4 | 6): string[] | AddressFailure => {
    if (answer.kind === 'timeout')
      return { status: 'timeout', reason: 'The lookup of the domain’s addresses timed out.' };
    if (answer.kind === 'failed') {
      return { status: 'error', reason: `The lookup of the domain’s addresses failed: ${answer.error}.` };
    }
    const found =
      answer.kind === 'none'
        ? []
        : [...new Set(answer.addresses.map((address) => canonicalAddress(address) ?? address))].sort();
    return found.filter((address) => isChosen(address, family));
  };
  const exists = !isUnknownName(answer4) || !isUnknownName(answer6);
  const chosen = { 4: choose(answer4, 4), 6: choose(answer6, 6) };
  if (skippedCount > skipped.length) skipped.push(`${skippedCount - skipped.length} more addresses`);
  if (refused.length > 0) skipped.push(NOT_ALLOWED);
  return { ...chosen, skipped, refused: refused.slice(0, SKIPPED_SHOWN_MAX), exists };
}

function isUnknownName(answer: Answer): boolean {
  return answer.kind === 'none' && answer.exists === false;
}
