import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';

export interface IdempotencyDocument {
  /** Hash of workspace, caller, path and key. */
  _id: string;
  workspace_id: string;
  /** Hash of what was asked. */
  fingerprint: string;
  /** The sealed answer; null only inside the transaction that makes it. */
  answer: string | null;
  expires_at: Date;
}

export interface IdempotencyStore {
  ensureIndexes(): Promise<void>;
  find(workspaceId: string, id: string): Promise<IdempotencyDocument | null>;
  /** TTL deletes late: a document that is past its time goes when its key is used again. */
  removeExpired(workspaceId: string, id: string, nowMs: number): Promise<void>;
  insert(tx: Transaction, document: IdempotencyDocument): Promise<void>;
  setAnswer(tx: Transaction, workspaceId: string, id: string, answer: string): Promise<void>;
}

export function createIdempotencyStore(db: Db): IdempotencyStore {
  const keys = db.collection<IdempotencyDocument>('idempotency_keys');
  return {
    async ensureIndexes() {
      await keys.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    find: (workspace_id, _id) => keys.findOne({ _id, workspace_id }),
    async removeExpired(workspace_id, _id, nowMs) {
      await keys.deleteOne({ _id, workspace_id, expires_at: { $lte: new Date(nowMs) } });
    },
    async insert(tx, document) {
      await keys.insertOne(document, { session: tx.session });
    },
    async setAnswer(tx, workspace_id, _id, answer) {
      await keys.updateOne({ _id, workspace_id }, { $set: { answer } }, { session: tx.session });
    },
  };
}
