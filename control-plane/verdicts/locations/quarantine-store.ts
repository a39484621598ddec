import type { Db } from 'mongodb';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { VoidSpan, VoidSpans } from '../../results/uptime/uptime.js';
import type { Transaction } from '../../storage/transaction.js';
import { VOTE_VALID_MS_MIN } from '../votes.js';
import { type LocationFailures, QUARANTINE_WINDOW_MS, type Quarantine, voidFromMs } from './quarantine.js';

/** One document of `location_quarantines`: it stands for as long as the location is quarantined. */
export interface QuarantineDocument extends Quarantine {
  /** The location's code. */
  _id: string;
  /** How many of its monitors failed at the beginning, and how many it had. */
  failing: number;
  monitors: number;
}

/** One document of `location_quarantine_spans`: a quarantine as history knows it. */
interface SpanDocument extends VoidSpan {
  /** Location and beginning of the quarantine. */
  _id: string;
  location: string;
  /** Absent while it lasts. */
  expires_at?: Date;
}

export interface QuarantineStore {
  ensureIndexes(): Promise<void>;
  list(): Promise<QuarantineDocument[]>;
  /** Raises E11000 where it is quarantined already. */
  insert(tx: Transaction, quarantine: QuarantineDocument): Promise<void>;
  /** false when this quarantine is over already. Raw results of its time stay void, however late they come. */
  remove(tx: Transaction, code: string, sinceMs: number, nowMs: number): Promise<boolean>;
  setCalm(code: string, sinceMs: number, calmSinceMs: number | null): Promise<void>;
  /** By location: monitors that it fails although another, not quarantined, said up since the failure began. */
  failures(quarantined: readonly string[], nowMs: number): Promise<Map<string, LocationFailures>>;
  /** When which location was quarantined, as far back as raw results reach. */
  voidSpans(): Promise<VoidSpans>;
  /** How a location has checked these monitors since. */
  answers(code: string, monitorIds: readonly string[], sinceMs: number): Promise<{ good: number; bad: number }>;
}

const MS_PER_SECOND = 1_000;

/** Longer than raw results are kept by any plan, so that an hour that is rolled up again finds what it needs. */
const SPAN_KEPT_MS = 32 * 86_400_000;
/** A location that is quarantined anew all the time reaches this in a week; then the oldest are let go of. */
const SPANS_MAX = 10_000;

export function createQuarantineStore(db: Db): QuarantineStore {
  const quarantines = db.collection<QuarantineDocument>('location_quarantines');
  const spans = db.collection<SpanDocument>('location_quarantine_spans');
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    async ensureIndexes() {
      // A transaction cannot always create a collection that others are creating too.
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
        { _id: spanId(location, since_ms), location, from_ms: voidFromMs(quarantine), to_ms: null },
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
    async setCalm(code, sinceMs, calmSinceMs) {
      await quarantines.updateOne({ _id: code, since_ms: sinceMs }, { $set: { calm_since_ms: calmSinceMs } });
    },
    async failures(quarantined, nowMs) {
      const rows = await monitors
        .aggregate<{ _id: string; begun: number; failing: number }>(failuresPipeline(quarantined, nowMs))
        .toArray();
      return new Map(rows.map(({ _id, begun, failing }) => [_id, { begun, failing }]));
    },
    async voidSpans() {
      const rows = await spans.find().sort({ from_ms: -1 }).limit(SPANS_MAX).toArray();
      const byLocation = new Map<string, VoidSpan[]>();
      for (const { location, from_ms, to_ms } of rows.reverse()) {
        const known = byLocation.get(location) ?? [];
        byLocation.set(location, known);
        known.push({ from_ms, to_ms });
      }
      return byLocation;
    },
    async answers(code, monitorIds, sinceMs) {
      const rows = await monitors
        .find({ _id: { $in: [...monitorIds] } }, { projection: { [`live.${code}`]: 1 } })
        .toArray();
      const fresh = rows.map((row) => row.live?.[code]).filter((live) => live !== undefined);
      const since = fresh.filter((live) => live.checked_at_ms >= sinceMs);
      const good = since.filter((live) => live.up).length;
      return { good, bad: since.length - good };
    },
  };
}

function spanId(location: string, sinceMs: number): string {
  return `${location}/${sinceMs}`;
}

/** Reads only monitors that need attention, by their partial index: in good times there are none. */
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
        begun: { $sum: { $cond: [{ $gte: ['$failing.v.since_ms', nowMs - QUARANTINE_WINDOW_MS] }, 1, 0] } },
      },
    },
  ];
}
