import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { CertificateState, GoodResult, LiveResult, MonitorDocument } from '../monitors/documents.js';

/** A result on its way to the monitor's own document. */
export interface LiveUpdate {
  workspaceId: string;
  monitorId: string;
  /** Version of the monitor that was checked. */
  monitorVersion: number;
  location: string;
  result: LiveResult;
  certificate: CertificateState | null;
}

export interface LiveStore {
  /**
   * Moves `live.<location>` of each monitor forward, its newest good result and its certificate. Only what was
   * checked later moves them, so that the same updates in any order, any number of times, on any number of control
   * planes end alike.
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
      // Normally every result is the newest of its location. One that is not may still be the newest good one, or
      // carry a certificate that is newer than the one that is kept.
      if (matchedCount === moves.length) return;
      const rest = updates.flatMap(keepNewest);
      if (rest.length > 0) await monitors.bulkWrite(rest, { ordered: false });
    },
  };
}

/** Spares the database the choice between this index and those that begin with the workspace, for every result. */
const BY_ID = { _id: 1 } as const;

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
 * Newest is what was checked last, not what was due last: the retry of a check that another location asked for may
 * well end after the next scheduled check has begun. Documents compare member by member, so one comparison tells.
 *
 * `updateMany` of one `_id`: with it the driver asks for no retryable write, whose record per statement cost a tenth
 * of the database's time here. Nothing needs it: a batch that is not stored is not acknowledged and comes again.
 */
function moveLive(update: LiveUpdate): Operation {
  const path = `live.${update.location}`;
  const { checked_at_ms, slot_ms, attempt, up } = update.result;
  // Whoever dies before it has judged a failure leaves a mark: the sweep finds it.
  const mark = up ? {} : { 'state.attention': true };
  return {
    updateMany: {
      filter: { ...monitorOf(update), [path]: { $not: { $gte: { checked_at_ms, slot_ms, attempt } } } },
      update: { $set: { [path]: update.result, ...mark }, $max: newestOf(update) },
      hint: BY_ID,
    },
  };
}

function keepNewest(update: LiveUpdate): Operation[] {
  const newest = newestOf(update);
  if (Object.keys(newest).length === 0) return [];
  return [{ updateMany: { filter: monitorOf(update), update: { $max: newest } } }];
}

/** `checked_at_ms` is the first member of each of these, so the greater document is the newer one. */
function newestOf({ location, result, certificate }: LiveUpdate): Record<string, GoodResult | CertificateState> {
  const { checked_at_ms, response_time_ms } = result;
  return {
    ...(result.up ? { [`good.${location}`]: { checked_at_ms, response_time_ms } } : {}),
    ...(certificate === null ? {} : { certificate }),
  };
}
