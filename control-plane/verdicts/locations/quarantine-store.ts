import type { Db } from 'mongodb';
import type { MonitorDocument } from '../../monitors/documents.js';
import { VOTE_VALID_MS_MIN } from '../../monitors/monitors.js';
import type { QuarantineHistory, QuarantineSpan } from '../../results/results.js';
import type { Transaction } from '../../storage/transaction.js';
import type { QuarantineDocument, QuarantineSpanDocument } from '../documents.js';
import { type LocationFailures, QUARANTINE_WINDOW_MS, spanStartMs } from './quarantine.js';

export interface QuarantineStore extends QuarantineHistory {
  ensureIndexes(): Promise<void>;
  list(): Promise<QuarantineDocument[]>;
  /** Fails with a duplicate key when the location is quarantined already. */
  insert(tx: Transaction, quarantine: QuarantineDocument): Promise<void>;
  /**
   * Ends the quarantine; returns false if it has already ended. Results checked during it never count, even if they
   * arrive later.
   */
  remove(tx: Transaction, code: string, sinceMs: number, nowMs: number): Promise<boolean>;
  setRecovering(code: string, sinceMs: number, calmSinceMs: number | null): Promise<void>;
  /**
   * Counts, per location, the monitors that fail there but that a non-quarantined location has seen up since the
   * failure began.
   */
  failures(quarantined: readonly string[], nowMs: number): Promise<Map<string, LocationFailures>>;
  /**
   * Counts those of the monitors whose latest result from this location is from `sinceMs` or later, by success and
   * failure.
   */
  countLatestResults(
    code: string,
    monitorIds: readonly string[],
    sinceMs: number,
  ): Promise<{ good: number; bad: number }>;
}

const MS_PER_SECOND = 1_000;

/** Longer than the raw retention of any plan, because recomputing an hour needs its quarantine spans. */
const SPAN_KEPT_MS = 32 * 86_400_000;
/**
 * Maximum number of spans read; older ones are ignored. A location that flaps constantly creates this many per week.
 */
const SPANS_MAX = 10_000;

export function createQuarantineStore(db: Db): QuarantineStore {
  const quarantines = db.collection<QuarantineDocument>('location_quarantines');
  const spans = db.collection<QuarantineSpanDocument>('location_quarantine_spans');
  return {
    async ensureIndexes() {
      // Also creates the collections: a transaction fails if another one creates a collection at the same time.
      await quarantines.createIndexes([{ key: { since_ms: 1 } }]);
      await spans.createIndexes([{ key: { from_ms: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    list() {
      return quarantines.find().toArray();
    },
    async insert(tx, quarantine) {
      await quarantines.insertOne(quarantine, { session: tx.session });
      const { _id: location, since_ms } = quarantine;
      await spans.insertOne(
        { _id: spanId(location, since_ms), location, from_ms: spanStartMs(quarantine), to_ms: null },
        { session: tx.session },
      );
    },
    async remove(tx, code, sinceMs, nowMs) {
      const result = await quarantines.deleteOne({ _id: code, since_ms: sinceMs }, { session: tx.session });
      await spans.updateOne(
        { _id: spanId(code, sinceMs), to_ms: null },
        { $set: { to_ms: nowMs, expires_at: new Date(nowMs + SPAN_KEPT_MS) } },
        { session: tx.session },
      );
      return result.deletedCount === 1;
    },
    async setRecovering(code, sinceMs, calmSinceMs) {
      await quarantines.updateOne({ _id: code, since_ms: sinceMs }, { $set: { calm_since_ms: calmSinceMs } });
    },
    async spans() {
      const rows = await spans.find().sort({ from_ms: -1 }).limit(SPANS_MAX).toArray();
      const byLocation = new Map<string, QuarantineSpan[]>();
      for (const { location, from_ms, to_ms } of rows.reverse()) {
        const known = byLocation.get(location) ?? [];
        byLocation.set(location, known);
        known.push({ from_ms, to_ms });
      }
      return byLocation;
    },
    ...monitorReads(db),
  };
}

function monitorReads(db: Db): Pick<QuarantineStore, 'failures' | 'countLatestResults'> {
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    async failures(quarantined, nowMs) {
      const rows = await monitors
        .aggregate<{ _id: string; startedRecently: number; failing: number }>(failuresPipeline(quarantined, nowMs))
        .toArray();
      return new Map(rows.map(({ _id, startedRecently, failing }) => [_id, { startedRecently, failing }]));
    },
    async countLatestResults(code, monitorIds, sinceMs) {
      const rows = await monitors
        .find({ _id: { $in: [...monitorIds] } }, { projection: { [`live.${code}`]: 1 } })
        .toArray();
      const results = rows.map((row) => row.live?.[code]).filter((live) => live !== undefined);
      const since = results.filter((live) => live.checked_at_ms >= sinceMs);
      const good = since.filter((live) => live.up).length;
      return { good, bad: since.length - good };
    },
  };
}

function spanId(location: string, sinceMs: number): string {
  return `${location}/${sinceMs}`;
}

/** Reads only monitors that need attention, by their partial index. If nothing fails, no monitor matches. */
function failuresPipeline(quarantined: readonly string[], nowMs: number): object[] {
  const validMs = { $max: [{ $multiply: ['$interval_seconds', 2 * MS_PER_SECOND] }, VOTE_VALID_MS_MIN] };
  const goodAt = {
    $map: {
      input: {
        $filter: {
          input: { $objectToArray: '$live' },
          cond: {
            $and: [
              '$$this.v.up',
              { $not: { $in: ['$$this.k', [...quarantined]] } },
              { $gte: ['$$this.v.checked_at_ms', { $subtract: [nowMs, validMs] }] },
            ],
          },
        },
      },
      in: '$$this.v.checked_at_ms',
    },
  };
  return [
    { $match: { 'state.attention': true, paused_at_ms: null } },
    {
      $project: {
        failing: { $objectToArray: { $ifNull: ['$state.failing', {}] } },
        good_at_ms: { $max: goodAt },
      },
    },
    { $unwind: '$failing' },
    { $match: { $expr: { $gt: ['$good_at_ms', '$failing.v.since_ms'] } } },
    {
      $group: {
        _id: '$failing.k',
        failing: { $sum: 1 },
        startedRecently: { $sum: { $cond: [{ $gte: ['$failing.v.since_ms', nowMs - QUARANTINE_WINDOW_MS] }, 1, 0] } },
      },
    },
  ];
}
