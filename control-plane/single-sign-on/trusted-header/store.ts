import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** When people logged in by a header. */
export interface TrustedHeaderStore {
  /** Resolves to true when the last log-in of the person is at least as old as `beforeMs`, and makes it `nowMs`. */
  noteLogIn(tx: Transaction, userId: string, nowMs: number, beforeMs: number): Promise<boolean>;
}

interface HeaderLogInDocument {
  /** The user. */
  _id: string;
  at_ms: number;
}

export function createTrustedHeaderStore(db: Db): TrustedHeaderStore {
  const logIns = db.collection<HeaderLogInDocument>('header_log_ins');
  return {
    async noteLogIn(tx, _id, at_ms, beforeMs) {
      const known = await logIns.findOne({ _id }, { session: tx.session });
      if (known !== null && known.at_ms > beforeMs) return false;
      await logIns.updateOne({ _id }, { $set: { at_ms } }, { session: tx.session, upsert: true });
      return true;
    },
  };
}
