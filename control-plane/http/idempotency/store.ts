import type { Db } from 'mongodb';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';

export interface IdempotencyDocument {
  /** Hash of workspace, caller, path and key. */
  _id: string;
  workspace_id: string;
  /** Hash of the request. */
  fingerprint: string;
  /**
   * The encrypted response; null while the request runs. Others can see null only for a request that acts outside the
   * transaction. `expires_at` is then the end of the claim.
   */
  answer: string | null;
  expires_at: Date;
}

export interface IdempotencyStore {
  ensureIndexes(): Promise<void>;
  find(workspaceId: string, id: string): Promise<IdempotencyDocument | null>;
  /** Removes an expired document when its key is used again, because the TTL index deletes late. */
  removeExpired(workspaceId: string, id: string, nowMs: number): Promise<void>;
  insert(tx: Transaction, document: IdempotencyDocument): Promise<void>;
  setAnswer(tx: Transaction, workspaceId: string, id: string, answer: string): Promise<void>;
  /** Claims the key outside a transaction; false when another request has it. */
  claim(document: IdempotencyDocument): Promise<boolean>;
  /** Replaces this claim with the response. No effect once the claim has expired and another request has the key. */
  settle(claim: IdempotencyDocument, answer: string, expiresAt: Date): Promise<void>;
  /** Removes this claim, so that the key is free again. */
  release(claim: IdempotencyDocument): Promise<void>;
}

export function createIdempotencyStore(db: Db): IdempotencyStore {
  const keys = db.collection<IdempotencyDocument>('idempotency_keys');
  // A claim that took over an expired one has a later end, so the end identifies a claim.
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
