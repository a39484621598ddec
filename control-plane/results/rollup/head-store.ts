import { type Db, Timestamp } from 'mongodb';
import { storedSums } from '../uptime/sums.js';
import { type Arrival, NO_ARRIVAL } from './arrival.js';
import type { HeadDocument, HistoryOwner } from './documents.js';
import { atFence, upsertFenced } from './fenced-store.js';
import type { RollupHead } from './head.js';
import { packResults, unpackResults } from './packed-slots.js';

const DAY_MS = 86_400_000;
/** A head that was not refreshed for longer than any uptime window belongs to a deleted monitor. */
const HEAD_KEPT_MS = 32 * DAY_MS;
/** The number of pauses that are kept; older ones are before any result that could still count. */
const PAUSES_MAX = 100;

/** A head as stored, with the known pauses. */
export interface StoredHead {
  head: RollupHead;
  workspaceId: string;
  pausesMs: number[];
}

/** The progress of the roll-up: one watermark, and one head per monitor. */
export interface HeadStore {
  ensureIndexes(): Promise<void>;
  /** Returns the arrival up to which results are rolled up; `NO_ARRIVAL` before the first pass. */
  watermark(): Promise<Arrival>;
  saveWatermark(arrived: Arrival, fence: number): Promise<void>;
  /**
   * Returns up to which time of a control plane's clock an earlier version rolled up results, in milliseconds since the
   * Unix epoch; null if there was none, or if this version has rolled up results since.
   */
  earlierWatermarkMs(): Promise<number | null>;
  heads(monitorIds: readonly string[]): Promise<Map<string, StoredHead>>;
  /** Returns monitors whose head was not refreshed since then, the oldest first. */
  idleHeads(refreshedBeforeMs: number, limit: number): Promise<string[]>;
  saveHeads(heads: readonly (HistoryOwner & { head: RollupHead })[], nowMs: number, fence: number): Promise<void>;
  removeHeads(monitorIds: readonly string[]): Promise<void>;
  /** Stores when monitors were paused. Idempotent. */
  notePauses(pauses: readonly (HistoryOwner & { pausedAtMs: number })[], nowMs: number): Promise<void>;
}

interface StateDocument {
  _id: string;
  arrived?: Timestamp;
  /** Of an earlier version. */
  received_ms?: number;
  fence: number;
}

export function createHeadStore(db: Db): HeadStore {
  const heads = db.collection<HeadDocument>('rollup_heads');
  const state = db.collection<StateDocument>('rollup_state');
  return {
    async ensureIndexes() {
      await heads.createIndex({ refreshed_ms: 1 });
      await heads.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async watermark() {
      return (await state.findOne({ _id: 'results' }))?.arrived?.toBigInt() ?? NO_ARRIVAL;
    },
    async earlierWatermarkMs() {
      const stored = await state.findOne({ _id: 'results', arrived: { $exists: false } });
      return stored?.received_ms ?? null;
    },
    async saveWatermark(arrival, fence) {
      const arrived = new Timestamp(arrival);
      await upsertFenced(state, [{ ...atFence('results', fence), update: { $max: { arrived }, $set: { fence } } }]);
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
      await upsertFenced(
        heads,
        updates.map(({ workspaceId, monitorId, head }) => ({
          ...atFence(monitorId, fence),
          update: {
            $set: { ...headFields(head), workspace_id: workspaceId, refreshed_ms: nowMs, fence, ...headExpiry(nowMs) },
            $setOnInsert: { pauses_ms: [] },
          },
        })),
      );
    },
    async removeHeads(monitorIds) {
      await heads.deleteMany({ _id: { $in: [...monitorIds] } });
    },
    async notePauses(pauses, nowMs) {
      await upsertFenced(
        heads,
        pauses.map(({ workspaceId, monitorId, pausedAtMs }) => ({
          filter: { _id: monitorId, workspace_id: workspaceId, pauses_ms: { $ne: pausedAtMs } },
          update: {
            $push: { pauses_ms: { $each: [pausedAtMs], $slice: -PAUSES_MAX } },
            $setOnInsert: { ...headFields(EMPTY_HEAD), refreshed_ms: nowMs, fence: 0, ...headExpiry(nowMs) },
          },
        })),
      );
    },
  };
}

/** A head without anything written: the next result rolls its hour up from raw results. */
const EMPTY_HEAD: RollupHead = { through_ms: 0, horizon_ms: 0, recent: [], sums: null };

function storedHead(document: HeadDocument): StoredHead {
  const { through_ms, horizon_ms, sums } = document;
  return {
    head: { through_ms, horizon_ms, sums: storedSums(sums), recent: unpackResults(document.recent, horizon_ms) },
    workspaceId: document.workspace_id,
    pausesMs: document.pauses_ms,
  };
}

function headFields({ through_ms, horizon_ms, sums, recent }: RollupHead) {
  return { through_ms, horizon_ms, sums, recent: packResults(recent, horizon_ms) };
}

function headExpiry(nowMs: number) {
  return { expires_at: new Date(nowMs + HEAD_KEPT_MS) };
}
