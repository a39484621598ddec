import type {
  BlacklistMonitorDocument,
  CheckDocument,
  Listing,
  ListingChange,
} from '../../../control-plane/blacklist/documents.js';
import type { ListResult } from '../../../control-plane/blacklist/results.js';
import { listingOf, resultOf } from './documents.js';

export const ZEN = 'spamhaus-zen';
const NAMES: Record<string, [name: string, zone: string, url: string | null]> = {
  [ZEN]: ['Spamhaus ZEN', 'zen.spamhaus.org', 'https://check.spamhaus.org/'],
  spamcop: ['SpamCop', 'bl.spamcop.net', null],
};

/** Returns a listing that two lookups found at `atMs`. */
export function buildListing(provider: string, atMs: number, over: Partial<Listing> = {}): Listing {
  const [provider_name, zone, delist_url] = NAMES[provider] ?? [provider, `${provider}.example`, null];
  const said = { codes: ['127.0.0.2'], reason: 'https://lists.example/why' };
  return listingOf({
    ...{ provider, provider_name, zone, delist_url, ...said, listed_since_ms: atMs, seen_at_ms: atMs + 5_000 },
    evidence: { first: { at_ms: atMs, ...said }, confirmed: { at_ms: atMs + 5_000, ...said }, tested: true },
    ...over,
  });
}

/**
 * Returns a check after which the monitor has these listings. Lists without a listing are clean, unless `lists` no
 * longer has them. The answers of `silent` lists are unknown.
 */
export function buildCheck(
  monitor: BlacklistMonitorDocument,
  listings: readonly Listing[],
  { id, atMs, silent, lists }: { id: string; atMs: number; silent: readonly string[]; lists: readonly string[] },
): CheckDocument {
  const before = new Map(monitor.listings.map((listing) => [listing.provider, listing]));
  const now = new Map(listings.map((listing) => [listing.provider, listing]));
  const changes: ListingChange[] = [];
  for (const listing of listings) {
    if (before.get(listing.provider)?.policy !== listing.policy) changes.push(changeOf('listed', listing));
  }
  for (const listing of monitor.listings) {
    if (now.has(listing.provider)) continue;
    changes.push(changeOf(lists.includes(listing.provider) ? 'delisted' : 'dropped', listing));
  }
  const results = lists.map((provider) => {
    if (silent.includes(provider)) return answerOf(provider, 'timeout', null);
    const listing = now.get(provider);
    return answerOf(provider, listing === undefined ? 'clean' : 'listed', listing ?? null);
  });
  const count = (status: string) => results.filter((result) => result.status === status).length;
  const counts = { listed: count('listed'), clean: count('clean'), responding: count('listed') + count('clean') };
  return {
    ...{ _id: id, workspace_id: monitor.workspace_id, monitor_id: monitor._id, checked_at_ms: atMs },
    ...{ score: null, rating: null, ...counts, asked: results.length, results, changes },
    expires_at: new Date(atMs + 86_400_000),
  };
}

function changeOf(kind: ListingChange['kind'], listing: Listing): ListingChange {
  const { provider, provider_name, codes, meanings, policy, reason, delist_url } = listing;
  return { kind, provider, provider_name, codes, meanings, policy, reason, delist_url };
}

function answerOf(provider: string, status: ListResult['status'], listing: Listing | null): ListResult {
  const { codes = [], meanings = [], policy = false, reason = null, delist_url = null } = listing ?? {};
  return resultOf({ provider, status, codes, meanings, policy, reason, delist_url });
}
