import type { Db } from 'mongodb';

/** Failures count for this long. */
const WINDOW_MS = 900_000;
const LOCKED_MS = 900_000;

interface AttemptsDocument {
  _id: string;
  /** The times of the latest failures, oldest first. */
  failures: Date[];
  /** null until there were too many failures. */
  locked_until: Date | null;
  /** For the index that removes old documents. */
  expires_at: Date;
}

/** What is known of one counter. */
export interface Attempts {
  /** The failures of the last fifteen minutes, at most `kept` of its rule. */
  failures: number;
  /** For how many milliseconds it is still locked; 0 if it is not. */
  lockedMs: number;
}

export interface AttemptsRule {
  id: string;
  /** How many failures are kept. */
  kept: number;
  /** At how many failures the counter locks for fifteen minutes; null: never. */
  lockAt: number | null;
}

/**
 * Failed attempts of all control planes, by the clock of the database, so that a control plane with a wrong clock
 * neither locks anybody out nor lets anybody in.
 */
export interface AttemptsStore {
  ensureIndexes(): Promise<void>;
  /** Resolves to the counters in the order of their ids. */
  read(ids: readonly string[]): Promise<Attempts[]>;
  /** Records a failure. Resolves to what was known before it; a counter that is locked stays as it is. */
  fail(rule: AttemptsRule): Promise<Attempts>;
  clear(id: string): Promise<void>;
}

/** The driver has a type for no expression of an aggregation. */
type Expression = Record<string, unknown>;

const NONE: Attempts = { failures: 0, lockedMs: 0 };
const SINCE: Expression = { $subtract: ['$$NOW', WINDOW_MS] };
const RECENT: Expression = {
  $filter: { input: { $ifNull: ['$failures', []] }, as: 'at', cond: { $gt: ['$$at', SINCE] } },
};
const LOCKED_MS_LEFT: Expression = {
  $max: [0, { $subtract: [{ $ifNull: ['$locked_until', '$$NOW'] }, '$$NOW'] }],
};

export function createAttemptsStore(db: Db): AttemptsStore {
  // A failover may lose a few failures, which does no harm, so these writes do not wait for a majority.
  const attempts = db.collection<AttemptsDocument>('sign_in_attempts', {
    writeConcern: { w: 1 },
    readConcern: { level: 'local' },
  });
  return {
    async ensureIndexes() {
      await attempts.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async read(ids) {
      const found = await attempts
        .aggregate<Attempts & { _id: string }>([
          { $match: { _id: { $in: [...ids] } } },
          { $project: { failures: { $size: RECENT }, lockedMs: LOCKED_MS_LEFT } },
        ])
        .toArray();
      const byId = new Map(found.map(({ _id, failures, lockedMs }) => [_id, { failures, lockedMs }]));
      return ids.map((id) => byId.get(id) ?? NONE);
    },
    async fail({ id, kept, lockAt }) {
      const isLocked = { $gt: ['$before.lockedMs', 0] };
      const changed = await attempts.findOneAndUpdate(
        { _id: id },
        [
          { $set: { before: { failures: { $size: RECENT }, lockedMs: LOCKED_MS_LEFT } } },
          {
            $set: {
              failures: {
                $cond: [isLocked, '$failures', { $slice: [{ $concatArrays: [RECENT, ['$$NOW']] }, -kept] }],
              },
            },
          },
          { $set: { locked_until: { $cond: [isLocked, '$locked_until', lockOf(lockAt)] } } },
          { $set: { expires_at: { $add: ['$$NOW', WINDOW_MS + LOCKED_MS] } } },
        ],
        { upsert: true, returnDocument: 'after', projection: { before: 1 } },
      );
      return (changed as { before?: Attempts } | null)?.before ?? NONE;
    },
    async clear(id) {
      await attempts.deleteOne({ _id: id });
    },
  };
}

function lockOf(lockAt: number | null): Expression | null {
  if (lockAt === null) return null;
  return { $cond: [{ $gte: [{ $size: '$failures' }, lockAt] }, { $add: ['$$NOW', LOCKED_MS] }, null] };
}
