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
  /** Inserts the locations that do not exist. Changes of operators stay. */
  seed(locations: readonly LocationDocument[]): Promise<void>;
  /** Resolves to the built-in locations, then the others in the order of their creation. */
  all(): Promise<LocationDocument[]>;
  page(request: PageRequest<LocationPosition>): Promise<LocationDocument[]>;
  find(tx: Transaction, code: string): Promise<LocationDocument | null>;
  insert(tx: Transaction, location: LocationDocument): Promise<void>;
  update(tx: Transaction, code: string, patch: LocationPatch, nowMs: number): Promise<LocationDocument | null>;
}

const ORDER = { position: 1, _id: 1 } as const;

export function createLocationStore(db: Db): LocationStore {
  const locations = db.collection<LocationDocument>('locations');
  return {
    async seed(seeds) {
      try {
        await locations.bulkWrite(
          seeds.map(({ _id, ...fields }) => ({
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
    find: (tx, code) => locations.findOne({ _id: code }, { session: tx.session }),
    async insert(tx, location) {
      await locations.insertOne(location, { session: tx.session });
    },
    update: (tx, code, patch, nowMs) =>
      locations.findOneAndUpdate(
        { _id: code },
        { $set: { ...patch, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}
