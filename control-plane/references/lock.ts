import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';

/**
 * Documents of one thing. Transactions that refer to it write one of them, so that few of those conflict with each other;
 * its deletion writes all, so that it conflicts with every one.
 */
const PLACES = 8;
/** Longer than any transaction. Then the database deletes a document that nobody writes any more. */
const KEPT_S = 86_400;

interface LockDocument {
  /** The id of the thing, `/` and the place. */
  _id: string;
  count: number;
  at: Date;
}

/**
 * Serializes references to a thing with its deletion: snapshots alone let a transaction store the id of a thing that
 * another one deletes at the same time.
 */
export interface ReferenceLock {
  ensureIndexes(): Promise<void>;
  /** Called before the transaction reads whether the things exist to which it is about to refer. */
  refer(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Called before the transaction reads what refers to the things that it is about to delete. */
  remove(tx: Transaction, ids: readonly string[]): Promise<void>;
}

export function createReferenceLock(db: Db): ReferenceLock {
  const locks = db.collection<LockDocument>('reference_locks');
  const write = async (tx: Transaction, ids: readonly string[]) => {
    const operations = ids.map((_id): AnyBulkWriteOperation<LockDocument> => {
      return {
        updateOne: { filter: { _id }, update: { $inc: { count: 1 }, $currentDate: { at: true } }, upsert: true },
      };
    });
    if (operations.length > 0) await locks.bulkWrite(operations, { session: tx.session, ordered: false });
  };
  return {
    async ensureIndexes() {
      await locks.createIndex({ at: 1 }, { expireAfterSeconds: KEPT_S });
    },
    refer(tx, ids) {
      const place = placeOf(tx);
      return write(
        tx,
        [...new Set(ids)].map((id) => `${id}/${place}`),
      );
    },
    remove: (tx, ids) =>
      write(
        tx,
        ids.flatMap((id) => Array.from({ length: PLACES }, (_, place) => `${id}/${place}`)),
      ),
  };
}

/** Transactions that run at the same time have sessions of their own, whose ids are random. */
function placeOf({ session }: Transaction): number {
  return (session.id?.id.buffer.at(-1) ?? 0) % PLACES;
}
