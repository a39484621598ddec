import type { MongoClient } from 'mongodb';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import { isWriteConflict } from '../transaction.js';
import { type NamedCollection, sameCollection } from './same-collection.js';

/** How many documents are tried at a time. */
const PARALLEL = 8;
/** Also ends the transaction of a try whose connection is lost. */
const TRY_MS_MAX = 1_000;

/**
 * Returns the documents that an open transaction has written. Each is written in a transaction of its own, which ends at
 * once with a conflict or is aborted, so nothing changes.
 */
export async function findLocked(
  client: MongoClient,
  collection: NamedCollection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  await inParallel(ids, PARALLEL, async (id) => {
    if (await isLocked(client, collection, id)) locked.add(id);
  });
  return locked;
}

async function isLocked(client: MongoClient, collection: NamedCollection, id: string): Promise<boolean> {
  return client.withSession(async (session) => {
    session.startTransaction({ readConcern: { level: 'local' } });
    try {
      const change = { $set: { lock_probe: true } };
      await sameCollection(client, collection).updateOne({ _id: id }, change, { session, maxTimeMS: TRY_MS_MAX });
      return false;
    } catch (error) {
      if (isWriteConflict(error)) return true;
      throw error;
    } finally {
      await session.abortTransaction().catch(() => {});
    }
  });
}
