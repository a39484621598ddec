import type { Binary, Db } from 'mongodb';
import type { ServerIdentity } from '../servers.js';
import { historyId } from './document-id.js';

const HOUR_MS = 3_600_000;
/** How long the samples of such an hour are kept, for someone who looks for the cause. */
const KEPT_MS = 7 * 24 * HOUR_MS;
/** All samples of an hour with the shortest interval. Of an hour with more, the first ones are kept. */
const SAMPLES_MAX = 4_000;
const ERROR_CHARS_MAX = 500;

/** Why an hour is set aside: it exceeds `HOUR_LIMITS`, or packing it has failed too often. */
export type SetAsideReason = 'too_large' | 'failed';

/** One document of `server_hours_set_aside`: an hour that could not be packed. `_id` is `<server>/<start_ms>`. */
interface HourDocument {
  _id: string;
  workspace_id: string;
  failures: number;
  error: string;
  /** Absent while packing is still tried. */
  reason?: SetAsideReason;
  expires_at: Date;
}

/** A document of `server_reports` that is no longer packed, with its expiry. */
interface SampleDocument {
  _id: string;
  workspace_id: string;
  received_at_ms: number;
  report: Binary;
  expires_at: Date;
}

/** Hours of samples that cannot be packed. Nothing here is read as a whole. */
export interface SetAsideStore {
  ensureIndexes(): Promise<void>;
  isSetAside(server: ServerIdentity, hourMs: number): Promise<boolean>;
  /** Counts a failure to pack the hour. Resolves to the number of failures so far. */
  failed(server: ServerIdentity, hourMs: number, error: string): Promise<number>;
  /** Moves the samples of the hour out of the way of the pack job. */
  setAside(server: ServerIdentity, hourMs: number, why: { reason: SetAsideReason; error: string }): Promise<void>;
  /** Deletes the samples of an hour that is set aside. Resolves to their number. */
  removeLate(server: ServerIdentity, hourMs: number): Promise<number>;
}

export function createSetAsideStore(db: Db): SetAsideStore {
  const hours = db.collection<HourDocument>('server_hours_set_aside');
  const samples = db.collection<Omit<SampleDocument, 'expires_at'>>('server_reports');
  const kept = db.collection<SampleDocument>('server_reports_set_aside');

  async function note({ serverId, workspaceId }: ServerIdentity, hourMs: number, fields: object): Promise<number> {
    const noted = await hours.findOneAndUpdate(
      { _id: historyId(serverId, hourMs) },
      [
        {
          $set: {
            ...fields,
            workspace_id: workspaceId,
            failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
            expires_at: { $add: ['$$NOW', KEPT_MS] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    return noted?.failures ?? 0;
  }

  async function removeAll({ serverId, workspaceId }: ServerIdentity, hourMs: number): Promise<number> {
    const ids = { $gte: historyId(serverId, hourMs), $lt: historyId(serverId, hourMs + HOUR_MS) };
    return (await samples.deleteMany({ _id: ids, workspace_id: workspaceId })).deletedCount;
  }

  return {
    async ensureIndexes() {
      for (const collection of [hours, kept]) {
        await collection.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      }
    },
    async isSetAside({ serverId, workspaceId }, hourMs) {
      const filter = { _id: historyId(serverId, hourMs), workspace_id: workspaceId, reason: { $exists: true } };
      return (await hours.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    failed: (server, hourMs, error) => note(server, hourMs, { error: textOf(error) }),
    async setAside(server, hourMs, { reason, error }) {
      const { serverId, workspaceId } = server;
      const ids = { $gte: historyId(serverId, hourMs), $lt: historyId(serverId, hourMs + HOUR_MS) };
      // The database copies the samples, so that none of them is read here.
      await samples
        .aggregate([
          { $match: { _id: ids, workspace_id: workspaceId } },
          { $sort: { _id: 1 } },
          { $limit: SAMPLES_MAX },
          { $set: { expires_at: { $add: ['$$NOW', KEPT_MS] } } },
          { $merge: { into: kept.collectionName, whenMatched: 'keepExisting', whenNotMatched: 'insert' } },
        ])
        .toArray();
      await note(server, hourMs, { error: textOf(error), reason });
      await removeAll(server, hourMs);
    },
    removeLate: removeAll,
  };
}

/** Returns the text for an update that would else read a `$` in it as the name of a field. */
function textOf(error: string): { $literal: string } {
  return { $literal: error.slice(0, ERROR_CHARS_MAX) };
}
