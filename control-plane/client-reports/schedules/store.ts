import type { Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ScheduleDocument } from './documents.js';

export type ScheduleChange = Partial<Omit<ScheduleDocument, '_id' | 'workspace_id' | 'version'>>;

export interface ScheduleStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, schedule: ScheduleDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ScheduleDocument | null>;
  list(workspaceId: string, page: PageRequest): Promise<ScheduleDocument[]>;
  /** Returns the schedules of the workspace that name any of the monitors by its id, oldest first. */
  naming(tx: Transaction, workspaceId: string, monitorIds: readonly string[]): Promise<ScheduleDocument[]>;
  /** Returns null when the schedule no longer has the version of `schedule`. */
  change(tx: Transaction, schedule: ScheduleDocument, change: ScheduleChange): Promise<ScheduleDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /**
   * Returns the schedule of each workspace whose occurrence is due for the longest time, by workspace: at most `workspacesMax`,
   * those after `afterWorkspace`.
   */
  due(nowMs: number, afterWorkspace: string, workspacesMax: number): Promise<ScheduleDocument[]>;
  /**
   * Stores when the next occurrence is. Resolves to false when the schedule was changed or advanced since it was read: whoever is
   * second must make nothing.
   */
  advance(tx: Transaction, schedule: ScheduleDocument, nextAtMs: number | null): Promise<boolean>;
  postpone(schedule: ScheduleDocument, untilMs: number): Promise<void>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
}

export function createScheduleStore(db: Db): ScheduleStore {
  const schedules = db.collection<ScheduleDocument>('client_report_schedules');
  return {
    async ensureIndexes() {
      await schedules.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, 'monitors.ids': 1 }, name: 'naming_monitor' },
        { key: { next_at_ms: 1 }, name: 'due', partialFilterExpression: { enabled: true } },
      ]);
    },
    async insert(tx, schedule) {
      await schedules.insertOne(schedule, { session: tx.session });
    },
    find: (workspaceId, id, tx) =>
      schedules.findOne({ _id: id, workspace_id: workspaceId }, tx === undefined ? {} : { session: tx.session }),
    list(workspaceId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return schedules
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    naming: (tx, workspaceId, monitorIds) =>
      schedules
        .find({ workspace_id: workspaceId, 'monitors.ids': { $in: [...monitorIds] } }, { session: tx.session })
        .sort({ _id: 1 })
        .toArray(),
    change: (tx, { _id, workspace_id, version }, change) =>
      schedules.findOneAndUpdate(
        { _id, workspace_id, version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await schedules.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    async due(nowMs, afterWorkspace, workspacesMax) {
      const first = await schedules
        .aggregate<{ schedule: string }>(
          [
            {
              $match: {
                ...{ enabled: true, next_at_ms: { $lte: nowMs }, retry_at_ms: { $lte: nowMs } },
                workspace_id: { $gt: afterWorkspace },
              },
            },
            { $sort: { next_at_ms: 1 } },
            { $group: { _id: '$workspace_id', schedule: { $first: '$_id' } } },
            { $sort: { _id: 1 } },
            { $limit: workspacesMax },
          ],
          { hint: 'due' },
        )
        .toArray();
      const found = await schedules.find({ _id: { $in: first.map(({ schedule }) => schedule) } }).toArray();
      return found.sort((a, b) => (a.workspace_id < b.workspace_id ? -1 : 1));
    },
    async advance(tx, { _id, workspace_id, version, next_at_ms }, nextAtMs) {
      const { modifiedCount } = await schedules.updateOne(
        { _id, workspace_id, version, next_at_ms },
        { $set: { next_at_ms: nextAtMs, retry_at_ms: 0 } },
        { session: tx.session },
      );
      return modifiedCount === 1;
    },
    async postpone({ _id, workspace_id }, untilMs) {
      await schedules.updateOne({ _id, workspace_id }, { $set: { retry_at_ms: untilMs } });
    },
    lockAndCount: createLockAndCount(db, 'report_schedule', (tx, workspaceId, max) =>
      schedules.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    named: createNamedCounts(schedules, ({ name }) => name),
  };
}
