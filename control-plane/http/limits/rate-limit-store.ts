import type { Db } from 'mongodb';

interface RateDocument {
  /** `<bucket>/<minute since the epoch>`. */
  _id: string;
  count: number;
  expires_at: Date;
}

export interface RateLimitStore {
  ensureIndexes(): Promise<void>;
  /** Adds the counts of this process and resolves to the totals of all processes. */
  add(counts: ReadonlyMap<string, number>, expiresAtMs: number): Promise<Map<string, number>>;
}

export function createRateLimitStore(db: Db): RateLimitStore {
  // A failover may lose a second of counts, which does no harm, so these writes do not wait for a majority.
  const rates = db.collection<RateDocument>('rate_limits', { writeConcern: { w: 1 }, readConcern: { level: 'local' } });
  return {
    async ensureIndexes() {
      await rates.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async add(counts, expiresAtMs) {
      const expires_at = new Date(expiresAtMs);
      await rates.bulkWrite(
        [...counts].map(([_id, count]) => ({
          updateOne: { filter: { _id }, update: { $inc: { count }, $setOnInsert: { expires_at } }, upsert: true },
        })),
        { ordered: false },
      );
      const documents = await rates.find({ _id: { $in: [...counts.keys()] } }).toArray();
      return new Map(documents.map((document) => [document._id, document.count]));
    },
  };
}
