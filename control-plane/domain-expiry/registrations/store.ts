import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { RegistrationDocument } from '../documents.js';

/** What registries say of domains. It is of no workspace: it says nothing of who monitors a domain. */
export interface RegistrationStore {
  ensureIndexes(): Promise<void>;
  find(name: string): Promise<RegistrationDocument | null>;
  /**
   * Saves what is known of a domain. `stored` is what was read before; null: nothing was stored. Resolves to false if another
   * control plane has saved an answer since.
   */
  save(registration: RegistrationDocument, stored: Pick<RegistrationDocument, 'next_at_ms'> | null): Promise<boolean>;
}

export function createRegistrationStore(db: Db): RegistrationStore {
  const registrations = db.collection<RegistrationDocument>('domain_registrations');
  return {
    async ensureIndexes() {
      await registrations.createIndex({ kept_until: 1 }, { expireAfterSeconds: 0 });
    },
    find: (name) => registrations.findOne({ _id: name }),
    async save({ _id, ...registration }, stored) {
      if (stored !== null) {
        const { matchedCount } = await registrations.replaceOne({ _id, next_at_ms: stored.next_at_ms }, registration);
        return matchedCount === 1;
      }
      try {
        await registrations.insertOne({ _id, ...registration });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}
