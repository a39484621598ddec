import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey } from './transaction.js';

/**
 * Inserts the documents with a majority write. A document whose `_id` exists already stays as it is. Throws on any
 * other error.
 */
export async function insertNew<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
  if (documents.length === 0) return;
  const operations = documents.map((document) => ({ insertOne: { document } }));
  try {
    await collection.bulkWrite(operations as AnyBulkWriteOperation<T>[], { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
}

/** A document that exists already counts as stored. A failed write concern does not: the write may still be lost. */
function isOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return false;
  if (error.result.getWriteConcernError() !== undefined) return false;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors.length > 0 && errors.every(isDuplicateKey);
}
