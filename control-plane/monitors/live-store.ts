import type { AnyBulkWriteOperation, Db, Filter } from 'mongodb';
import type { CertificateState, LiveResult, MonitorDocument } from './documents.js';

/** A result on its way to the monitor's own document. */
export interface LiveUpdate {
  workspaceId: string;
  monitorId: string;
  /** Version of the monitor that was checked. */
  monitorVersion: number;
  location: string;
  result: Omit<LiveResult, 'good_response_time_ms' | 'good_checked_at_ms'>;
  certificate: CertificateState | null;
}

export interface LiveStore {
  /**
   * Moves `live.<location>` of each monitor forward, and its certificate. Only a newer (slot, attempt) moves it, so
   * that the same updates in any order, any number of times, on any number of control planes end alike.
   */
  apply(updates: readonly LiveUpdate[]): Promise<void>;
}

export function createLiveStore(db: Db): LiveStore {
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    async apply(updates) {
      if (updates.length === 0) return;
      const moves = updates.map(moveLive);
      const { matchedCount } = await monitors.bulkWrite(moves, { ordered: false });
      // Normally every result is the newest of its location. One that is not may still carry a good response time
      // or a certificate that is newer than the one that is kept.
      if (matchedCount === moves.length) return;
      const rest = updates.flatMap((update) => [...keepGood(update), ...keepCertificate(update)]);
      if (rest.length > 0) await monitors.bulkWrite(rest, { ordered: false });
    },
  };
}

type Operation = AnyBulkWriteOperation<MonitorDocument>;

/** The monitor itself, unless it has since become another: other target, or paused in between. */
function monitorOf(update: LiveUpdate) {
  return {
    _id: update.monitorId,
    workspace_id: update.workspaceId,
    live_from_version: { $lte: update.monitorVersion },
  };
}

/**
 * What a newer result may take the place of. Newest is what was checked last, not what was due last: the retry of a
 * check that another location asked for may well end after the next scheduled check has begun.
 */
function olderThan(path: string, { checked_at_ms, slot_ms, attempt }: LiveUpdate['result']): Filter<MonitorDocument>[] {
  return [
    { [`${path}.checked_at_ms`]: { $not: { $gte: checked_at_ms } } },
    { [`${path}.checked_at_ms`]: checked_at_ms, [`${path}.slot_ms`]: { $lt: slot_ms } },
    { [`${path}.checked_at_ms`]: checked_at_ms, [`${path}.slot_ms`]: slot_ms, [`${path}.attempt`]: { $lt: attempt } },
  ];
}

function moveLive(update: LiveUpdate): Operation {
  const path = `live.${update.location}`;
  const { checked_at_ms, up } = update.result;
  const filter: Filter<MonitorDocument> = { ...monitorOf(update), $or: olderThan(path, update.result) };
  const certificate = update.certificate === null ? {} : { certificate: update.certificate };
  if (up) {
    const live: LiveResult = {
      ...update.result,
      good_response_time_ms: update.result.response_time_ms,
      good_checked_at_ms: checked_at_ms,
    };
    return { updateOne: { filter, update: { $set: { [path]: live }, $max: certificate } } };
  }
  const members = Object.fromEntries(Object.entries(update.result).map(([name, value]) => [`${path}.${name}`, value]));
  // null is below every number: $max keeps the good time that is there and writes null where none is.
  const good = { [`${path}.good_response_time_ms`]: null, [`${path}.good_checked_at_ms`]: null };
  // Whoever dies before it has judged this leaves a mark: the sweep finds it.
  const marked = { ...members, 'state.attention': true };
  return { updateOne: { filter, update: { $set: marked, $max: { ...good, ...certificate } } } };
}

function keepGood(update: LiveUpdate): Operation[] {
  if (!update.result.up) return [];
  const path = `live.${update.location}`;
  const { checked_at_ms, response_time_ms } = update.result;
  return [
    {
      updateOne: {
        filter: {
          ...monitorOf(update),
          [`${path}.checked_at_ms`]: { $gte: checked_at_ms },
          [`${path}.good_checked_at_ms`]: { $not: { $gte: checked_at_ms } },
        },
        update: {
          $set: {
            [`${path}.good_response_time_ms`]: response_time_ms,
            [`${path}.good_checked_at_ms`]: checked_at_ms,
          },
        },
      },
    },
  ];
}

/** `checked_at_ms` is the first member on both sides, so the greater document is the newer one. */
function keepCertificate(update: LiveUpdate): Operation[] {
  if (update.certificate === null) return [];
  return [{ updateOne: { filter: monitorOf(update), update: { $max: { certificate: update.certificate } } } }];
}
