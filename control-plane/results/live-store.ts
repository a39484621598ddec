import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { CertificateState, GoodResult, LiveResult, MonitorDocument } from '../monitors/documents.js';

/** A result that updates the document of its monitor. */
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
   * Updates `live.<location>` of each monitor, its newest successful result and its certificate. Only a result with a
   * later check time replaces a stored one, so updates are idempotent and can arrive in any order, from any number of
   * control planes.
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
      // Normally every result is the newest of its location. An older result may still be the newest successful one,
      // or have a certificate that is newer than the stored one.
      if (matchedCount === moves.length) return;
      const rest = updates.flatMap(keepNewest);
      if (rest.length > 0) await monitors.bulkWrite(rest, { ordered: false });
    },
  };
}

/** Without this hint, the query planner also tries the workspace indexes for every result. */
const BY_ID = { _id: 1 } as const;

type Operation = AnyBulkWriteOperation<MonitorDocument>;

/** Matches the monitor unless it was paused or got another target since the check. */
function monitorOf(update: LiveUpdate) {
  return {
    _id: update.monitorId,
    workspace_id: update.workspaceId,
    live_from_version: { $lte: update.monitorVersion },
  };
}

/**
 * The newest result is the one that was checked last, not the one with the latest slot: the retry of a requested check
 * may end after the next scheduled check has begun. MongoDB compares documents field by field, so one comparison is
 * enough.
 *
 * This uses `updateMany` for one `_id`, because MongoDB never makes it a retryable write. Retryable writes store a
 * record per statement, which took a tenth of the database's time in a measurement. They are not needed: a batch that
 * is not stored is not acknowledged, so the probe sends it again.
 */
function moveLive(update: LiveUpdate): Operation {
  const path = `live.${update.location}`;
  const { checked_at_ms, slot_ms, attempt, up } = update.result;
  // If this process dies before it has evaluated the failure, the sweep finds the monitor by this flag.
  const flag = up ? {} : { 'state.attention': true };
  return {
    updateMany: {
      filter: { ...monitorOf(update), [path]: { $not: { $gte: { checked_at_ms, slot_ms, attempt } } } },
      update: { $set: { [path]: update.result, ...flag }, $max: newestOf(update) },
      hint: BY_ID,
    },
  };
}

function keepNewest(update: LiveUpdate): Operation[] {
  const newest = newestOf(update);
  if (Object.keys(newest).length === 0) return [];
  return [{ updateMany: { filter: monitorOf(update), update: { $max: newest } } }];
}

/** `checked_at_ms` is the first field of each of these documents, so the greater document is the newer one. */
function newestOf({ location, result, certificate }: LiveUpdate): Record<string, GoodResult | CertificateState> {
  const { checked_at_ms, response_time_ms } = result;
  return {
    ...(result.up ? { [`good.${location}`]: { checked_at_ms, response_time_ms } } : {}),
    ...(certificate === null ? {} : { certificate }),
  };
}
