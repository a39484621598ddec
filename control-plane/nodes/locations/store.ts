import type { Db } from 'mongodb';
import type { PageRequest } from '../../storage/page.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { LocationDocument } from '../documents.js';

export type LocationPatch = Partial<Pick<LocationDocument, 'city' | 'region' | 'canary_targets'>>;

/** A place in the list of locations. */
export interface LocationPosition {
  position: number;
  code: string;
}

/** Check locations belong to the installation, not to a workspace. */
export interface LocationStore {
  /** Inserts the locations that do not exist and that no operator removed. Changes of operators stay. */
  seed(locations: readonly LocationDocument[]): Promise<void>;
  /** Resolves to the built-in locations, then the others in the order of their creation. */
  all(): Promise<LocationDocument[]>;
  page(request: PageRequest<LocationPosition>): Promise<LocationDocument[]>;
  /** Without a transaction, `tx` is null. */
  find(tx: Transaction | null, code: string): Promise<LocationDocument | null>;
  insert(tx: Transaction, location: LocationDocument): Promise<void>;
  update(tx: Transaction, code: string, patch: LocationPatch, nowMs: number): Promise<LocationDocument | null>;
  /** Removes the location, and keeps a built-in one from coming back at the next start. */
  remove(tx: Transaction, code: string): Promise<boolean>;
}

const ORDER = { position: 1, _id: 1 } as const;

export function createLocationStore(db: Db): LocationStore {
  const locations = db.collection<LocationDocument>('locations');
  const removed = db.collection<{ _id: string }>('removed_locations');
  return {
    async seed(seeds) {
      const gone = new Set((await removed.find().toArray()).map(({ _id }) => _id));
      const wanted = seeds.filter(({ _id }) => !gone.has(_id));
      if (wanted.length === 0) return;
      try {
        await locations.bulkWrite(
          wanted.map(({ _id, ...fields }) => ({
            updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true },
          })),
          { ordered: false },
        );
      } catch (error) {
        // Another control plane has inserted them at the same moment.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    all: () => locations.find().sort(ORDER).toArray(),
    page({ after, rowsMax }) {
      if (after === null) return locations.find().sort(ORDER).limit(rowsMax).toArray();
      const { position, code } = after;
      const rest = { $or: [{ position: { $gt: position } }, { position, _id: { $gt: code } }] };
      return locations.find(rest).sort(ORDER).limit(rowsMax).toArray();
    },
    find: (tx, code) => locations.findOne({ _id: code }, tx === null ? {} : { session: tx.session }),
    async insert(tx, location) {
      await locations.insertOne(location, { session: tx.session });
      await removed.deleteOne({ _id: location._id }, { session: tx.session });
    },
    async remove(tx, code) {
      const { deletedCount } = await locations.deleteOne({ _id: code }, { session: tx.session });
      if (deletedCount === 0) return false;
      await removed.updateOne({ _id: code }, { $set: {} }, { session: tx.session, upsert: true });
      return true;
    },
    update: (tx, code, patch, nowMs) =>
      locations.findOneAndUpdate(
        { _id: code },
        { $set: { ...patch, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}
