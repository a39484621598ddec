import type { Clock } from '../../../kernel/clock.js';
import type { GuardedDownload } from '../../../kernel/guard/guarded-download.js';
import type { Random } from '../../../kernel/random.js';
import type { FeedDocument, FeedSource, VulnerabilityDocument } from './documents.js';
import { BATCH_RECORDS, REFRESH_PERIOD_MS, RETRY_MS, SHRINKING_RECORDS_MIN } from './limits.js';
import { openFeed } from './open-feed.js';
import { Problem } from './problem.js';
import { readFeed } from './read-feed.js';
import { type FeedSetting, settingHash } from './setting.js';
import type { VulnerabilityStore } from './store.js';

const GENERATION_BYTES = 8;

export interface RefreshNeeds {
  vulnerabilities: VulnerabilityStore;
  download: GuardedDownload;
  clock: Clock;
  random: Random;
}

/** The lease of the refresh, as `TaskLease`. */
interface RefreshLease {
  fence: number;
  stillHeld(): Promise<boolean>;
  stopping: AbortSignal;
}

/**
 * Replaces the records of the feed by those that it has now. They are stored beside the previous ones, and count once all of
 * them are there. Throws if the feed cannot be read, or not to its end: then the previous ones still count.
 */
export async function refreshFeed(needs: RefreshNeeds, setting: FeedSetting, lease: RefreshLease): Promise<void> {
  const { vulnerabilities, clock } = needs;
  const { fence } = lease;
  const hash = settingHash(setting);
  if (!(await vulnerabilities.begin(fence, hash))) return;
  await vulnerabilities.sweep(fence);
  try {
    const before = await vulnerabilities.feed();
    const read = await openFeed(needs, setting, lease.stopping, async ({ asOfMs, bytes }) => ({
      ...(await storeRecords(needs, bytes, lease)),
      as_of_ms: asOfMs,
    }));
    await checkStored(vulnerabilities, read, before?.setting_hash === hash ? before : null);
    const nowMs = clock.now();
    const refreshed = { ...read, setting_hash: hash, refreshed_at_ms: nowMs, next_at_ms: nowMs + REFRESH_PERIOD_MS };
    await vulnerabilities.swap(fence, refreshed);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    await vulnerabilities.fail(fence, { problem, next_at_ms: clock.now() + RETRY_MS, failed_hash: hash });
    throw error;
  }
}

interface StoredRecords {
  generation: string;
  records: number;
  sources: FeedSource[];
}

async function storeRecords(
  { vulnerabilities, random }: RefreshNeeds,
  bytes: AsyncIterable<Uint8Array>,
  lease: RefreshLease,
): Promise<StoredRecords> {
  const generation = random.bytes(GENERATION_BYTES).toString('hex');
  const sources = new Set<FeedSource>();
  let batch: VulnerabilityDocument[] = [];
  let records = 0;
  async function store(): Promise<void> {
    if (batch.length === 0) return;
    if (!(await lease.stillHeld())) throw new Problem('another control plane refreshes the feed now');
    await vulnerabilities.insert(batch);
    batch = [];
  }
  for await (const found of readFeed(bytes)) {
    for (const vulnerability of found) {
      records++;
      sources.add(vulnerability.source);
      batch.push({ ...vulnerability, _id: `${generation}/${records}`, generation, fence: lease.fence });
      if (batch.length >= BATCH_RECORDS) await store();
    }
  }
  await store();
  return { generation, records, sources: [...sources].sort() };
}

async function checkStored(
  vulnerabilities: VulnerabilityStore,
  { generation, records }: StoredRecords,
  before: FeedDocument | null,
): Promise<void> {
  // Every plugin would pass.
  if (records === 0) throw new Problem('the feed has no record of a plugin');
  if ((await vulnerabilities.count(generation)) !== records) throw new Problem('not all records were stored');
  const known = before?.records ?? 0;
  if (known >= SHRINKING_RECORDS_MIN && records * 2 < known) {
    throw new Problem(`the feed has ${records} records, and had ${known} before`);
  }
}
