import { Binary, type Collection } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { ServerIdentity } from '../servers.js';
import { historyId } from './document-id.js';
import { DAY_LIMITS, PACKED_BYTES_MAX, TooLargeError } from './hour-limits.js';
import { packBlock } from './pack-series.js';
import { blockOf, type Collections, type PackedDocument } from './read-store.js';
import { replaceSlots, type SeriesBlock } from './series-block.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Write conflicts on a day are rare: at most two pack jobs run at the same time, and only for a moment. */
const DAY_ATTEMPTS_MAX = 20;

export interface HourWrite {
  server: ServerIdentity;
  hourMs: number;
  block: SeriesBlock;
  /** The revision of the packed samples. */
  revision: number;
  expiresAt: Date;
}

/** The part of the metrics store that saves packed hours. Its methods throw TooLargeError for too large a document. */
export interface HourWrites {
  /**
   * Replaces the packed samples of `revision`, which is 0 if there were none. Resolves to the new revision, or to null if
   * a concurrent writer has written the hour since it was read.
   */
  saveHour(write: HourWrite): Promise<number | null>;
  /** Saves the minutes calculated from samples of `revision`, unless those of a later revision are stored. */
  saveMinutes(write: HourWrite): Promise<void>;
  /** Saves the hour, the only slot of `block`, in its day, unless that of a later revision is stored. */
  saveHourOfDay(write: HourWrite): Promise<void>;
}

export function hourWrites({ raw, minutes, hours }: Collections): HourWrites {
  return {
    async saveHour(write) {
      return (await replaceRevision(raw, documentOf(write), write.revision)) ? write.revision + 1 : null;
    },
    async saveMinutes(write) {
      const { _id, ...fields } = documentOf(write);
      try {
        await minutes.updateOne(
          { _id, revision: { $not: { $gt: write.revision } } },
          { $set: { ...fields, revision: write.revision } },
          { upsert: true },
        );
      } catch (error) {
        // Minutes of a later revision do not match the filter, and the upsert fails on their `_id`.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async saveHourOfDay(write) {
      for (let attempt = 0; attempt < DAY_ATTEMPTS_MAX; attempt++) if (await trySaveHourOfDay(hours, write)) return;
      const id = historyId(write.server.serverId, write.hourMs);
      throw new Error(`saving ${id} in its day failed after ${DAY_ATTEMPTS_MAX} write conflicts`);
    },
  };
}

/** Resolves to false after a write conflict. */
async function trySaveHourOfDay(hours: Collection<PackedDocument>, write: HourWrite): Promise<boolean> {
  const { server, hourMs, revision } = write;
  const dayMs = hourMs - (hourMs % DAY_MS);
  const hour = String((hourMs - dayMs) / HOUR_MS);
  const _id = historyId(server.serverId, dayMs);
  const day = await hours.findOne({ _id, workspace_id: server.workspaceId });
  if ((day?.hour_revisions?.[hour] ?? 0) > revision) return true;
  const before = day === null ? null : blockOf(day, () => true);
  const block = replaceSlots(before, write.block, [hourMs, hourMs + HOUR_MS], DAY_LIMITS);
  const document = {
    ...documentOf({ ...write, hourMs: dayMs, block }),
    hour_revisions: { ...day?.hour_revisions, [hour]: revision },
  };
  return replaceRevision(hours, document, day?.revision ?? 0);
}

/** Replaces the document of `revision`, or inserts it for revision 0. Resolves to false after a write conflict. */
async function replaceRevision(
  collection: Collection<PackedDocument>,
  document: Omit<PackedDocument, 'revision'>,
  revision: number,
): Promise<boolean> {
  const next = { ...document, revision: revision + 1 };
  if (revision > 0) {
    const { matchedCount } = await collection.replaceOne({ _id: document._id, revision }, next);
    return matchedCount === 1;
  }
  try {
    await collection.insertOne(next);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function documentOf({ server, hourMs, block, expiresAt }: HourWrite): Omit<PackedDocument, 'revision'> {
  const { slots, columns } = packBlock(block);
  const _id = historyId(server.serverId, hourMs);
  const size = Object.values(columns).reduce((sum, column) => sum + column.length, slots.length);
  if (size > PACKED_BYTES_MAX) throw new TooLargeError(`${_id} has ${size} bytes, which is too much for a document`);
  return {
    _id,
    workspace_id: server.workspaceId,
    start_ms: hourMs,
    slots: new Binary(slots),
    columns: Object.fromEntries(Object.entries(columns).map(([metric, bytes]) => [metric, new Binary(bytes)])),
    expires_at: expiresAt,
  };
}
