import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { WindowChangesDocument, WindowDocument } from './documents.js';

export type WindowChange = Partial<Omit<WindowDocument, '_id' | 'workspace_id' | 'version'>>;

export interface WindowStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, window: WindowDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<WindowDocument | null>;
  /** Returns the windows older than `afterId`, newest first. */
  list(workspaceId: string, afterId: string | null, rowsMax: number): Promise<WindowDocument[]>;
  /** Returns the windows of the workspace that have any of the ids in the list `field`, oldest first. */
  naming(
    tx: Transaction,
    workspaceId: string,
    field: 'monitor_ids' | 'server_ids',
    ids: readonly string[],
  ): Promise<WindowDocument[]>;
  /** Returns null when the window no longer has the version of `window`. */
  change(tx: Transaction, window: WindowDocument, change: WindowChange): Promise<WindowDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Counts the windows of a workspace up to `max`. */
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /** Returns the windows of the workspaces that are not over at `atMs`; those that do not count in uptime, at `leftOutAtMs`. */
  notOver(workspaceIds: readonly string[], atMs: number, leftOutAtMs: number): Promise<WindowDocument[]>;
  /**
   * Notes for all control planes that the windows of a workspace change, in the transaction of the change. Concurrent
   * changes of one workspace conflict here, so that no two of them pass the limit together.
   */
  noteChange(tx: Transaction, workspaceId: string): Promise<void>;
  /** Returns how often the windows of each workspace have changed. Workspaces without a change are left out. */
  changeCounts(): Promise<ReadonlyMap<string, number>>;
  /** Returns a text that identifies the newest change; null without one. */
  newestChange(): Promise<string | null>;
}

export function createWindowStore(db: Db): WindowStore {
  const windows = db.collection<WindowDocument>('maintenance_windows');
  const changes = db.collection<WindowChangesDocument>('maintenance_changes');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await windows.createIndexes([{ key: { workspace_id: 1, _id: -1 } }]);
      await changes.createIndexes([{ key: { at: 1 } }]);
    },
    async insert(tx, window) {
      await windows.insertOne(window, { session: tx.session });
    },
    find: (workspaceId, id, tx) => windows.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    list(workspaceId, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return windows
        .find({ workspace_id: workspaceId, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    naming: (tx, workspaceId, field, ids) =>
      windows
        .find({ workspace_id: workspaceId, [field]: { $in: [...ids] } }, within(tx))
        .sort({ _id: 1 })
        .toArray(),
    change: (tx, window, change) =>
      windows.findOneAndUpdate(
        { _id: window._id, workspace_id: window.workspace_id, version: window.version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await windows.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    count: (tx, workspaceId, max) =>
      windows.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    notOver: (workspaceIds, atMs, leftOutAtMs) =>
      windows
        .find({
          workspace_id: { $in: [...workspaceIds] },
          $or: [
            { over_at_ms: null },
            { over_at_ms: { $gt: atMs } },
            { over_at_ms: { $gt: leftOutAtMs }, counts_in_uptime: false },
          ],
        })
        .toArray(),
    async noteChange(tx, workspaceId) {
      const update = { $inc: { count: 1 }, $currentDate: { at: true } } as const;
      await changes.updateOne({ _id: workspaceId }, update, { session: tx.session, upsert: true });
    },
    async changeCounts() {
      const rows = await changes.find({}).toArray();
      return new Map(rows.map((row) => [row._id, row.count]));
    },
    async newestChange() {
      const row = await changes.findOne({}, { sort: { at: -1 } });
      return row === null ? null : `${row._id}/${row.at.getTime()}/${row.count}`;
    },
  };
}
