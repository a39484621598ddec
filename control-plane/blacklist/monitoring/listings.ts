import type { Listing, ListingChange, ListingChangeKind } from '../documents.js';
import type { ListResult, TargetCheck } from '../results.js';

/** A listing is kept this long if its list cannot be queried for the target any more. */
const NOT_QUERIED_MS_MAX = 7 * 86_400_000;

/** The fields of a list that a listing stores. `zone` is without a key. */
export interface NamedList {
  name: string;
  zone: string;
}

/** The effect of a check on the known listings of a target. */
export interface ListingUpdate {
  listings: Listing[];
  changes: ListingChange[];
  /** The latest result of each list. */
  results: ListResult[];
}

/**
 * Returns the lists whose answer differs from the known listings. They need a second check before an alert. A list that
 * did not answer is not one of them. Pure.
 */
export function listsToConfirm(listings: readonly Listing[], check: TargetCheck): Set<string> {
  const known = byProvider(listings);
  return new Set(
    check.results.filter((result) => differs(known.get(result.provider), result)).map(({ provider }) => provider),
  );
}

/**
 * Returns the known listings after a check. `second` is the second check of the lists to confirm: if both checks agree,
 * the listing changes, else it stays. Pure.
 */
export function updateListings(
  before: readonly Listing[],
  first: TargetCheck,
  second: TargetCheck | null,
  lists: ReadonlyMap<string, NamedList>,
): ListingUpdate {
  const known = byProvider(before);
  const confirmations = byProvider(second?.results ?? []);
  const listings: Listing[] = [];
  const changes: ListingChange[] = [];
  for (const result of first.results) {
    const listing = known.get(result.provider);
    const list = lists.get(result.provider);
    known.delete(result.provider);
    if (list === undefined) continue;
    const confirmed = confirmations.get(result.provider);
    const isDifferent = differs(listing, result);
    if (second === null || confirmed === undefined || !isDifferent || !agree(result, confirmed)) {
      const isSeen = result.status === 'listed' && !isDifferent;
      if (listing !== undefined) listings.push(isSeen ? seen(listing, result, first.checked_at_ms) : listing);
    } else if (result.status === 'listed') {
      const confirmedListing = newListing(list, { first, second, result, confirmed });
      listings.push(confirmedListing);
      changes.push(changeOf('listed', confirmedListing));
    } else if (listing !== undefined) changes.push(changeOf('delisted', listing));
  }
  for (const listing of known.values()) {
    if (isDropped(listing, first, lists)) changes.push(changeOf('dropped', listing));
    else listings.push(listing);
  }
  return { listings, changes, results: first.results.map((result) => confirmations.get(result.provider) ?? result) };
}

/** Returns whether the list was removed from the catalogue, or can no longer be queried: a domain without an address. */
function isDropped(listing: Listing, check: TargetCheck, lists: ReadonlyMap<string, NamedList>): boolean {
  return !lists.has(listing.provider) || check.checked_at_ms - listing.seen_at_ms > NOT_QUERIED_MS_MAX;
}

function differs(listing: Listing | undefined, result: ListResult): boolean {
  if (result.status === 'clean') return listing !== undefined;
  // A change between a policy listing and a real listing counts as a difference.
  return result.status === 'listed' && listing?.policy !== result.policy;
}

function agree(a: ListResult, b: ListResult): boolean {
  return a.status === b.status && a.policy === b.policy;
}

function newListing(
  list: NamedList,
  checks: { first: TargetCheck; second: TargetCheck; result: ListResult; confirmed: ListResult },
): Listing {
  const { first, second, result, confirmed } = checks;
  return {
    provider: result.provider,
    provider_name: list.name,
    zone: list.zone,
    ...answerOf(confirmed),
    listed_since_ms: first.checked_at_ms,
    seen_at_ms: second.checked_at_ms,
    evidence: {
      first: { at_ms: first.checked_at_ms, codes: result.codes, reason: result.reason },
      confirmed: { at_ms: second.checked_at_ms, codes: confirmed.codes, reason: confirmed.reason },
      tested: confirmed.tested,
    },
  };
}

function seen(listing: Listing, result: ListResult, atMs: number): Listing {
  return { ...listing, ...answerOf(result), seen_at_ms: atMs };
}

function answerOf({ codes, meanings, policy, reason, delist_url, addresses }: ListResult) {
  const listed = addresses.filter(({ status }) => status === 'listed').map(({ address }) => address);
  return { codes, meanings, policy, reason, delist_url, addresses: listed };
}

function changeOf(kind: ListingChangeKind, listing: Listing): ListingChange {
  const { provider, provider_name, codes, meanings, policy, reason, delist_url } = listing;
  return { kind, provider, provider_name, codes, meanings, policy, reason, delist_url };
}

function byProvider<T extends { provider: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.provider, row]));
}
