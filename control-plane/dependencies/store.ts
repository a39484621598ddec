import type { Db, Filter } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { DependencyChangesDocument, DependencyDocument, Dependent } from './documents.js';

/** Which dependencies: those of one of these dependents, and those on the monitor. */
export interface ConcernedBy {
  monitorIds: readonly string[];
  serverIds: readonly string[];
  tags: readonly string[];
  /** null: those on any monitor are left out. */
  onMonitorId: string | null;
}

export interface DependencyStore {
  ensureIndexes(): Promise<void>;
  /** Throws E11000 if the same thing depends on the same monitor already. */
  insert(tx: Transaction, dependency: DependencyDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<DependencyDocument | null>;
  findSame(
    tx: Transaction,
    workspaceId: string,
    dependent: Dependent,
    onMonitorId: string,
  ): Promise<DependencyDocument | null>;
  /** Returns dependencies older than `afterId`, newest first. */
  list(
    workspaceId: string,
    concernedBy: ConcernedBy | null,
    afterId: string | null,
    rowsMax: number,
  ): Promise<DependencyDocument[]>;
  /** Returns all dependencies of the workspaces, oldest first. */
  ofWorkspaces(workspaceIds: readonly string[], tx?: Transaction): Promise<DependencyDocument[]>;
  /** Returns those in which one of the monitors or servers is named, on either side, oldest first. */
  naming(
    tx: Transaction,
    workspaceId: string,
    of: 'monitor' | 'server',
    ids: readonly string[],
  ): Promise<DependencyDocument[]>;
  remove(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<number>;
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /**
   * Lets the creations of one workspace take turns: concurrent ones conflict here, so that no two of them pass the limit or close a
   * circle together. Call it before the transaction reads dependencies.
   */
  takeTurn(tx: Transaction, workspaceId: string): Promise<void>;
}

export function createDependencyStore(db: Db): DependencyStore {
  const dependencies = db.collection<DependencyDocument>('dependencies');
  const changes = db.collection<DependencyChangesDocument>('dependency_changes');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await dependencies.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        {
          key: { workspace_id: 1, on_monitor_id: 1, monitor_id: 1, server_id: 1, tag: 1 },
          name: 'one_of_each',
          unique: true,
        },
      ]);
    },
    async insert(tx, dependency) {
      await dependencies.insertOne(dependency, { session: tx.session });
    },
    find: (workspaceId, id, tx) => dependencies.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findSame: (tx, workspaceId, { monitor_id, server_id, tag }, on_monitor_id) =>
      dependencies.findOne({ workspace_id: workspaceId, on_monitor_id, monitor_id, server_id, tag }, within(tx)),
    list(workspaceId, concernedBy, afterId, rowsMax) {
      const filter: Filter<DependencyDocument> = { workspace_id: workspaceId };
      if (afterId !== null) filter._id = { $lt: afterId };
      if (concernedBy !== null) filter.$or = anyOf(concernedBy);
      return dependencies.find(filter).sort({ _id: -1 }).limit(rowsMax).toArray();
    },
    ofWorkspaces: (workspaceIds, tx) =>
      dependencies
        .find({ workspace_id: { $in: [...workspaceIds] } }, within(tx))
        .sort({ workspace_id: 1, _id: -1 })
        .toArray(),
    naming(tx, workspaceId, of, ids) {
      const among = { $in: [...ids] };
      const named = of === 'server' ? { server_id: among } : { $or: [{ monitor_id: among }, { on_monitor_id: among }] };
      return dependencies
        .find({ workspace_id: workspaceId, ...named }, within(tx))
        .sort({ _id: 1 })
        .toArray();
    },
    async remove(tx, workspaceId, ids) {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      return (await dependencies.deleteMany(filter, { session: tx.session })).deletedCount;
    },
    count: (tx, workspaceId, max) =>
      dependencies.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    async takeTurn(tx, workspaceId) {
      const update = { $inc: { count: 1 }, $set: { workspace_id: workspaceId } };
      await changes.updateOne({ _id: workspaceId }, update, { session: tx.session, upsert: true });
    },
  };
}

function anyOf({ monitorIds, serverIds, tags, onMonitorId }: ConcernedBy): Filter<DependencyDocument>[] {
  return [
    { monitor_id: { $in: [...monitorIds] } },
    { server_id: { $in: [...serverIds] } },
    { tag: { $in: [...tags] } },
    ...(onMonitorId === null ? [] : [{ on_monitor_id: onMonitorId }]),
  ];
}
