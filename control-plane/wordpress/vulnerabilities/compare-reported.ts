import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../storage/transaction.js';
import { readingsOf, type SiteDocument } from '../documents.js';
import { whyNotCompared } from './compare.js';
import { type ComparedSite, type CompareNeeds, compareSite } from './compare-site.js';
import type { Inventory } from './documents.js';
import { COMPARE_PERIOD_MS, COMPARISONS_AT_ONCE } from './limits.js';

/**
 * Compares the plugins that a site has just reported with the feed. Reads no record if they and the feed are those of the last
 * time. Resolves to null if it was compared too often: the site reports its plugins again soon. `isAwaited`: a job of a person has
 * just changed a plugin, so it is compared in any case.
 */
export async function compareReported(
  needs: CompareNeeds,
  tx: Transaction,
  {
    site,
    inventory,
    nowMs,
    isAwaited,
  }: { site: SiteDocument; inventory: Inventory; nowMs: number; isAwaited: boolean },
): Promise<ComparedSite | null> {
  const feed = needs.hasFeed ? await needs.vulnerabilities.feed(tx) : null;
  const { plugins: before, vulnerable: last } = site;
  const { inside: reading } = readingsOf(site, 'vulnerable-plugins');
  if (
    last?.paid_until_ms === undefined ||
    last.generation !== feed?.generation ||
    reading === null ||
    whyNotCompared(needs.hasFeed, feed, nowMs) !== null
  ) {
    return compareSite(needs, tx, { inventory, last }, nowMs);
  }
  if (before !== undefined && isDeepStrictEqual({ ...before, at_ms: inventory.at_ms }, inventory)) {
    return { reading: { ...reading, at_ms: inventory.at_ms }, comparison: last };
  }
  if (!isAwaited && last.paid_until_ms > nowMs + (COMPARISONS_AT_ONCE - 1) * COMPARE_PERIOD_MS) return null;
  return compareSite(needs, tx, { inventory, last }, nowMs);
}
