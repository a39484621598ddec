import type { Db } from 'mongodb';
import type { Transaction } from './transaction.js';

/**
 * Serializes the transactions that count the same things of a workspace, so that two concurrent ones cannot both create
 * the last one that the plan allows. Call it before counting.
 */
export type LockQuota = (tx: Transaction, workspaceId: string) => Promise<void>;

/** `things` names what is counted: `server`, `monitor`. */
export function createQuotaLock(db: Db, things: string): LockQuota {
  const quotas = db.collection<{ _id: string; grants: number }>(`${things}_quotas`);
  return async (tx, workspaceId) => {
    await quotas.updateOne({ _id: workspaceId }, { $inc: { grants: 1 } }, { session: tx.session, upsert: true });
  };
}
