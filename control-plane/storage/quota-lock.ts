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

/** Counts the things of a workspace up to `max`, after the lock: the count stays right until the commit. */
export type LockAndCount<More extends unknown[] = []> = (
  tx: Transaction,
  workspaceId: string,
  max: number,
  ...more: More
) => Promise<number>;

/** For all that has a limit in a workspace: whoever creates one gets no count without the lock. */
export function createLockAndCount<More extends unknown[]>(
  db: Db,
  things: string,
  count: LockAndCount<More>,
): LockAndCount<More> {
  const lock = createQuotaLock(db, things);
  return async (tx, workspaceId, max, ...more) => {
    await lock(tx, workspaceId);
    return count(tx, workspaceId, max, ...more);
  };
}
