import type { Db } from 'mongodb';

/** Attempts by the database's clock, which all control planes share. `counter` names whose attempts at what. */
export interface AttemptsStore {
  ensureIndexes(): Promise<void>;
  /**
   * Records an attempt unless the counter already has `limit.max` within `limit.windowMs`. Resolves to null when it is
   * recorded, otherwise to the milliseconds until the oldest of them no longer counts.
   */
  add(counter: string, attemptId: string, limit: AttemptWindow): Promise<number | null>;
  /** Takes an attempt back. */
  remove(counter: string, attemptId: string): Promise<void>;
}

export interface AttemptWindow {
  max: number;
  windowMs: number;
}

interface AttemptsDocument {
  /** The counter. */
  _id: string;
  /** Oldest first. */
  attempts: { id: string; at: Date }[];
  /** When the last attempt no longer counts, and MongoDB may remove the document. */
  remove_at: Date;
}

export function createAttemptsStore(db: Db): AttemptsStore {
  const counters = db.collection<AttemptsDocument>('second_factor_attempts');
  return {
    async ensureIndexes() {
      await counters.createIndex({ remove_at: 1 }, { expireAfterSeconds: 0 });
    },
    async add(_id, id, { max, windowMs }) {
      const all = { $ifNull: ['$attempts', []] };
      const isRecent = { $gt: ['$$this.at', { $subtract: ['$$NOW', windowMs] }] };
      const withThis = { $concatArrays: ['$attempts', [{ id, at: '$$NOW' }]] };
      const document = await counters.findOneAndUpdate(
        { _id },
        [
          { $set: { attempts: { $filter: { input: all, cond: isRecent } }, remove_at: { $add: ['$$NOW', windowMs] } } },
          { $set: { attempts: { $cond: [{ $lt: [{ $size: '$attempts' }, max] }, withThis, '$attempts'] } } },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      const attempts = document?.attempts ?? [];
      const [oldest] = attempts;
      if (document === null || oldest === undefined || attempts.some((attempt) => attempt.id === id)) return null;
      return oldest.at.getTime() + 2 * windowMs - document.remove_at.getTime();
    },
    async remove(_id, id) {
      await counters.updateOne({ _id }, { $pull: { attempts: { id } } });
    },
  };
}
