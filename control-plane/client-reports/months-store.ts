import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { ReportMonthDocument } from './documents.js';

/** Counts the reports of a month, deleted ones too: otherwise deleting a report would make room for another one. */
export interface ReportMonthsStore {
  ensureIndexes(): Promise<void>;
  /** Counts one more. Returns how many there are now. Concurrent transactions of a workspace conflict. */
  add(tx: Transaction, workspaceId: string, atMs: number): Promise<number>;
  /** Takes back what was counted for a report that could not be generated. */
  takeBack(tx: Transaction, workspaceId: string, atMs: number): Promise<void>;
  count(workspaceId: string, atMs: number): Promise<number>;
}

/** Longer than a month, whenever it began. */
const KEPT_MS = 62 * 86_400_000;

export function createReportMonthsStore(db: Db): ReportMonthsStore {
  const months = db.collection<ReportMonthDocument>('client_report_months');
  return {
    async ensureIndexes() {
      await months.createIndexes([{ key: { workspace_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async add(tx, workspaceId, atMs) {
      const month = await months.findOneAndUpdate(
        { _id: monthId(workspaceId, atMs), workspace_id: workspaceId },
        { $inc: { reports: 1 }, $set: { expires_at: new Date(atMs + KEPT_MS) } },
        { session: tx.session, upsert: true, returnDocument: 'after' },
      );
      return month?.reports ?? 1;
    },
    async takeBack(tx, workspaceId, atMs) {
      await months.updateOne(
        { _id: monthId(workspaceId, atMs), workspace_id: workspaceId, reports: { $gt: 0 } },
        { $inc: { reports: -1 } },
        { session: tx.session },
      );
    },
    async count(workspaceId, atMs) {
      const month = await months.findOne({ _id: monthId(workspaceId, atMs), workspace_id: workspaceId });
      return month?.reports ?? 0;
    },
  };
}

function monthId(workspaceId: string, atMs: number): string {
  return `${workspaceId}:${new Date(atMs).toISOString().slice(0, 7)}`;
}
