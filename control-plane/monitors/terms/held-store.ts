import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** Room of the plan for monitors that an accepted undo creates again, part by part. */
export interface HeldRoom {
  /** Returns for how many monitors room is held. */
  held(tx: Transaction, workspaceId: string): Promise<number>;
  /** Changes that number. It conflicts with concurrent creations near the limit, which lock the same document. */
  hold(tx: Transaction, workspaceId: string, monitors: number): Promise<void>;
}

export function createHeldRoom(db: Db): HeldRoom {
  const quotas = db.collection<{ _id: string; grants: number; held?: number }>('monitor_quotas');
  return {
    async held(tx, workspaceId) {
      const found = await quotas.findOne({ _id: workspaceId }, { session: tx.session });
      return found?.held ?? 0;
    },
    async hold(tx, workspaceId, held) {
      await quotas.updateOne({ _id: workspaceId }, { $set: { held } }, { session: tx.session, upsert: true });
    },
  };
}
