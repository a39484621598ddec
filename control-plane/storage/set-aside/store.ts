import type { Db } from 'mongodb';

export interface RefusedDocument {
  /** Of the collection that the record was for. */
  collection: string;
  /** Null if it is not a text. */
  record_id: string | null;
  workspace_id: string | null;
  error: string;
  /** The record as text, shortened. */
  record: string;
  refused_at: Date;
  expires_at: Date;
}

export interface SetAsideStore {
  ensureIndexes(): Promise<void>;
  insert(refused: RefusedDocument): Promise<void>;
}

export function createSetAsideStore(db: Db): SetAsideStore {
  const records = db.collection<RefusedDocument>('refused_records');
  return {
    async ensureIndexes() {
      await records.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async insert(refused) {
      await records.insertOne(refused);
    },
  };
}
