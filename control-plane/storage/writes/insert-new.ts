import { type AnyBulkWriteOperation, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey } from '../transaction.js';
import { isContentRefusal } from './content-refusal.js';

/** A record that the database refuses for what it contains, so that no repetition can ever store it. */
export interface RefusedRecord {
  collection: string;
  record: Document;
  error: unknown;
}

/** Keeps a refused record elsewhere. Resolves once that is stored: then the sender may forget the record. */
export type SetAside = (refused: RefusedRecord) => Promise<void>;

/**
 * Inserts the documents with a majority write. A document whose `_id` exists already stays as it is. Documents that the
 * database refuses for their content go to `setAside` and do not keep the others from being stored. Throws on any other
 * error: then the caller repeats the whole batch.
 */
export async function insertNew<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
  setAside: SetAside,
): Promise<void> {
  for (const refused of await insertOthers(collection, documents)) {
    await setAside({ collection: collection.collectionName, ...refused });
  }
}

type Refusal = Pick<RefusedRecord, 'record' | 'error'>;

/**
 * Inserts the documents and returns those that are refused. If a refusal does not name its document, the batch is
 * bisected until it is alone: each bad document of a batch of n costs at most 2 log2(n) more writes.
 */
async function insertOthers<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<Refusal[]> {
  if (documents.length === 0) return [];
  const operations = documents.map((document) => ({ insertOne: { document } }));
  try {
    await collection.bulkWrite(operations as AnyBulkWriteOperation<T>[], { ordered: false });
    return [];
  } catch (error) {
    const named = namedRefusals(error, documents);
    if (named !== null) return named;
    if (!isContentRefusal(error)) throw error;
    const [record] = documents;
    if (documents.length === 1 && record !== undefined) return [{ record, error }];
    const middle = Math.ceil(documents.length / 2);
    return [
      ...(await insertOthers(collection, documents.slice(0, middle))),
      ...(await insertOthers(collection, documents.slice(middle))),
    ];
  }
}

/**
 * Returns the refused documents if the error names all documents that were not stored; null otherwise. A document that
 * exists already counts as stored. A failed write concern does not: the write may still be lost.
 */
function namedRefusals(error: unknown, documents: readonly Document[]): Refusal[] | null {
  if (!(error instanceof MongoBulkWriteError)) return null;
  if (error.result.getWriteConcernError() !== undefined) return null;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  const others = errors.filter((one) => !isDuplicateKey(one));
  if (errors.length === 0 || !others.every(isContentRefusal)) return null;
  return others.flatMap((one) => {
    const record = documents[one.index];
    return record === undefined ? [] : [{ record, error: one }];
  });
}
