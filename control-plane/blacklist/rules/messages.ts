import { duration } from '../../duration.js';
import { shortName } from '../../wording.js';

/** A listing as sentences name it. */
export interface NamedListing {
  /** A domain or an address. */
  target: string;
  provider_name: string;
  codes: readonly string[];
  meanings: readonly string[];
  /** The listed addresses of a domain. */
  addresses: readonly string[];
  /** The text of the list. Anyone may have written it. */
  reason: string | null;
  delist_url: string | null;
}

const REASON_CHARS_MAX = 200;
const ADDRESSES_MAX = 3;

/** The messages of incidents that listings open. */
export const listingMessages = {
  listed(listing: NamedListing): string {
    const { target, provider_name, reason, delist_url } = listing;
    const text = listText(reason);
    const quote = text === '' ? '.' : `: “${text}”.`;
    const delisting = delist_url === null ? '' : ` Delisting instructions: ${delist_url}`;
    return `${shortName(target)} is listed on ${shortName(provider_name)}${meaning(listing)}${addressesOf(listing)}${quote}${delisting}`;
  },
  delisted({ target, provider_name, startedAtMs, atMs }: NamedListing & { startedAtMs: number; atMs: number }): string {
    const lasted = `${duration(atMs - startedAtMs)} (${minute(startedAtMs)} to ${minute(atMs)})`;
    return `${shortName(target)} is no longer listed on ${shortName(provider_name)} after ${lasted}.`;
  },
  /** Picket no longer queries the list. */
  dropped({ target, provider_name }: NamedListing): string {
    return `Picket no longer checks ${shortName(target)} on ${shortName(provider_name)}; it may still be listed there.`;
  },
  /** Only a policy listing remains; `meanings` and `codes` are those of the policy. */
  policyOnly(listing: NamedListing): string {
    return `${shortName(listing.target)} is only listed on ${shortName(listing.provider_name)} by policy${meaning(listing)}, which is not a sign of abuse.`;
  },
};

/**
 * Returns the text of a list for quotation marks in a sentence: without control characters, marks that change the
 * direction of text and closing quotation marks.
 */
function listText(reason: string | null): string {
  const plain = (reason ?? '').replace(/[\p{C}\s]+/gu, ' ').replace(/[“”]/g, '"');
  const characters = [...plain.trim()];
  if (characters.length <= REASON_CHARS_MAX) return characters.join('');
  return `${characters.slice(0, REASON_CHARS_MAX - 1).join('')}…`;
}

/** Returns ` (SBL, XBL)`; the codes of a list without meanings. */
function meaning({ meanings, codes }: NamedListing): string {
  const terms = meanings.length > 0 ? meanings : codes;
  return terms.length === 0 ? '' : ` (${shortName(terms.join(', '))})`;
}

function addressesOf({ addresses }: NamedListing): string {
  if (addresses.length === 0) return '';
  const named = addresses.slice(0, ADDRESSES_MAX).join(', ');
  const more = addresses.length - ADDRESSES_MAX;
  const all = more > 0 ? `${named} and ${more} more` : named;
  return ` with its ${addresses.length === 1 ? 'address' : 'addresses'} ${all}`;
}

/** Returns `2026-01-31 03:14 UTC`, with the date because listings last for days. */
function minute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
