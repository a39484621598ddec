import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';

/** Returns the filter of a document that no later holder of the lease has written. */
export function atFence(_id: string, fence: number) {
  return { filter: { _id, fence: { $not: { $gt: fence } } } };
}

/**
 * Upserts all documents, except those that a later holder of the lease has written: their filter does not match, so
 * the upsert fails with a duplicate key.
 */
export async function upsertFenced<T extends { _id: string }>(
  collection: Collection<T>,
  updates: readonly { filter: Document; update: Document }[],
): Promise<void> {
  if (updates.length === 0) return;
  const operations = updates.map(({ filter, update }) => ({ updateOne: { filter, update, upsert: true } }));
  try {
    await collection.bulkWrite(operations as AnyBulkWriteOperation<T>[], { ordered: false });
  } catch (error) {
    const refusals = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (refusals.length === 0 || !refusals.every(isDuplicateKey)) throw error;
  }
}
