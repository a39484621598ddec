import { Binary, type Collection, type Condition, type Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { ServerIdentity } from '../servers.js';
import { historyId } from './document-id.js';
import { packBlock, unpackBlock } from './pack-series.js';
import { replaceSlots, type SeriesBlock } from './series-block.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A week of hours in one answer of the database; its own first answer has 101. */
const BATCH_DOCUMENTS = 200;
/** Others who write the same day at the same time are few: two pack jobs at most, and for a moment only. */
const DAY_ATTEMPTS_MAX = 20;

/** One hour of reports (`server_metrics`), one hour of minutes (`_1m`) or one day of hours (`_1h`) of one server. */
interface PackedDocument {
  /** `<server>/<start_ms>`. */
  _id: string;
  workspace_id: string;
  start_ms: number;
  /** Of reports and days: grows by one with each write. Of minutes: that of the reports which they were made of. */
  revision: number;
  /** Days only: by hour of the day, the revision of the reports which its slot was made of. */
  hour_revisions?: Record<string, number>;
  slots: Binary;
  /** By metric. */
  columns: Record<string, Binary>;
  expires_at: Date;
}

/** What a reader wants of a server's history. */
export interface BlockRange extends ServerIdentity {
  fromMs: number;
  toMs: number;
  /** Names of metrics; null for all. */
  metrics: readonly string[] | null;
  wants(series: string): boolean;
}

export interface StoredHour {
  block: SeriesBlock;
  revision: number;
}

interface HourWrite {
  server: ServerIdentity;
  hourMs: number;
  block: SeriesBlock;
  expiresAt: Date;
}

export interface MetricsStore {
  ensureIndexes(): Promise<void>;
  /** The packed reports of an hour, whole. */
  hour(server: ServerIdentity, hourMs: number): Promise<StoredHour | null>;
  hasMinutes(server: ServerIdentity, hourMs: number): Promise<boolean>;
  /**
   * Writes the reports of an hour over those of `revision`, 0 where there were none. The new revision; null when
   * somebody else has written the hour since it was read.
   */
  saveHour(write: HourWrite & { revision: number }): Promise<number | null>;
  /** Writes the minutes that reports of `revision` make. Does nothing when those of later ones are there. */
  saveMinutes(write: HourWrite & { revision: number }): Promise<void>;
  /** Writes the hour's slot into its day. `block` holds that one slot. Does nothing when that of later reports is there. */
  saveHourOfDay(write: HourWrite & { revision: number }): Promise<void>;
  /** Documents with slots in [fromMs, toMs), in order; a block may reach beyond the range. */
  reportHours(range: BlockRange): AsyncIterable<SeriesBlock>;
  /** The packed reports of these hours, those that there are; the range's times do not matter. */
  reportsAt(range: BlockRange, hoursMs: readonly number[]): AsyncIterable<SeriesBlock>;
  minuteHours(range: BlockRange): AsyncIterable<SeriesBlock>;
  hourDays(range: BlockRange): AsyncIterable<SeriesBlock>;
}

export function createMetricsStore(db: Db): MetricsStore {
  const raw = db.collection<PackedDocument>('server_metrics');
  const minutes = db.collection<PackedDocument>('server_metrics_1m');
  const hours = db.collection<PackedDocument>('server_metrics_1h');

  function between(collection: Collection<PackedDocument>, range: BlockRange, documentMs: number) {
    const firstMs = range.fromMs - (range.fromMs % documentMs);
    const ids = { $gte: historyId(range.serverId, firstMs), $lt: historyId(range.serverId, range.toMs) };
    return blocks(collection, ids, range);
  }

  async function* blocks(collection: Collection<PackedDocument>, ids: Condition<string>, range: BlockRange) {
    const filter = { _id: ids, workspace_id: range.workspaceId };
    const columns = range.metrics === null ? { columns: 1 } : metricColumns(range.metrics);
    const cursor = collection
      .find(filter, { projection: { slots: 1, ...columns }, batchSize: BATCH_DOCUMENTS })
      .sort({ _id: 1 });
    while (await cursor.hasNext()) {
      for (const document of cursor.readBufferedDocuments()) yield blockOf(document, range.wants);
    }
  }

  /** false when another writer was faster with this day. */
  async function tryHourOfDay(write: HourWrite & { revision: number }): Promise<boolean> {
    const { server, hourMs, revision } = write;
    const dayMs = hourMs - (hourMs % DAY_MS);
    const hour = String((hourMs - dayMs) / HOUR_MS);
    const _id = historyId(server.serverId, dayMs);
    const day = await hours.findOne({ _id, workspace_id: server.workspaceId });
    if ((day?.hour_revisions?.[hour] ?? 0) > revision) return true;
    const before = day === null ? null : blockOf(day, () => true);
    const document = {
      ...documentOf({ ...write, hourMs: dayMs, block: replaceSlots(before, write.block, hourMs, hourMs + HOUR_MS) }),
      hour_revisions: { ...day?.hour_revisions, [hour]: revision },
    };
    return writeOver(hours, document, day?.revision ?? 0);
  }

  return {
    async ensureIndexes() {
      for (const collection of [raw, minutes, hours]) {
        await collection.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      }
    },
    async hour({ workspaceId, serverId }, hourMs) {
      const document = await raw.findOne({ _id: historyId(serverId, hourMs), workspace_id: workspaceId });
      return document === null ? null : { block: blockOf(document, () => true), revision: document.revision };
    },
    async hasMinutes({ workspaceId, serverId }, hourMs) {
      const filter = { _id: historyId(serverId, hourMs), workspace_id: workspaceId };
      return (await minutes.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    async saveHour(write) {
      return (await writeOver(raw, documentOf(write), write.revision)) ? write.revision + 1 : null;
    },
    async saveMinutes(write) {
      const { _id, ...members } = documentOf(write);
      try {
        await minutes.updateOne(
          { _id, revision: { $not: { $gt: write.revision } } },
          { $set: { ...members, revision: write.revision } },
          { upsert: true },
        );
      } catch (error) {
        // Minutes of later reports do not match, and their `_id` is taken.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async saveHourOfDay(write) {
      for (let attempt = 0; attempt < DAY_ATTEMPTS_MAX; attempt++) if (await tryHourOfDay(write)) return;
      throw new Error(`the day of ${historyId(write.server.serverId, write.hourMs)} is written by others all the time`);
    },
    reportHours: (range) => between(raw, range, HOUR_MS),
    reportsAt: (range, hoursMs) => blocks(raw, { $in: hoursMs.map((ms) => historyId(range.serverId, ms)) }, range),
    minuteHours: (range) => between(minutes, range, HOUR_MS),
    hourDays: (range) => between(hours, range, DAY_MS),
  };
}

/** Writes the document over the one of `revision`, or where there was none; false when that is not so any more. */
async function writeOver(
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
  return {
    _id: historyId(server.serverId, hourMs),
    workspace_id: server.workspaceId,
    start_ms: hourMs,
    slots: new Binary(slots),
    columns: Object.fromEntries(Object.entries(columns).map(([metric, bytes]) => [metric, new Binary(bytes)])),
    expires_at: expiresAt,
  };
}

function blockOf(document: Pick<PackedDocument, 'slots' | 'columns'>, wants: BlockRange['wants']): SeriesBlock {
  const columns: Record<string, Uint8Array> = {};
  // Where none of the wanted metrics is in the document, the projection leaves out the whole member.
  for (const [metric, bytes] of Object.entries(document.columns ?? {})) columns[metric] = bytes.value();
  return unpackBlock({ slots: document.slots.value(), columns }, wants);
}

function metricColumns(metrics: readonly string[]): Record<string, 1> {
  return Object.fromEntries(metrics.map((metric): [string, 1] => [`columns.${metric}`, 1]));
}
