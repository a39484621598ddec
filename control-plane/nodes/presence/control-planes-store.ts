import type { Db } from 'mongodb';
import type { ControlPlaneDocument } from '../documents.js';
import type { AgedControlPlane } from './lost.js';
import { GRACE_MS, PAUSE_MS } from './lost.js';

/** Stores the heartbeat of each control plane. All times are of the database's clock. */
export interface ControlPlaneStore {
  ensureIndexes(): Promise<void>;
  /**
   * Stores a heartbeat. After a start or a pause, agents get time to reconnect and to send what they hold: ten times as
   * long as the pause, and at most `GRACE_MS`.
   */
  beat(id: string): Promise<void>;
  /** Records that the control plane stops, so that the others need not wait for its next heartbeat. */
  leave(id: string): Promise<void>;
  /** Resolves to the control planes that were heard last, the newest first. */
  newest(): Promise<AgedControlPlane[]>;
}

/** Restarts add a document each. Only the newest ones matter. */
const CONTROL_PLANES_MAX = 100;
const KEPT_S = 7 * 86_400;
/** Streams survive a short pause, so agents need less time after it. */
const WAIT_PER_PAUSE = 10;

export function createControlPlaneStore(db: Db): ControlPlaneStore {
  const planes = db.collection<ControlPlaneDocument>('control_planes');
  return {
    async ensureIndexes() {
      await planes.createIndexes([{ key: { seen_at: 1 }, expireAfterSeconds: KEPT_S }]);
    },
    async beat(id) {
      const silentMs = { $subtract: ['$$NOW', '$seen_at'] };
      const hasPaused = { $or: [{ $gt: [silentMs, PAUSE_MS] }, '$stopped'] };
      const waitMs = { $min: [GRACE_MS, { $multiply: [WAIT_PER_PAUSE, silentMs] }] };
      const waitsUntil = { $max: ['$complete_from', { $add: ['$$NOW', waitMs] }] };
      // Never later than for a new control plane, also after the clock of the database was set back.
      const stillWaits = { $min: ['$complete_from', { $add: ['$$NOW', GRACE_MS] }] };
      const isNew = { $eq: [{ $type: '$seen_at' }, 'missing'] };
      await planes.updateOne(
        { _id: id },
        [
          {
            $set: {
              complete_from: {
                $cond: [isNew, { $add: ['$$NOW', GRACE_MS] }, { $cond: [hasPaused, waitsUntil, stillWaits] }],
              },
              received_until: { $cond: [isNew, null, { $cond: [hasPaused, '$seen_at', '$received_until'] }] },
              seen_at: '$$NOW',
              stopped: false,
            },
          },
        ],
        { upsert: true },
      );
    },
    async leave(id) {
      await planes.updateOne({ _id: id }, { $set: { stopped: true }, $currentDate: { seen_at: true } });
    },
    newest: () =>
      planes
        .aggregate<AgedControlPlane>([
          { $sort: { seen_at: -1 } },
          { $limit: CONTROL_PLANES_MAX },
          {
            $project: {
              stopped: 1,
              seen_at_ms: { $toLong: '$seen_at' },
              age_ms: { $subtract: ['$$NOW', '$seen_at'] },
              waits_ms: { $subtract: ['$complete_from', '$$NOW'] },
              received_until_ms: { $toLong: '$received_until' },
            },
          },
        ])
        .toArray(),
  };
}
