import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorDocument } from './documents.js';
import { type LocationFailures, QUARANTINE_WINDOW_MS, type Quarantine } from './quarantine.js';
import { VOTE_VALID_MS_MIN } from './votes.js';

/** One document of `location_quarantines`: it stands for as long as the location is quarantined. */
export interface QuarantineDocument extends Quarantine {
  /** The location's code. */
  _id: string;
  /** How many of its monitors failed at the beginning, and how many it had. */
  failing: number;
  monitors: number;
}

export interface QuarantineStore {
  ensureIndexes(): Promise<void>;
  list(): Promise<QuarantineDocument[]>;
  /** Raises E11000 where it is quarantined already. */
  insert(tx: Transaction, quarantine: QuarantineDocument): Promise<void>;
  /** false when this quarantine is over already. */
  remove(tx: Transaction, code: string, sinceMs: number): Promise<boolean>;
  setCalm(code: string, sinceMs: number, calmSinceMs: number | null): Promise<void>;
  /** By location: monitors that it fails although another, not quarantined, said up since the failure began. */
  failures(quarantined: readonly string[], nowMs: number): Promise<Map<string, LocationFailures>>;
  /** How a location has checked these monitors since. */
  answers(code: string, monitorIds: readonly string[], sinceMs: number): Promise<{ good: number; bad: number }>;
}

const MS_PER_SECOND = 1_000;

export function createQuarantineStore(db: Db): QuarantineStore {
  const quarantines = db.collection<QuarantineDocument>('location_quarantines');
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    async ensureIndexes() {
      // A transaction cannot always create a collection that others are creating too.
      await quarantines.createIndexes([{ key: { since_ms: 1 } }]);
    },
    list() {
      return quarantines.find().toArray();
    },
    async insert(tx, quarantine) {
      await quarantines.insertOne(quarantine, { session: tx.session });
    },
    async remove(tx, code, sinceMs) {
      const result = await quarantines.deleteOne({ _id: code, since_ms: sinceMs }, { session: tx.session });
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
