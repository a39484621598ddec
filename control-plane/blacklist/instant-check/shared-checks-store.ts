import type { Db } from 'mongodb';
import type { TargetCheck } from '../results.js';

interface SharedCheckDocument {
  _id: string;
  check: TargetCheck;
  expires_at: Date;
}

/** Results that all control planes may reuse for a short time, for any workspace: the answers of the lists are public. */
export interface SharedChecksStore {
  ensureIndexes(): Promise<void>;
  /** Resolves to null if there is no result that is still valid at `nowMs`. */
  find(key: string, nowMs: number): Promise<SharedCheck | null>;
  put(key: string, shared: SharedCheck): Promise<void>;
}

export interface SharedCheck {
  check: TargetCheck;
  /** When the result stops being valid. */
  untilMs: number;
}

export function createSharedChecksStore(db: Db): SharedChecksStore {
  // Losing a result in a fail-over only costs a repeated check, so writes do not wait for a majority.
  const checks = db.collection<SharedCheckDocument>('blacklist_shared_checks', {
    writeConcern: { w: 1 },
    readConcern: { level: 'local' },
  });
  return {
    async ensureIndexes() {
      await checks.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async find(key, nowMs) {
      // By the id alone: MongoDB answers such a query without the planner.
      const found = await checks.findOne({ _id: key });
      const untilMs = found?.expires_at.getTime() ?? 0;
      return found === null || untilMs <= nowMs ? null : { check: found.check, untilMs };
    },
    async put(key, { check, untilMs }) {
      await checks.replaceOne({ _id: key }, { check, expires_at: new Date(untilMs) }, { upsert: true });
    },
  };
}
