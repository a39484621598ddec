import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { ScanDayDocument } from './documents.js';

/** Counts the scans of a day, deleted ones too: otherwise deleting a scan would make room for another one. */
export interface ScanDaysStore {
  ensureIndexes(): Promise<void>;
  /** Counts one more. Returns how many there are now. Concurrent transactions of a workspace conflict. */
  add(tx: Transaction, workspaceId: string, atMs: number): Promise<number>;
  /** Takes back what `add` counted at that time. */
  takeBack(tx: Transaction, workspaceId: string, atMs: number): Promise<void>;
  count(workspaceId: string, atMs: number): Promise<number>;
}

/** Longer than a day, whenever it began. */
const KEPT_MS = 2 * 86_400_000;

export function createScanDaysStore(db: Db): ScanDaysStore {
  const days = db.collection<ScanDayDocument>('scan_days');
  return {
    async ensureIndexes() {
      await days.createIndexes([{ key: { workspace_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async add(tx, workspaceId, atMs) {
      const day = await days.findOneAndUpdate(
        { _id: dayId(workspaceId, atMs), workspace_id: workspaceId },
        { $inc: { scans: 1 }, $set: { expires_at: new Date(atMs + KEPT_MS) } },
        { session: tx.session, upsert: true, returnDocument: 'after' },
      );
      return day?.scans ?? 1;
    },
    async takeBack(tx, workspaceId, atMs) {
      await days.updateOne(
        { _id: dayId(workspaceId, atMs), workspace_id: workspaceId, scans: { $gt: 0 } },
        { $inc: { scans: -1 } },
        { session: tx.session },
      );
    },
    async count(workspaceId, atMs) {
      return (await days.findOne({ _id: dayId(workspaceId, atMs), workspace_id: workspaceId }))?.scans ?? 0;
    },
  };
}

function dayId(workspaceId: string, atMs: number): string {
  return `${workspaceId}:${new Date(atMs).toISOString().slice(0, 10)}`;
}
