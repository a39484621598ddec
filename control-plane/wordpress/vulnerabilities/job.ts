import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { type NoteNeeds, noteMeasured } from '../note-measured.js';
import type { SiteStore } from '../store.js';
import { compareSite } from './compare-site.js';
import type { FeedDocument } from './documents.js';
import { type RefreshNeeds, refreshFeed } from './refresh.js';
import { type FeedSetting, settingHash } from './setting.js';

const PERIOD_MS = 60_000;
const FIRST_MS = 2_000;
/** Longer than the slowest wait for a part of the feed that is stored. */
const LEASE_MS = 120_000;
const SITES_AT_A_TIME = 100;

export type FeedJobNeeds = LeasedPeriodicTaskNeeds &
  RefreshNeeds &
  NoteNeeds & { sites: SiteStore; setting: FeedSetting; runTransaction: RunTransaction };

/**
 * Refreshes the feed of vulnerable plugins once a day, and compares all sites with what is new in it. Runs on one control plane
 * at a time.
 */
export function createFeedJob(needs: FeedJobNeeds): LeasedPeriodicTask<void> {
  const { vulnerabilities, logger, setting } = needs;
  return createLeasedPeriodicTask(needs, {
    ...{ name: 'wordpress-vulnerabilities', periodMs: PERIOD_MS, firstMs: FIRST_MS, leaseMs: LEASE_MS },
    failure: 'refreshing the feed of vulnerable plugins failed, retrying in an hour',
    failureLevel: 'error',
    async work(lease, nowMs) {
      const feed = await vulnerabilities.feed();
      try {
        if (feed === null || feed.next_at_ms <= nowMs || isNew(feed, settingHash(setting))) {
          await refreshFeed(needs, setting, lease);
          const { records = 0 } = (await vulnerabilities.feed()) ?? {};
          logger.info({ records }, 'the feed of vulnerable plugins was refreshed');
        }
      } finally {
        await compareSites(needs, lease);
      }
    },
  });
}

/** Whether the setting was changed and not tried yet: one that failed waits for its next attempt like every other. */
function isNew({ setting_hash, failed_hash }: FeedDocument, hash: string): boolean {
  return setting_hash !== hash && failed_hash !== hash;
}

/** Compares the sites that were not compared with the records that count now. */
async function compareSites(needs: FeedJobNeeds, lease: TaskLease): Promise<void> {
  const { vulnerabilities, sites, clock, runTransaction } = needs;
  const feed = await vulnerabilities.feed();
  if (feed === null || feed.generation === null || feed.compared_generation === feed.generation) return;
  let after: string | null = null;
  for (;;) {
    const page: string[] = [];
    for (const site of await sites.notCompared(feed.generation, after, SITES_AT_A_TIME)) {
      page.push(site._id);
      const { plugins: inventory, vulnerable: last } = site;
      if (inventory === undefined) continue;
      if (!(await lease.stillHeld())) return;
      await runTransaction(async (tx) => {
        const compared = await compareSite({ vulnerabilities, hasFeed: true }, tx, { inventory, last }, clock.now());
        const saved = await sites.saveCompared(tx, site, compared);
        if (saved !== null) await noteMeasured(needs, tx, saved, ['vulnerable-plugins']);
      });
    }
    after = page.at(-1) ?? null;
    if (page.length < SITES_AT_A_TIME) break;
  }
  await vulnerabilities.markCompared(feed.generation);
}
