import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { PastWindowDocument } from '../documents.js';

/** Windows as they were before a change, for as long as uptime can be computed again. */
export interface PastWindowStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, past: PastWindowDocument): Promise<void>;
  /** Counts those of a workspace up to `max`. */
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /** Returns all of a workspace, the earliest change first. */
  all(tx: Transaction, workspaceId: string): Promise<PastWindowDocument[]>;
  /** Replaces those with the ids by others. */
  replace(
    tx: Transaction,
    workspaceId: string,
    removed: readonly string[],
    added: readonly PastWindowDocument[],
  ): Promise<void>;
  /** Returns those of the workspaces that were changed at `sinceMs` or later. */
  changedSince(workspaceIds: readonly string[], sinceMs: number): Promise<PastWindowDocument[]>;
}

export function createPastWindowStore(db: Db): PastWindowStore {
  const past = db.collection<PastWindowDocument>('maintenance_past');
  return {
    async ensureIndexes() {
      await past.createIndexes([
        { key: { workspace_id: 1, until_ms: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, one) {
      await past.insertOne(one, { session: tx.session });
    },
    count: (tx, workspaceId, max) =>
      past.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    all: (tx, workspaceId) =>
      past.find({ workspace_id: workspaceId }, { session: tx.session }).sort({ until_ms: 1 }).toArray(),
    async replace(tx, workspaceId, removed, added) {
      const { session } = tx;
      await past.deleteMany({ workspace_id: workspaceId, _id: { $in: [...removed] } }, { session });
      if (added.length > 0) await past.insertMany([...added], { session });
    },
    changedSince: (workspaceIds, sinceMs) =>
      past.find({ workspace_id: { $in: [...workspaceIds] }, until_ms: { $gte: sinceMs } }).toArray(),
  };
}
