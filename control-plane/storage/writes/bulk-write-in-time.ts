import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import { isMaxTimeExpired } from '../transaction.js';
import { isContentRefusal } from './content-refusal.js';

/** `locked`: some or all are not written. `unconfirmed`: all are, but a majority has not said so in time. */
export type WriteOutcome = 'done' | 'unconfirmed' | 'locked';

/** How a bulk write ended. */
interface Ended {
  outcome: WriteOutcome;
  /** The number of documents that matched. */
  matched: number;
  /** What the database refused for its content, by the place of its operation. It keeps no other from being written. */
  refused: ReadonlyMap<number, unknown>;
}

/**
 * Writes in any order, and ends after `maxTimeMS`: the server itself repeats a write to a document that a transaction has
 * locked, without end, and with it the rest of the writes that were sent together. Throws an error that says nothing about
 * the documents.
 */
export async function bulkWriteInTime<T extends Document>(
  collection: Collection<T>,
  operations: readonly AnyBulkWriteOperation<T>[],
  maxTimeMS: number,
): Promise<Ended> {
  if (operations.length === 0) return { outcome: 'done', matched: 0, refused: new Map() };
  try {
    const { matchedCount } = await collection.bulkWrite([...operations], { ordered: false, maxTimeMS });
    return { outcome: 'done', matched: matchedCount, refused: new Map() };
  } catch (error) {
    return endOf(error);
  }
}

function endOf(error: unknown): Ended {
  const locked: Ended = { outcome: 'locked', matched: 0, refused: new Map() };
  if (!(error instanceof MongoBulkWriteError)) {
    if (isMaxTimeExpired(error)) return locked;
    throw error;
  }
  const errors = [error.writeErrors].flat();
  const unconfirmed = error.result.getWriteConcernError();
  if (errors.some(isMaxTimeExpired) || (isMaxTimeExpired(error) && unconfirmed === undefined)) return locked;
  const written = { matched: error.matchedCount, refused: new Map(errors.map((one) => [one.index, one])) };
  // The time limit also ends the wait for the majority: then everything is written, and no transaction locks it.
  const isWritten = errors.every(isContentRefusal) && (unconfirmed === undefined || isMaxTimeExpired(unconfirmed));
  if (!isWritten || (unconfirmed === undefined && errors.length === 0)) throw error;
  return { outcome: unconfirmed === undefined ? 'done' : 'unconfirmed', ...written };
}
