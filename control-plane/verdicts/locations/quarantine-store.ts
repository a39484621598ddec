import type { Collection, Db, Filter } from 'mongodb';
import type { MonitorDocument } from '../../monitors/documents.js';
import { VOTE_VALID_MS_MIN } from '../../monitors/monitors.js';
import type { QuarantineHistory, QuarantineSpan } from '../../results/results.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { QuarantineDocument, QuarantineSpanDocument } from '../documents.js';
import { type Failures, QUARANTINE_WINDOW_MS, spanStartMs } from './quarantine.js';

export interface QuarantineStore extends QuarantineHistory {
  ensureIndexes(): Promise<void>;
  /** Returns the locations that look broken. */
  list(): Promise<QuarantineDocument[]>;
  /** Notes that a location looks broken. Its votes count until `apply`. Does nothing if it is noted already. */
  insert(quarantine: QuarantineDocument): Promise<void>;
  /** Makes the votes of the location void. Returns false if they are already, or if it no longer looks broken. */
  apply(tx: Transaction, quarantine: QuarantineDocument, nowMs: number): Promise<boolean>;
  /**
   * Makes the votes of the location count again, although it still looks broken. Returns false if they do already.
   * Results checked while they did not never count, even if they arrive later.
   */
  release(tx: Transaction, quarantine: QuarantineDocument, nowMs: number): Promise<boolean>;
  /** Notes that the location no longer looks broken, and makes its votes count. Returns false if that has been done. */
  remove(tx: Transaction, quarantine: QuarantineDocument, nowMs: number): Promise<boolean>;
  setRecovering(code: string, sinceMs: number, calmSinceMs: number | null): Promise<void>;
  /**
   * Counts the monitors that fail, per location and workspace. Quarantined locations can have seen a monitor up too: without them,
   * the first locations that look broken would hide that the others do.
   */
  failures(nowMs: number): Promise<Map<string, Map<string, Failures>>>;
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
    async insert({ _id, ...fresh }) {
      try {
        await quarantines.updateOne({ _id }, { $setOnInsert: fresh }, { upsert: true });
      } catch (error) {
        // Another control plane has inserted it at the same moment.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async apply(tx, { _id: location, since_ms }, nowMs) {
      const waiting = { _id: location, since_ms, applied_at_ms: null };
      const { session } = tx;
      const { matchedCount } = await quarantines.updateOne(waiting, { $set: { applied_at_ms: nowMs } }, { session });
      if (matchedCount === 0) return false;
      const span = { _id: spanId(location, nowMs), location, from_ms: spanStartMs(nowMs), to_ms: null };
      await spans.insertOne(span, { session });
      return true;
    },
    async release(tx, quarantine, nowMs) {
      const { session } = tx;
      const released = await quarantines.updateOne(sameAs(quarantine), { $set: { applied_at_ms: null } }, { session });
      if (released.matchedCount === 0) return false;
      await endSpan(spans, tx, quarantine, nowMs);
      return true;
    },
    async remove(tx, quarantine, nowMs) {
      const { deletedCount } = await quarantines.deleteOne(sameAs(quarantine), { session: tx.session });
      if (deletedCount === 0) return false;
      await endSpan(spans, tx, quarantine, nowMs);
      return true;
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
    async failures(nowMs) {
      const rows = await monitors
        .aggregate<{ _id: { location: string; workspace: string } } & Failures>(failuresPipeline(nowMs))
        .toArray();
      const byLocation = new Map<string, Map<string, Failures>>();
      for (const { _id, startedRecently, failing, down } of rows) {
        const ofLocation = byLocation.get(_id.location) ?? new Map<string, Failures>();
        byLocation.set(_id.location, ofLocation.set(_id.workspace, { startedRecently, failing, down }));
      }
      return byLocation;
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

/** Returns since when the votes of the location are void; null while they count. */
export function appliedAtMs({ since_ms, applied_at_ms }: QuarantineDocument): number | null {
  return applied_at_ms === undefined ? since_ms : applied_at_ms;
}

/** Matches the stored quarantine if nothing has applied or released it since it was read. */
function sameAs(quarantine: QuarantineDocument): Filter<QuarantineDocument> {
  const { _id, since_ms, applied_at_ms } = quarantine;
  return { _id, since_ms, applied_at_ms: applied_at_ms === undefined ? { $exists: false } : applied_at_ms };
}

async function endSpan(
  spans: Collection<QuarantineSpanDocument>,
  tx: Transaction,
  quarantine: QuarantineDocument,
  nowMs: number,
): Promise<void> {
  await spans.updateOne(
    { _id: spanId(quarantine._id, appliedAtMs(quarantine) ?? 0), to_ms: null },
    { $set: { to_ms: nowMs, expires_at: new Date(nowMs + SPAN_KEPT_MS) } },
    { session: tx.session },
  );
}

function spanId(location: string, appliedMs: number): string {
  return `${location}/${appliedMs}`;
}

/** Reads only monitors that need attention, by their partial index. If nothing fails, no monitor matches. */
function failuresPipeline(nowMs: number): object[] {
  const validMs = { $max: [{ $multiply: ['$interval_seconds', 2 * MS_PER_SECOND] }, VOTE_VALID_MS_MIN] };
  const goodAt = {
    $map: {
      input: {
        $filter: {
          input: { $objectToArray: '$live' },
          cond: {
            $and: ['$$this.v.up', { $gte: ['$$this.v.checked_at_ms', { $subtract: [nowMs, validMs] }] }],
          },
        },
      },
      in: '$$this.v.checked_at_ms',
    },
  };
  const isSeenUp = { $gt: ['$good_at_ms', '$failing.v.since_ms'] };
  const isRecent = { $gte: ['$failing.v.since_ms', nowMs - QUARANTINE_WINDOW_MS] };
  return [
    { $match: { 'state.attention': true, paused_at_ms: null } },
    {
      $project: {
        workspace_id: 1,
        failing: { $objectToArray: { $ifNull: ['$state.failing', {}] } },
        good_at_ms: { $max: goodAt },
      },
    },
    { $unwind: '$failing' },
    {
      $group: {
        _id: { location: '$failing.k', workspace: '$workspace_id' },
        failing: { $sum: { $cond: [isSeenUp, 1, 0] } },
        startedRecently: { $sum: { $cond: [{ $and: [isSeenUp, isRecent] }, 1, 0] } },
        down: { $sum: { $cond: [isSeenUp, 0, 1] } },
      },
    },
  ];
}
