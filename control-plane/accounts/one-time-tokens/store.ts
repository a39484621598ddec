import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

export interface OneTimeTokenDocument {
  /** SHA-256 of the token, hex. The token itself is not stored. */
  _id: string;
  purpose: string;
  user_id: string | null;
  data: Record<string, string>;
  created_at_ms: number;
  expires_at_ms: number;
  /** For the index that removes old documents. `expires_at_ms` decides whether a token is valid. */
  expires_at: Date;
  used_at_ms: number | null;
}

export interface OneTimeTokensStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: OneTimeTokenDocument): Promise<void>;
  /** Marks a valid token as used. Resolves to null when there is none. */
  use(tx: Transaction, id: string, purpose: string, atMs: number): Promise<OneTimeTokenDocument | null>;
  /** Resolves to a valid token; null when there is none. */
  find(id: string, purpose: string, atMs: number): Promise<OneTimeTokenDocument | null>;
  removeOf(tx: Transaction, userId: string, purpose: string): Promise<void>;
}

export function createOneTimeTokensStore(db: Db): OneTimeTokensStore {
  const tokens = db.collection<OneTimeTokenDocument>('one_time_tokens');
  return {
    async ensureIndexes() {
      await tokens.createIndex({ user_id: 1, purpose: 1 });
      await tokens.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async insert(tx, document) {
      await tokens.insertOne(document, { session: tx.session });
    },
    use: (tx, _id, purpose, atMs) =>
      tokens.findOneAndUpdate(
        valid(_id, purpose, atMs),
        { $set: { used_at_ms: atMs } },
        { session: tx.session, returnDocument: 'after' },
      ),
    find: (_id, purpose, atMs) => tokens.findOne(valid(_id, purpose, atMs)),
    async removeOf(tx, user_id, purpose) {
      await tokens.deleteMany({ user_id, purpose, used_at_ms: null }, { session: tx.session });
    },
  };
}

function valid(_id: string, purpose: string, atMs: number) {
  return { _id, purpose, used_at_ms: null, expires_at_ms: { $gt: atMs } };
}
