import type { Db } from 'mongodb';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';

export interface IdempotencyDocument {
  /** Hash of workspace, caller, path and key. */
  _id: string;
  workspace_id: string;
  /** Hash of what was asked. */
  fingerprint: string;
  /**
   * The sealed answer. null while the request is under way: seen by others only where it acts outside of the
   * transaction, and then `expires_at` is when the claim lapses.
   */
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
  /** Takes the key outside of a transaction; false when somebody else has it. */
  claim(document: IdempotencyDocument): Promise<boolean>;
  /** Puts the answer in the place of this very claim; without effect once it has lapsed and is another's. */
  settle(claim: IdempotencyDocument, answer: string, expiresAt: Date): Promise<void>;
  /** Frees the key again. */
  release(claim: IdempotencyDocument): Promise<void>;
}

export function createIdempotencyStore(db: Db): IdempotencyStore {
  const keys = db.collection<IdempotencyDocument>('idempotency_keys');
  // A claim that lapsed and was taken over ends later than the one before it, so its end names it.
  const thisClaim = ({ _id, workspace_id, expires_at }: IdempotencyDocument) => ({
    ...{ _id, workspace_id, expires_at },
    answer: null,
  });
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
    async claim(document) {
      try {
        await keys.insertOne(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async settle(claim, answer, expires_at) {
      await keys.updateOne(thisClaim(claim), { $set: { answer, expires_at } });
    },
    async release(claim) {
      await keys.deleteOne(thisClaim(claim));
    },
  };
}
