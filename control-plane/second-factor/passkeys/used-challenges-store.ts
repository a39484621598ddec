import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** A used challenge is kept a little longer than it is valid, because the clocks of control planes differ. */
const KEPT_AFTER_EXPIRY_MS = 300_000;

/** Challenges that an authenticator has signed. Each works once, whichever control plane gets the answer. */
export interface UsedChallengesStore {
  ensureIndexes(): Promise<void>;
  /** Resolves to whether the challenge was not used before. Of two concurrent uses, one resolves to false. */
  use(tx: Transaction, challenge: string, expiresAtMs: number): Promise<boolean>;
}

interface UsedChallengeDocument {
  /** The challenge. */
  _id: string;
  /** When MongoDB may remove the document. */
  remove_at: Date;
}

export function createUsedChallengesStore(db: Db): UsedChallengesStore {
  const used = db.collection<UsedChallengeDocument>('passkey_challenges_used');
  return {
    async ensureIndexes() {
      await used.createIndex({ remove_at: 1 }, { expireAfterSeconds: 0 });
    },
    async use(tx, challenge, expiresAtMs) {
      // An upsert, because a duplicate key error would end the transaction of the caller.
      const { upsertedCount } = await used.updateOne(
        { _id: challenge },
        { $setOnInsert: { remove_at: new Date(expiresAtMs + KEPT_AFTER_EXPIRY_MS) } },
        { session: tx.session, upsert: true },
      );
      return upsertedCount === 1;
    },
  };
}
