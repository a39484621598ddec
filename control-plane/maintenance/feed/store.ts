import type { Db } from 'mongodb';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { FeedDocument } from './documents.js';

/** Feeds without the hashes of their tokens. */
export type ListedFeed = Omit<FeedDocument, 'token_hash'>;

export interface FeedStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, feed: FeedDocument): Promise<void>;
  /** Returns all of a workspace, the newest first; their number is limited. */
  list(workspaceId: string): Promise<ListedFeed[]>;
  /** Of any workspace: a token names its own. */
  findByHash(tokenHash: string): Promise<ListedFeed | null>;
  /** Returns what was removed; null if the workspace has no such feed. */
  remove(tx: Transaction, workspaceId: string, id: string): Promise<ListedFeed | null>;
  /** Removes those that a person has made in a workspace, and returns how many they were. */
  removeOf(tx: Transaction, workspaceId: string, makerId: string): Promise<number>;
  lockAndCount: LockAndCount;
}

const LISTED = { token_hash: 0 } as const;

export function createFeedStore(db: Db): FeedStore {
  const feeds = db.collection<FeedDocument>('maintenance_feeds');
  return {
    async ensureIndexes() {
      await feeds.createIndexes([{ key: { workspace_id: 1, _id: -1 } }, { key: { token_hash: 1 }, unique: true }]);
    },
    async insert(tx, feed) {
      await feeds.insertOne(feed, { session: tx.session });
    },
    list: (workspaceId) =>
      feeds.find<ListedFeed>({ workspace_id: workspaceId }, { projection: LISTED }).sort({ _id: -1 }).toArray(),
    findByHash: (tokenHash) => feeds.findOne<ListedFeed>({ token_hash: tokenHash }, { projection: LISTED }),
    remove: (tx, workspaceId, id) =>
      feeds.findOneAndDelete({ _id: id, workspace_id: workspaceId }, { session: tx.session, projection: LISTED }),
    async removeOf(tx, workspaceId, makerId) {
      const removed = await feeds.deleteMany({ workspace_id: workspaceId, maker_id: makerId }, { session: tx.session });
      return removed.deletedCount;
    },
    lockAndCount: createLockAndCount(db, 'maintenance_feed', (tx, workspaceId, max) =>
      feeds.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
  };
}
