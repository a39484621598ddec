import type { Collection, Db, Document } from 'mongodb';
import type { HistoryOwner, PackedDocument } from './documents.js';
import { atFence, upsertFenced } from './fenced-store.js';
import type { HistorySlot } from './history-slot.js';
import type { HourWrite } from './hours.js';
import { type PackedSlot, packResults, packSlot, unpackResults, unpackSlot } from './packed-slots.js';
import type { RolledResult } from './rolled-result.js';
import { floorTo, HOUR_MS, MINUTE_MS } from './slots.js';

const DAY_MS = 24 * HOUR_MS;
/** A result covers one day at most, so the opening of an hour depends on nothing older. */
const OPENING_HOURS_MAX = 25;
const START_DIGITS = 13;

/** Minute and hour slots, packed into one document per hour and per day. */
export interface SlotStore {
  ensureIndexes(): Promise<void>;
  saveMinutes(hours: readonly (HistoryOwner & { hour: HourWrite; expiresAt: Date })[], fence: number): Promise<void>;
  /** Writes hour slots; null removes a slot. */
  saveHours(
    slots: readonly (HistoryOwner & { hourMs: number; slot: HistorySlot | null; expiresAt: Date })[],
    fence: number,
  ): Promise<void>;
  /** Returns the minute slots of these hours. */
  hourDocuments(hours: readonly { monitorId: string; hourMs: number }[]): Promise<PackedDocument[]>;
  /** Returns the hour slots of all days that overlap [fromMs, toMs), for several monitors at once. */
  dayDocuments(
    ranges: readonly { monitorId: string; fromMs: number; toMs: number }[],
  ): Promise<Pick<PackedDocument, 'monitor_id' | 'start_ms' | 'slots'>[]>;
  /** Returns the minute slots within [fromMs, toMs), by start. */
  minutes(owner: HistoryOwner, fromMs: number, toMs: number): Promise<Map<number, HistorySlot>>;
  /** Returns the hour slots within [fromMs, toMs), by start. */
  hours(owner: HistoryOwner, fromMs: number, toMs: number): Promise<Map<number, HistorySlot>>;
  /** Returns the latest stored hour at or before `hourMs`, with the results that covered its beginning. */
  openingBefore(owner: HistoryOwner, hourMs: number): Promise<{ hourMs: number; opening: RolledResult[] } | null>;
  /** Returns the results that covered the beginning of this hour; null when the hour is not stored. */
  opening(owner: HistoryOwner, hourMs: number): Promise<RolledResult[] | null>;
}

export function createSlotStore(db: Db): SlotStore {
  const minutes = db.collection<PackedDocument>('result_minutes');
  const hours = db.collection<PackedDocument>('result_hours');
  return {
    async ensureIndexes() {
      for (const collection of [minutes, hours]) {
        await collection.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      }
    },
    async saveMinutes(writes, fence) {
      await upsertFenced(
        minutes,
        writes.map(({ workspaceId, monitorId, hour, expiresAt }) => ({
          ...atFence(packedId(monitorId, hour.hour_ms), fence),
          update: minutesUpdate(workspaceId, monitorId, hour, expiresAt, fence),
        })),
      );
    },
    async saveHours(writes, fence) {
      await upsertFenced(
        hours,
        writes.map((write) => ({
          ...atFence(packedId(write.monitorId, floorTo(write.hourMs, DAY_MS)), fence),
          update: hourUpdate(write, fence),
        })),
      );
    },
    hourDocuments(wanted) {
      return minutes.find({ _id: { $in: wanted.map((hour) => packedId(hour.monitorId, hour.hourMs)) } }).toArray();
    },
    dayDocuments(ranges) {
      const ids: string[] = [];
      for (const { monitorId, fromMs, toMs } of ranges) {
        for (let dayMs = floorTo(fromMs, DAY_MS); dayMs < toMs; dayMs += DAY_MS) ids.push(packedId(monitorId, dayMs));
      }
      return hours.find({ _id: { $in: ids } }).toArray();
    },
    minutes: (owner, fromMs, toMs) => slotsBetween(minutes, owner, [fromMs, toMs], [HOUR_MS, MINUTE_MS]),
    hours: (owner, fromMs, toMs) => slotsBetween(hours, owner, [fromMs, toMs], [DAY_MS, HOUR_MS]),
    ...openingReads(minutes),
  };
}

function openingReads(minutes: Collection<PackedDocument>): Pick<SlotStore, 'openingBefore' | 'opening'> {
  const projection = { slots: 0 };
  return {
    async openingBefore({ workspaceId, monitorId }, hourMs) {
      const earliest = packedId(monitorId, hourMs - OPENING_HOURS_MAX * HOUR_MS);
      const [document] = await minutes
        .find({ _id: { $gte: earliest, $lte: packedId(monitorId, hourMs) }, workspace_id: workspaceId }, { projection })
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      return document === undefined ? null : { hourMs: document.start_ms, opening: openingOf(document) };
    },
    async opening({ workspaceId, monitorId }, hourMs) {
      const filter = { _id: packedId(monitorId, hourMs), workspace_id: workspaceId };
      const document = await minutes.findOne(filter, { projection });
      return document === null ? null : openingOf(document);
    },
  };
}

async function slotsBetween(
  collection: Collection<PackedDocument>,
  { workspaceId, monitorId }: HistoryOwner,
  [fromMs, toMs]: [number, number],
  [documentMs, slotMs]: [number, number],
): Promise<Map<number, HistorySlot>> {
  const range = { $gte: packedId(monitorId, floorTo(fromMs, documentMs)), $lt: packedId(monitorId, toMs) };
  const documents = await collection.find({ _id: range, workspace_id: workspaceId }).sort({ _id: 1 }).toArray();
  const slots = new Map<number, HistorySlot>();
  for (const document of documents) {
    for (const [index, packed] of Object.entries(document.slots ?? {})) {
      const startMs = document.start_ms + Number(index) * slotMs;
      if (startMs >= fromMs && startMs < toMs) slots.set(startMs, unpackSlot(packed));
    }
  }
  return slots;
}

/** Returns the `_id` of the minutes of an hour, or of the hours of a day. */
export function packedId(monitorId: string, startMs: number): string {
  return `${monitorId}/${String(Math.max(0, startMs)).padStart(START_DIGITS, '0')}`;
}

function openingOf(document: Pick<PackedDocument, 'opening' | 'start_ms'>): RolledResult[] {
  return unpackResults(document.opening ?? {}, document.start_ms);
}

function hourUpdate(write: Parameters<SlotStore['saveHours']>[0][number], fence: number) {
  const { workspaceId, monitorId, hourMs, slot, expiresAt } = write;
  const start_ms = floorTo(hourMs, DAY_MS);
  const name = `slots.${(hourMs - start_ms) / HOUR_MS}`;
  const set: Document = { workspace_id: workspaceId, monitor_id: monitorId, start_ms, fence, expires_at: expiresAt };
  if (slot !== null) set[name] = packSlot(slot);
  return { $set: set, $unset: slot === null ? { [name]: '' } : {} };
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
