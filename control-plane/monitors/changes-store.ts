import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorChangeDocument } from './documents.js';

/** Which monitors were written lately, for the directories of all control planes. */
export interface MonitorChanges {
  ensureIndexes(): Promise<void>;
  /** In the transaction of the change itself: neither is seen without the other. */
  note(tx: Transaction, monitors: readonly { id: string; workspaceId: string }[]): Promise<void>;
  /** Changes written at `since` or later, by the database's clock; the newest one alone when null. */
  since(since: Date | null): Promise<MonitorChangeDocument[]>;
  /** Names the newest change; another name means that there is another. */
  newest(): Promise<string | null>;
}

/** Longer than any directory goes without a complete read, so that none misses a change for good. */
const CHANGES_KEPT_S = 3_600;

export function createMonitorChanges(db: Db): MonitorChanges {
  const changes = db.collection<MonitorChangeDocument>('monitor_changes');
  return {
    async ensureIndexes() {
      await changes.createIndexes([{ key: { at: 1 }, expireAfterSeconds: CHANGES_KEPT_S }]);
    },
    async note(tx, monitors) {
      await changes.bulkWrite(
        monitors.map(({ id, workspaceId }) => ({
          updateOne: {
            filter: { _id: id, workspace_id: workspaceId },
            update: { $inc: { count: 1 }, $currentDate: { at: true } },
            upsert: true,
          },
        })),
        { session: tx.session, ordered: false },
      );
    },
    since(since) {
      return since === null
        ? changes.find().sort({ at: -1 }).limit(1).toArray()
        : changes.find({ at: { $gte: since } }).toArray();
    },
    async newest() {
      const row = await changes.findOne({}, { sort: { at: -1 } });
      return row === null ? null : `${row._id}/${row.at.getTime()}/${row.count}`;
    },
  };
}
