import type { Binary, Collection, Condition } from 'mongodb';
import type { ServerIdentity } from '../servers.js';
import { historyId } from './document-id.js';
import { unpackBlock } from './pack-series.js';
import type { SeriesBlock } from './series-block.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** One response of the database contains a week of hours; the default is 101 documents. */
const BATCH_DOCUMENTS = 200;

/** One hour of samples (`server_metrics`), one hour of minutes (`_1m`) or one day of hours (`_1h`) of one server. */
export interface PackedDocument {
  /** `<server>/<start_ms>`. */
  _id: string;
  workspace_id: string;
  start_ms: number;
  /** For samples and days: incremented by each write. For minutes: the revision of the samples they were calculated from. */
  revision: number;
  /** For days only: the revision of the samples that each slot was calculated from, by hour of the day. */
  hour_revisions?: Record<string, number>;
  slots: Binary;
  /** By metric. */
  columns: Record<string, Binary>;
  expires_at: Date;
}

/** The part of a server's history to read. */
export interface BlockRange extends ServerIdentity {
  fromMs: number;
  toMs: number;
  /** The names of the metrics; null for all. */
  metrics: readonly string[] | null;
  wants(series: string): boolean;
}

export interface StoredHour {
  block: SeriesBlock;
  revision: number;
}

/** The part of the metrics store that reads history. */
export interface BlockReads {
  /** Returns all packed samples of an hour. */
  hour(server: ServerIdentity, hourMs: number): Promise<StoredHour | null>;
  hasMinutes(server: ServerIdentity, hourMs: number): Promise<boolean>;
  /** Returns the documents with slots in [fromMs, toMs), in order. A block can extend beyond the range. */
  rawHours(range: BlockRange): AsyncIterable<SeriesBlock>;
  /** Returns the packed samples of these hours, if there are any. Ignores the times of `range`. */
  rawHoursAt(range: BlockRange, hoursMs: readonly number[]): AsyncIterable<SeriesBlock>;
  minuteHours(range: BlockRange): AsyncIterable<SeriesBlock>;
  hourDays(range: BlockRange): AsyncIterable<SeriesBlock>;
}

export interface Collections {
  raw: Collection<PackedDocument>;
  minutes: Collection<PackedDocument>;
  hours: Collection<PackedDocument>;
}

export function blockReads({ raw, minutes, hours }: Collections): BlockReads {
  return {
    async hour({ workspaceId, serverId }, hourMs) {
      const document = await raw.findOne({ _id: historyId(serverId, hourMs), workspace_id: workspaceId });
      return document === null ? null : { block: blockOf(document, () => true), revision: document.revision };
    },
    async hasMinutes({ workspaceId, serverId }, hourMs) {
      const filter = { _id: historyId(serverId, hourMs), workspace_id: workspaceId };
      return (await minutes.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    rawHours: (range) => blocks(raw, idsWithin(range, HOUR_MS), range),
    rawHoursAt: (range, hoursMs) => blocks(raw, { $in: hoursMs.map((ms) => historyId(range.serverId, ms)) }, range),
    minuteHours: (range) => blocks(minutes, idsWithin(range, HOUR_MS), range),
    hourDays: (range) => blocks(hours, idsWithin(range, DAY_MS), range),
  };
}

function idsWithin({ serverId, fromMs, toMs }: BlockRange, documentMs: number): Condition<string> {
  const firstMs = fromMs - (fromMs % documentMs);
  return { $gte: historyId(serverId, firstMs), $lt: historyId(serverId, toMs) };
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

/** Returns the block of a document, with the wanted series. */
export function blockOf(document: Pick<PackedDocument, 'slots' | 'columns'>, wants: BlockRange['wants']): SeriesBlock {
  const columns: Record<string, Uint8Array> = {};
  // If the document contains none of the selected metrics, the projection omits the whole field.
  for (const [metric, bytes] of Object.entries(document.columns ?? {})) columns[metric] = bytes.value();
  return unpackBlock({ slots: document.slots.value(), columns }, wants);
}

function metricColumns(metrics: readonly string[]): Record<string, 1> {
  return Object.fromEntries(metrics.map((metric): [string, 1] => [`columns.${metric}`, 1]));
}
