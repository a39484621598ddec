import type { Db } from 'mongodb';
import type { TargetCheck } from '../blacklist.js';

interface SharedCheckDocument {
  _id: string;
  check: TargetCheck;
  expires_at: Date;
}

/** Results that any control plane may give again for a while, to any workspace: what the lists say is public. */
export interface SharedChecksStore {
  ensureIndexes(): Promise<void>;
  /** null when there is none that is still good at `nowMs`. */
  find(key: string, nowMs: number): Promise<SharedCheck | null>;
  put(key: string, shared: SharedCheck): Promise<void>;
}

export interface SharedCheck {
  check: TargetCheck;
  /** From then on it is no longer given. */
  untilMs: number;
}

export function createSharedChecksStore(db: Db): SharedChecksStore {
  // One that is lost in a fail-over costs a look-up, so nothing here waits for a majority.
  const checks = db.collection<SharedCheckDocument>('blacklist_shared_checks', {
    writeConcern: { w: 1 },
    readConcern: { level: 'local' },
  });
  return {
    async ensureIndexes() {
      await checks.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async find(key, nowMs) {
      // By the id alone, which the database answers without a plan.
      const found = await checks.findOne({ _id: key });
      const untilMs = found?.expires_at.getTime() ?? 0;
      return found === null || untilMs <= nowMs ? null : { check: found.check, untilMs };
    },
    async put(key, { check, untilMs }) {
      await checks.replaceOne({ _id: key }, { check, expires_at: new Date(untilMs) }, { upsert: true });
    },
  };
}
