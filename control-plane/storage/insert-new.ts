import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey } from './transaction.js';

/** Inserts what is not there yet, with a majority write; what has its `_id` already stays as it is. Throws on anything else. */
export async function insertNew<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
  if (documents.length === 0) return;
  const operations = documents.map((document) => ({ insertOne: { document } }));
  try {
    await collection.bulkWrite(operations as AnyBulkWriteOperation<T>[], { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
}

/** What is there already is as good as stored. A failed write concern is not: nobody may be told it is safe. */
function isOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return false;
  if (error.result.getWriteConcernError() !== undefined) return false;
  const refusals = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return refusals.length > 0 && refusals.every(isDuplicateKey);
}
