import type { AnyBulkWriteOperation, Db, Document } from 'mongodb';
import { systemClock } from '../../kernel/clock.js';
import type { CertificateState, GoodResult, LiveResult, MonitorDocument } from '../monitors/documents.js';
import { bulkWriteInTime, type WriteOutcome } from '../storage/writes/bulk-write-in-time.js';
import { confirmWrites } from '../storage/writes/confirm-writes.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import { createUnlockedWrites, ONE_MS_MAX, type UnlockedWrites } from '../storage/writes/unlocked-writes.js';

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

/**
 * Updates `live.<location>` of each monitor, its newest successful result and its certificate. Only a result with a later
 * check time replaces a stored one, so updates are idempotent and can arrive in any order, from any number of control
 * planes. Those that the database refuses for their content are set aside: no repetition can write them, and the next result
 * of their monitor may be accepted.
 */
export type LiveStore = UnlockedWrites<LiveUpdate>;

export function createLiveStore(db: Db, setAside: SetAside): LiveStore {
  const monitors = db.collection<MonitorDocument>('monitors');

  async function write(updates: readonly LiveUpdate[], msMax: number): Promise<WriteOutcome> {
    const startedMs = systemClock.monotonic();
    const first = await bulkWriteInTime(monitors, updates.map(moveLive), msMax);
    // Everything is repeated then, also what was refused.
    if (first.outcome === 'locked') return 'locked';
    const accepted = updates.filter((_update, index) => !first.refused.has(index));
    await setRefusedAside(updates, first.refused);
    // Normally every result is the newest of its location. An older result may still be the newest successful one,
    // or have a certificate that is newer than the stored one.
    const older = first.matched === accepted.length ? [] : accepted.filter(hasNewest);
    const leftMs = Math.max(ONE_MS_MAX, Math.round(msMax - (systemClock.monotonic() - startedMs)));
    const second = await bulkWriteInTime(monitors, older.map(keepNewest), leftMs);
    if (second.outcome === 'locked') return 'locked';
    await setRefusedAside(older, second.refused);
    return second.outcome === 'done' ? first.outcome : second.outcome;
  }

  async function setRefusedAside(updates: readonly LiveUpdate[], refused: ReadonlyMap<number, unknown>): Promise<void> {
    for (const [index, update] of updates.entries()) {
      if (!refused.has(index)) continue;
      await setAside({ collection: monitors.collectionName, record: recordOf(update), error: refused.get(index) });
    }
  }

  return createUnlockedWrites({
    idOf: ({ monitorId }) => monitorId,
    write,
    confirm: () => confirmWrites(db.client, monitors),
  });
}

/** The form in which a refused update is kept. */
function recordOf({ workspaceId, monitorId, monitorVersion, location, ...what }: LiveUpdate): Document {
  return { _id: monitorId, workspace_id: workspaceId, monitor_version: monitorVersion, location, ...what };
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

function keepNewest(update: LiveUpdate): Operation {
  return { updateMany: { filter: monitorOf(update), update: { $max: newestOf(update) } } };
}

function hasNewest(update: LiveUpdate): boolean {
  return Object.keys(newestOf(update)).length > 0;
}

/** `checked_at_ms` is the first field of each of these documents, so the greater document is the newer one. */
function newestOf({ location, result, certificate }: LiveUpdate): Record<string, GoodResult | CertificateState> {
  const { checked_at_ms, response_time_ms } = result;
  return {
    ...(result.up ? { [`good.${location}`]: { checked_at_ms, response_time_ms } } : {}),
    ...(certificate === null ? {} : { certificate }),
  };
}
