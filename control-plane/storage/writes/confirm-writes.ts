import type { MongoClient } from 'mongodb';
import { type NamedCollection, sameCollection } from './same-collection.js';

/**
 * Waits until a majority has what was written before, as a write that changes nothing does; otherwise that would be lost
 * with this primary. It has the time limit of every write, after which it throws.
 */
export async function confirmWrites(client: MongoClient, collection: NamedCollection): Promise<void> {
  await sameCollection(client, collection).updateOne({ _id: '' }, { $set: { lock_probe: true } });
}
