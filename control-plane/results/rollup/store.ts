import { type AnyBulkWriteOperation, type Collection, type Db, type Document, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { UptimeSums } from '../uptime/sums.js';
import {
  type HistorySlot,
  type PackedResults,
  type PackedSlot,
  packResults,
  packSlot,
  type RolledResult,
  unpackResults,
  unpackSlot,
} from './packed-slots.js';
import { HOUR_MS, type HourWrite, MINUTE_MS, type RollupHead } from './rollup.js';

const DAY_MS = 24 * HOUR_MS;
/** A head that nobody touched for longer than any uptime window belongs to a deleted monitor. */
const HEAD_KEPT_MS = 32 * DAY_MS;
/** A monitor's pauses that are remembered; older ones lie before any result that could still speak. */
const PAUSES_MAX = 100;
/** A result speaks for one day at most, so an hour's opening comes from no further back. */
const OPENING_HOURS_MAX = 25;

/** One document: the minutes of an hour, or the hours of a day. `slots` is keyed by the number within the document. */
export interface PackedDocument {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  start_ms: number;
  /** Absent where nothing was to be told yet. */
  slots?: Record<string, PackedSlot>;
  /** Minutes only: what was said when the hour began, for rolling it up again. */
  opening?: PackedResults;
  fence: number;
  expires_at: Date;
}

interface HeadDocument {
  _id: string;
  workspace_id: string;
  through_ms: number;
  horizon_ms: number;
  recent: PackedResults;
  sums: UptimeSums | null;
  pauses_ms: number[];
  refreshed_ms: number;
  fence: number;
  expires_at: Date;
}

/** A head as stored, with the pauses seen so far. */
export interface StoredHead {
  head: RollupHead;
  workspaceId: string;
  pausesMs: number[];
}

/** Which monitor, and who writes: `fence` of the lease, `expiresAt` by the plan. */
export interface HistoryOwner {
  workspaceId: string;
  monitorId: string;
}

export interface RollupStore {
  ensureIndexes(): Promise<void>;
  /** Arrival time up to which results are rolled up; 0 at the very start. */
  watermark(): Promise<number>;
  saveWatermark(receivedMs: number, fence: number): Promise<void>;
  heads(monitorIds: readonly string[]): Promise<Map<string, StoredHead>>;
  /** Monitors whose head nobody has refreshed since, longest first. */
  idleHeads(refreshedBeforeMs: number, limit: number): Promise<string[]>;
  saveHeads(heads: readonly (HistoryOwner & { head: RollupHead })[], nowMs: number, fence: number): Promise<void>;
  removeHeads(monitorIds: readonly string[]): Promise<void>;
  /** Notes when monitors were paused. A pause that is known already changes nothing. */
  notePauses(pauses: readonly (HistoryOwner & { pausedAtMs: number })[], nowMs: number): Promise<void>;
  saveMinutes(hours: readonly (HistoryOwner & { hour: HourWrite; expiresAt: Date })[], fence: number): Promise<void>;
  /** A slot of null is to go. */
  saveHours(
    slots: readonly (HistoryOwner & { hourMs: number; slot: HistorySlot | null; expiresAt: Date })[],
    fence: number,
  ): Promise<void>;
  /** Minute slots of these hours, by monitor and hour. */
  hourDocuments(hours: readonly { monitorId: string; hourMs: number }[]): Promise<PackedDocument[]>;
  /** Hour slots of whole days that meet [fromMs, toMs), for several monitors at once. */
  dayDocuments(
    ranges: readonly { monitorId: string; fromMs: number; toMs: number }[],
  ): Promise<Pick<PackedDocument, 'monitor_id' | 'start_ms' | 'slots'>[]>;
  /** Minute slots within [fromMs, toMs), by start. */
  minutes(owner: HistoryOwner, fromMs: number, toMs: number): Promise<Map<number, HistorySlot>>;
  /** Hour slots within [fromMs, toMs), by start. */
  hours(owner: HistoryOwner, fromMs: number, toMs: number): Promise<Map<number, HistorySlot>>;
  /** The latest hour at or before `hourMs` that is rolled up, with what was said when it began. */
  openingBefore(owner: HistoryOwner, hourMs: number): Promise<{ hourMs: number; opening: RolledResult[] } | null>;
  /** What was said when this hour began; null when the hour is not rolled up. */
  opening(owner: HistoryOwner, hourMs: number): Promise<RolledResult[] | null>;
}

export function createRollupStore(db: Db): RollupStore {
  const heads = db.collection<HeadDocument>('rollup_heads');
  const minutes = db.collection<PackedDocument>('result_minutes');
  const hours = db.collection<PackedDocument>('result_hours');
  const state = db.collection<{ _id: string; received_ms: number; fence: number }>('rollup_state');

  async function slotsBetween(
    collection: Collection<PackedDocument>,
    { workspaceId, monitorId }: HistoryOwner,
    [fromMs, toMs]: [number, number],
    [documentMs, slotMs]: [number, number],
  ): Promise<Map<number, HistorySlot>> {
    const documents = await collection
      .find({
        _id: {
          $gte: packedId(monitorId, fromMs - (fromMs % documentMs)),
          $lt: packedId(monitorId, toMs),
        },
        workspace_id: workspaceId,
      })
      .sort({ _id: 1 })
      .toArray();
    const slots = new Map<number, HistorySlot>();
    for (const document of documents) {
      for (const [index, packed] of Object.entries(document.slots ?? {})) {
        const startMs = document.start_ms + Number(index) * slotMs;
        if (startMs >= fromMs && startMs < toMs) slots.set(startMs, unpackSlot(packed));
      }
    }
    return slots;
  }

  return {
    async ensureIndexes() {
      await heads.createIndex({ refreshed_ms: 1 });
      for (const collection of [heads, minutes, hours]) {
        await collection.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      }
    },
    async watermark() {
      return (await state.findOne({ _id: 'results' }))?.received_ms ?? 0;
    },
    async saveWatermark(received_ms, fence) {
      await fenced(state, [{ ...atFence('results', fence), update: { $max: { received_ms }, $set: { fence } } }]);
    },
    async heads(monitorIds) {
      const documents = await heads.find({ _id: { $in: [...monitorIds] } }).toArray();
      return new Map(documents.map((document) => [document._id, storedHead(document)]));
    },
    async idleHeads(refreshedBeforeMs, limit) {
      const rows = await heads
        .find({ refreshed_ms: { $lt: refreshedBeforeMs } }, { projection: { _id: 1 } })
        .sort({ refreshed_ms: 1 })
        .limit(limit)
        .toArray();
      return rows.map((row) => row._id);
    },
    async saveHeads(updates, nowMs, fence) {
      await fenced(
        heads,
        updates.map(({ workspaceId, monitorId, head }) => ({
          ...atFence(monitorId, fence),
          update: {
            $set: { ...headMembers(head), workspace_id: workspaceId, refreshed_ms: nowMs, fence, ...headExpiry(nowMs) },
            $setOnInsert: { pauses_ms: [] },
          },
        })),
      );
    },
    async removeHeads(monitorIds) {
      await heads.deleteMany({ _id: { $in: [...monitorIds] } });
    },
    async notePauses(pauses, nowMs) {
      await fenced(
        heads,
        pauses.map(({ workspaceId, monitorId, pausedAtMs }) => ({
          filter: { _id: monitorId, workspace_id: workspaceId, pauses_ms: { $ne: pausedAtMs } },
          update: {
            $push: { pauses_ms: { $each: [pausedAtMs], $slice: -PAUSES_MAX } },
            $setOnInsert: { ...headMembers(UNWRITTEN), refreshed_ms: nowMs, fence: 0, ...headExpiry(nowMs) },
          },
        })),
      );
    },
    async saveMinutes(writes, fence) {
      await fenced(
        minutes,
        writes.map(({ workspaceId, monitorId, hour, expiresAt }) => ({
          ...atFence(packedId(monitorId, hour.hour_ms), fence),
          update: minutesUpdate(workspaceId, monitorId, hour, expiresAt, fence),
        })),
      );
    },
    async saveHours(writes, fence) {
      await fenced(
        hours,
        writes.map(({ workspaceId, monitorId, hourMs, slot, expiresAt }) => {
          const start_ms = hourMs - (hourMs % DAY_MS);
          const name = `slots.${(hourMs - start_ms) / HOUR_MS}`;
          const set: Document = {
            workspace_id: workspaceId,
            monitor_id: monitorId,
            start_ms,
            fence,
            expires_at: expiresAt,
          };
          if (slot !== null) set[name] = packSlot(slot);
          const update = { $set: set, $unset: slot === null ? { [name]: '' } : {} };
          return { ...atFence(packedId(monitorId, start_ms), fence), update };
        }),
      );
    },
    hourDocuments(wanted) {
      return minutes.find({ _id: { $in: wanted.map((hour) => packedId(hour.monitorId, hour.hourMs)) } }).toArray();
    },
    dayDocuments(ranges) {
      const ids: string[] = [];
      for (const { monitorId, fromMs, toMs } of ranges) {
        for (let dayMs = fromMs - (fromMs % DAY_MS); dayMs < toMs; dayMs += DAY_MS)
          ids.push(packedId(monitorId, dayMs));
      }
      return hours.find({ _id: { $in: ids } }).toArray();
    },
    minutes: (owner, fromMs, toMs) => slotsBetween(minutes, owner, [fromMs, toMs], [HOUR_MS, MINUTE_MS]),
    hours: (owner, fromMs, toMs) => slotsBetween(hours, owner, [fromMs, toMs], [DAY_MS, HOUR_MS]),
    async openingBefore({ workspaceId, monitorId }, hourMs) {
      const [document] = await minutes
        .find(
          {
            _id: {
              $gte: packedId(monitorId, hourMs - OPENING_HOURS_MAX * HOUR_MS),
              $lte: packedId(monitorId, hourMs),
            },
            workspace_id: workspaceId,
          },
          { projection: { slots: 0 } },
        )
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      return document === undefined ? null : { hourMs: document.start_ms, opening: openingOf(document) };
    },
    async opening({ workspaceId, monitorId }, hourMs) {
      const document = await minutes.findOne(
        { _id: packedId(monitorId, hourMs), workspace_id: workspaceId },
        { projection: { slots: 0 } },
      );
      return document === null ? null : openingOf(document);
    },
  };
}

/** Nothing is written and nothing is known: the next result rolls its hour up from raw results. */
const UNWRITTEN: RollupHead = { through_ms: 0, horizon_ms: 0, recent: [], sums: null };

const START_DIGITS = 13;

function packedId(monitorId: string, startMs: number): string {
  return `${monitorId}/${String(Math.max(0, startMs)).padStart(START_DIGITS, '0')}`;
}

function storedHead(document: HeadDocument): StoredHead {
  const { through_ms, horizon_ms, sums } = document;
  return {
    head: { through_ms, horizon_ms, sums, recent: unpackResults(document.recent, horizon_ms) },
    workspaceId: document.workspace_id,
    pausesMs: document.pauses_ms,
  };
}

function headMembers({ through_ms, horizon_ms, sums, recent }: RollupHead) {
  return { through_ms, horizon_ms, sums, recent: packResults(recent, horizon_ms) };
}

function headExpiry(nowMs: number) {
  return { expires_at: new Date(nowMs + HEAD_KEPT_MS) };
}

function openingOf(document: Pick<PackedDocument, 'opening' | 'start_ms'>): RolledResult[] {
  return unpackResults(document.opening ?? {}, document.start_ms);
}

function minutesUpdate(workspaceId: string, monitorId: string, hour: HourWrite, expires_at: Date, fence: number) {
  const start_ms = hour.hour_ms;
  const set: Document = { workspace_id: workspaceId, monitor_id: monitorId, start_ms, fence, expires_at };
  const unset: Document = {};
  if (hour.opening !== null) set['opening'] = packResults(hour.opening, start_ms);
  const slots: Record<string, PackedSlot> = {};
  for (const [minuteMs, slot] of hour.minutes) {
    const name = String((minuteMs - start_ms) / MINUTE_MS);
    if (slot === null) unset[`slots.${name}`] = '';
    else if (hour.whole) slots[name] = packSlot(slot);
    else set[`slots.${name}`] = packSlot(slot);
  }
  if (hour.whole) return { $set: { ...set, slots } };
  return { $set: set, $unset: unset };
}

/** Matches the document unless a successor has written it: then the upsert runs into its `_id`. */
function atFence(_id: string, fence: number) {
  return { filter: { _id, fence: { $not: { $gt: fence } } } };
}

/** Upserts, all of them; those that a successor was faster with are left as they are. */
async function fenced<T extends { _id: string }>(
  collection: Collection<T>,
  updates: readonly { filter: Document; update: Document }[],
): Promise<void> {
  if (updates.length === 0) return;
  const operations = updates.map(({ filter, update }) => ({ updateOne: { filter, update, upsert: true } }));
  try {
    await collection.bulkWrite(operations as AnyBulkWriteOperation<T>[], { ordered: false });
  } catch (error) {
    const refusals = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (refusals.length === 0 || !refusals.every(isDuplicateKey)) throw error;
  }
}
