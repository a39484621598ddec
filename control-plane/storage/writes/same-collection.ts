import type { Collection, MongoClient } from 'mongodb';

export type NamedCollection = Pick<Collection, 'dbName' | 'collectionName'>;

/** Returns a collection as one of which only the ids are known, for writes that leave no document changed. */
export function sameCollection(client: MongoClient, { dbName, collectionName }: NamedCollection) {
  return client.db(dbName).collection<{ _id: string; lock_probe?: boolean }>(collectionName);
}
