import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';

/** States that came back from a provider, so that each works once on all control planes. */
export interface UsedStatesStore {
  ensureIndexes(): Promise<void>;
  /** Resolves to false when the state was used before. `keptUntilMs` is after the end of its log-in. */
  use(stateHash: string, keptUntilMs: number): Promise<boolean>;
}

interface UsedStateDocument {
  /** SHA-256 of the state, in hexadecimal. */
  _id: string;
  expires_at: Date;
}

export function createUsedStatesStore(db: Db): UsedStatesStore {
  const states = db.collection<UsedStateDocument>('single_sign_on_used_states');
  return {
    async ensureIndexes() {
      await states.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async use(_id, keptUntilMs) {
      try {
        await states.insertOne({ _id, expires_at: new Date(keptUntilMs) }, { writeConcern: { w: 'majority' } });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}
