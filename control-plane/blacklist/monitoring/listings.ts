import type { ListResult, TargetCheck } from '../blacklist.js';
import type { Listing, ListingChange, ListingChangeKind } from '../documents.js';

/** A listing of a list that cannot be asked for the target is kept so long. */
const NOT_ASKED_MS_MAX = 7 * 86_400_000;

/** A list as a listing keeps it; `zone` is the one without a key. */
export interface NamedList {
  name: string;
  zone: string;
}

/** What two looks at a target came to, for what is known of it. */
export interface Settled {
  listings: Listing[];
  changes: ListingChange[];
  /** Of each list its newest result. */
  results: ListResult[];
}

/**
 * Lists whose answer is another than what is known: they are asked once more before anybody is told. A list that did
 * not answer says nothing, so it is none of them. Pure.
 */
export function contradicting(listings: readonly Listing[], check: TargetCheck): Set<string> {
  const known = byProvider(listings);
  return new Set(
    check.results.filter((result) => contradicts(known.get(result.provider), result)).map(({ provider }) => provider),
  );
}

/**
 * Known listings after a check. `again` is the second look at the contradicting lists: what both looks say is
 * believed, anything else leaves what is known as it is. Pure.
 */
export function settle(
  before: readonly Listing[],
  first: TargetCheck,
  again: TargetCheck | null,
  lists: ReadonlyMap<string, NamedList>,
): Settled {
  const known = byProvider(before);
  const second = byProvider(again?.results ?? []);
  const listings: Listing[] = [];
  const changes: ListingChange[] = [];
  for (const result of first.results) {
    const listing = known.get(result.provider);
    const list = lists.get(result.provider);
    known.delete(result.provider);
    if (list === undefined) continue;
    const confirmed = second.get(result.provider);
    const isNews = contradicts(listing, result);
    if (again === null || confirmed === undefined || !isNews || !agree(result, confirmed)) {
      const isSeen = result.status === 'listed' && !isNews;
      if (listing !== undefined) listings.push(isSeen ? seen(listing, result, first.checked_at_ms) : listing);
    } else if (result.status === 'listed') {
      const looks = { first, again, result, confirmed };
      const found = seenTwice(list, looks);
      listings.push(found);
      changes.push(changeOf('listed', found));
    } else if (listing !== undefined) changes.push(changeOf('delisted', listing));
  }
  for (const listing of known.values()) {
    if (isDropped(listing, first, lists)) changes.push(changeOf('dropped', listing));
    else listings.push(listing);
  }
  return { listings, changes, results: first.results.map((result) => second.get(result.provider) ?? result) };
}

/** The list is gone from the catalogue, or could not be asked for long: a domain that has no address any more. */
function isDropped(listing: Listing, check: TargetCheck, lists: ReadonlyMap<string, NamedList>): boolean {
  return !lists.has(listing.provider) || check.checked_at_ms - listing.seen_at_ms > NOT_ASKED_MS_MAX;
}

function contradicts(listing: Listing | undefined, result: ListResult): boolean {
  if (result.status === 'clean') return listing !== undefined;
  // A policy that became a listing proper is news, as is the other way round.
  return result.status === 'listed' && listing?.policy !== result.policy;
}

function agree(a: ListResult, b: ListResult): boolean {
  return a.status === b.status && a.policy === b.policy;
}

function seenTwice(
  list: NamedList,
  looks: { first: TargetCheck; again: TargetCheck; result: ListResult; confirmed: ListResult },
): Listing {
  const { first, again, result, confirmed } = looks;
  return {
    provider: result.provider,
    provider_name: list.name,
    zone: list.zone,
    ...said(confirmed),
    listed_since_ms: first.checked_at_ms,
    seen_at_ms: again.checked_at_ms,
    evidence: {
      first: { at_ms: first.checked_at_ms, codes: result.codes, reason: result.reason },
      confirmed: { at_ms: again.checked_at_ms, codes: confirmed.codes, reason: confirmed.reason },
      tested: confirmed.tested,
    },
  };
}

function seen(listing: Listing, result: ListResult, atMs: number): Listing {
  return { ...listing, ...said(result), seen_at_ms: atMs };
}

function said({ codes, meanings, policy, reason, delist_url, addresses }: ListResult) {
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
