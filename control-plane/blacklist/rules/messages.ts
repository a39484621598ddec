import { duration } from '../../duration.js';
import type { ListingMessages, NamedListing } from '../../incidents/incidents.js';
import { short } from '../../verdicts/messages.js';

const REASON_CHARS_MAX = 200;
const ADDRESSES_MAX = 3;

export const blacklistMessages: ListingMessages = {
  listed(listing) {
    const { target, provider_name, reason, delist_url } = listing;
    const said = listText(reason);
    const says = said === '' ? '.' : `: “${said}”.`;
    const removal = delist_url === null ? '' : ` To be removed: ${delist_url}`;
    return `${short(target)} is listed on ${short(provider_name)}${meaning(listing)}${by(listing)}${says}${removal}`;
  },
  delisted({ target, provider_name, startedAtMs, atMs }) {
    const lasted = `${duration(atMs - startedAtMs)} (${minute(startedAtMs)} to ${minute(atMs)})`;
    return `${short(target)} is no longer listed on ${short(provider_name)} after ${lasted}.`;
  },
  dropped: ({ target, provider_name }) =>
    `${short(provider_name)} is no longer asked about ${short(target)}: whether it still lists it is not known.`,
  policyOnly: (listing) =>
    `${short(listing.target)} is listed on ${short(listing.provider_name)} by its policy only${meaning(listing)}: that is no report of abuse.`,
};

/**
 * What a list says of a target, fit for a sentence in quotation marks. Strangers may have written it: no control
 * characters, no marks that turn the direction of text, no closing quotation mark of its own.
 */
function listText(reason: string | null): string {
  const plain = (reason ?? '').replace(/[\p{C}\s]+/gu, ' ').replace(/[“”]/g, '"');
  const characters = [...plain.trim()];
  if (characters.length <= REASON_CHARS_MAX) return characters.join('');
  return `${characters.slice(0, REASON_CHARS_MAX - 1).join('')}…`;
}

/** ` (SBL, XBL)`; the codes where the list says no more. */
function meaning({ meanings, codes }: NamedListing): string {
  const words = meanings.length > 0 ? meanings : codes;
  return words.length === 0 ? '' : ` (${short(words.join(', '))})`;
}

/** Which addresses of a domain are listed. */
function by({ addresses }: NamedListing): string {
  if (addresses.length === 0) return '';
  const named = addresses.slice(0, ADDRESSES_MAX).join(', ');
  const more = addresses.length - ADDRESSES_MAX;
  const all = more > 0 ? `${named} and ${more} more` : named;
  return ` with its ${addresses.length === 1 ? 'address' : 'addresses'} ${all}`;
}

/** `2026-01-31 03:14 UTC`: listings last for days. */
function minute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
