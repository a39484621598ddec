import type { Transaction } from '../../storage/transaction.js';
import type { Reading } from '../documents.js';
import { compare, comparisonOf, feedValidUntilMs, judgePlugins, whyNotCompared } from './compare.js';
import type { Comparison, Inventory } from './documents.js';
import { COMPARE_PERIOD_MS } from './limits.js';
import type { VulnerabilityStore } from './store.js';

export interface CompareNeeds {
  vulnerabilities: Pick<VulnerabilityStore, 'feed' | 'ofSlugs'>;
  /** Whether there is a feed. */
  hasFeed: boolean;
}

/** The reading of the check, and what was found. */
export interface ComparedSite {
  reading: Reading;
  comparison: Comparison;
}

/** Compares the plugins of a site with the feed. The reading is as old as what the site has reported. `last` is the last comparison. */
export async function compareSite(
  { vulnerabilities, hasFeed }: CompareNeeds,
  tx: Transaction,
  { inventory, last }: { inventory: Inventory; last: Comparison | undefined },
  nowMs: number,
): Promise<ComparedSite> {
  const feed = hasFeed ? await vulnerabilities.feed(tx) : null;
  const { at_ms } = inventory;
  const why = whyNotCompared(hasFeed, feed, nowMs);
  if (why !== null || feed === null || feed.generation === null) {
    const { generation = null } = feed ?? {};
    return {
      reading: { status: 'unknown', evidence: why ?? '', at_ms },
      comparison: { generation, feed: null, found: [], total: 0 },
    };
  }
  const slugs = inventory.plugins.map(({ slug }) => slug);
  const compared = compare(inventory.plugins, await vulnerabilities.ofSlugs(feed.generation, slugs, tx));
  return {
    reading: { ...judgePlugins(inventory, compared, feed), at_ms, until_ms: feedValidUntilMs(feed) },
    comparison: comparisonOf(compared.found, feed, Math.max(nowMs, last?.paid_until_ms ?? 0) + COMPARE_PERIOD_MS),
  };
}
