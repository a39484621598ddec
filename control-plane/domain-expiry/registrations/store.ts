import type { Db } from 'mongodb';
import type { RegistrationDocument } from '../documents.js';

/** What registries say of domains. It is of no workspace: it says nothing of who monitors a domain. */
export interface RegistrationStore {
  ensureIndexes(): Promise<void>;
  find(name: string): Promise<RegistrationDocument | null>;
  save(registration: RegistrationDocument): Promise<void>;
}

export function createRegistrationStore(db: Db): RegistrationStore {
  const registrations = db.collection<RegistrationDocument>('domain_registrations');
  return {
    async ensureIndexes() {
      await registrations.createIndex({ kept_until: 1 }, { expireAfterSeconds: 0 });
    },
    find: (name) => registrations.findOne({ _id: name }),
    async save({ _id, ...registration }) {
      await registrations.replaceOne({ _id }, registration, { upsert: true });
    },
  };
}
