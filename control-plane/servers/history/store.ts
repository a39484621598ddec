import type { Db } from 'mongodb';
import { type BlockReads, blockReads, type Collections } from './read-store.js';
import { type HourWrites, hourWrites } from './write-store.js';

export interface MetricsStore extends BlockReads, HourWrites {
  ensureIndexes(): Promise<void>;
}

export function createMetricsStore(db: Db): MetricsStore {
  const collections: Collections = {
    raw: db.collection('server_metrics'),
    minutes: db.collection('server_metrics_1m'),
    hours: db.collection('server_metrics_1h'),
  };
  return {
    async ensureIndexes() {
      for (const collection of Object.values(collections)) {
        await collection.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      }
    },
    ...blockReads(collections),
    ...hourWrites(collections),
  };
}
