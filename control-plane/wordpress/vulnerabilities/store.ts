import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { FeedDocument, VulnerabilityDocument } from './documents.js';

/** What a refresh that has succeeded changes. */
export type RefreshedFeed = Pick<
  FeedDocument,
  'generation' | 'setting_hash' | 'records' | 'sources' | 'as_of_ms' | 'refreshed_at_ms' | 'next_at_ms'
>;

/** The records of the feed. They are of no workspace: nobody's data is in them. */
export interface VulnerabilityStore {
  ensureIndexes(): Promise<void>;
  /** Resolves to null before the first refresh. */
  feed(tx?: Transaction): Promise<FeedDocument | null>;
  /** Begins a refresh: owners of the lease from before can no longer end theirs. Resolves to false if a later owner has begun one. */
  begin(fence: number, settingHash: string): Promise<boolean>;
  /** Deletes the records of all generations but the one that counts, and those of later owners of the lease. */
  sweep(fence: number): Promise<void>;
  insert(records: readonly VulnerabilityDocument[]): Promise<void>;
  count(generation: string): Promise<number>;
  /** Makes the records of a generation those that count. Resolves to false if a later owner of the lease has begun a refresh. */
  swap(fence: number, feed: RefreshedFeed): Promise<boolean>;
  /** Notes that a refresh has failed. What was stored before still counts. */
  fail(fence: number, failure: Pick<FeedDocument, 'problem' | 'next_at_ms' | 'failed_hash'>): Promise<void>;
  /** Returns the records of a generation for plugins. */
  ofSlugs(generation: string, slugs: readonly string[], tx?: Transaction): Promise<VulnerabilityDocument[]>;
  /** Notes that all sites have been compared with a generation. */
  markCompared(generation: string): Promise<void>;
}

const FEED_ID = 'plugins';

export function createVulnerabilityStore(db: Db): VulnerabilityStore {
  const vulnerabilities = db.collection<VulnerabilityDocument>('wp_vulnerabilities');
  const feeds = db.collection<FeedDocument>('wp_vulnerability_feed');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  const ofOwner = (fence: number) => ({ _id: FEED_ID, fence: { $lte: fence } }) as const;
  return {
    async ensureIndexes() {
      await vulnerabilities.createIndex({ generation: 1, slug: 1 });
    },
    feed: (tx) => feeds.findOne({ _id: FEED_ID }, within(tx)),
    async begin(fence, settingHash) {
      const initial: Omit<FeedDocument, '_id' | 'fence'> = {
        ...{ generation: null, setting_hash: settingHash, records: 0, sources: [], as_of_ms: 0 },
        ...{ refreshed_at_ms: null, next_at_ms: 0, problem: null, compared_generation: null },
      };
      await feeds.updateOne({ _id: FEED_ID }, { $setOnInsert: { ...initial, fence } }, { upsert: true });
      const begun = await feeds.updateOne(ofOwner(fence), { $set: { fence } });
      return begun.matchedCount === 1;
    },
    async sweep(fence) {
      const current = await feeds.findOne({ _id: FEED_ID });
      await vulnerabilities.deleteMany({ generation: { $ne: current?.generation ?? '' }, fence: { $lte: fence } });
    },
    async insert(records) {
      await vulnerabilities.insertMany([...records], { ordered: false });
    },
    count: (generation) => vulnerabilities.countDocuments({ generation }),
    async swap(fence, feed) {
      const swapped = await feeds.updateOne(ofOwner(fence), {
        $set: { ...feed, problem: null },
        $unset: { failed_hash: '' },
      });
      return swapped.matchedCount === 1;
    },
    async fail(fence, failure) {
      await feeds.updateOne(ofOwner(fence), { $set: failure });
    },
    ofSlugs: (generation, slugs, tx) =>
      vulnerabilities
        .find({ generation, slug: { $in: [...slugs] } }, within(tx))
        .sort({ _id: 1 })
        .toArray(),
    async markCompared(generation) {
      await feeds.updateOne({ _id: FEED_ID, generation }, { $set: { compared_generation: generation } });
    },
  };
}
