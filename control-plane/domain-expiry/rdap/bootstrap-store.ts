import type { Db } from 'mongodb';
import type { BootstrapDocument } from '../documents.js';

/** IANA's list of RDAP servers. It is of no workspace: everybody can download it. */
export interface BootstrapStore {
  /** Resolves to null before the first download. */
  find(): Promise<BootstrapDocument | null>;
  save(bootstrap: Omit<BootstrapDocument, '_id' | 'problem'>): Promise<void>;
  /** Notes that a download has failed. What was stored before still counts. */
  fail(failure: Pick<BootstrapDocument, 'url' | 'problem' | 'next_at_ms'>): Promise<void>;
}

const ID = 'dns';

export function createBootstrapStore(db: Db): BootstrapStore {
  const bootstraps = db.collection<BootstrapDocument>('rdap_bootstrap');
  return {
    find: () => bootstraps.findOne({ _id: ID }),
    async save(bootstrap) {
      await bootstraps.replaceOne({ _id: ID }, { ...bootstrap, problem: null }, { upsert: true });
    },
    async fail(failure) {
      const initial = { fetched_at_ms: null, services: [], services_url: null };
      await bootstraps.updateOne({ _id: ID }, { $set: failure, $setOnInsert: initial }, { upsert: true });
    },
  };
}
