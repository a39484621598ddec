import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorChangeDocument } from '../documents.js';

/** Stores which monitors were written recently, for the directories of all control planes. */
export interface MonitorChanges {
  ensureIndexes(): Promise<void>;
  /** Writes in the transaction of the change, so that both become visible together. */
  note(tx: Transaction, monitors: readonly { id: string; workspaceId: string }[]): Promise<void>;
  /** Returns changes written at `since` or later, by the clock of the database; with null, only the newest. */
  since(since: Date | null): Promise<MonitorChangeDocument[]>;
  /** Returns a name of the newest change; another name means that there is a newer change. */
  newest(): Promise<string | null>;
  /** Returns a name of all recent changes of a workspace; another name means that there was another change. */
  stateOf(workspaceId: string): Promise<{ name: string; newest: Date | null }>;
  /** Returns the monitors of a workspace with a change at `since` or later, at most `rowsMax`. */
  idsSince(workspaceId: string, since: Date, rowsMax: number): Promise<string[]>;
}

/** Longer than the time between two complete reads of a directory, so that no directory misses a change for good. */
const CHANGES_KEPT_S = 3_600;

export function createMonitorChanges(db: Db): MonitorChanges {
  const changes = db.collection<MonitorChangeDocument>('monitor_changes');
  return {
    async ensureIndexes() {
      await changes.createIndexes([
        { key: { at: 1 }, expireAfterSeconds: CHANGES_KEPT_S },
        { key: { workspace_id: 1, at: -1, count: 1 } },
      ]);
    },
    async note(tx, monitors) {
      await changes.bulkWrite(
        monitors.map(({ id, workspaceId }) => ({
          updateOne: {
            filter: { _id: id, workspace_id: workspaceId },
            update: { $inc: { count: 1 }, $currentDate: { at: true } },
            upsert: true,
          },
        })),
        { session: tx.session, ordered: false },
      );
    },
    since(since) {
      return since === null
        ? changes.find().sort({ at: -1 }).limit(1).toArray()
        : changes.find({ at: { $gte: since } }).toArray();
    },
    async newest() {
      const row = await changes.findOne({}, { sort: { at: -1 } });
      return row === null ? null : `${row._id}/${row.at.getTime()}/${row.count}`;
    },
    async stateOf(workspaceId) {
      // The newest one is not enough: a change with an earlier time may be committed later. Read from an index only.
      const [state] = await changes
        .aggregate<{ monitors: number; changes: number; at: Date }>([
          { $match: { workspace_id: workspaceId } },
          { $group: { _id: null, monitors: { $sum: 1 }, changes: { $sum: '$count' }, at: { $max: '$at' } } },
        ])
        .toArray();
      if (state === undefined) return { name: '', newest: null };
      return { name: `${state.monitors}/${state.changes}/${state.at.getTime()}`, newest: state.at };
    },
    async idsSince(workspaceId, since, rowsMax) {
      const filter = { workspace_id: workspaceId, at: { $gte: since } };
      const rows = await changes.find(filter).project<{ _id: string }>({ _id: 1 }).limit(rowsMax).toArray();
      return rows.map(({ _id }) => _id);
    },
  };
}
