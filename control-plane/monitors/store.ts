import type { Collection, Db, Filter, WithId } from 'mongodb';
import { createQuotaLock, type LockQuota } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorDocument } from './documents.js';
import type { ListMonitors } from './schema.js';

/** What the directory keeps of a monitor. */
export type DirectoryRow = Pick<
  MonitorDocument,
  | '_id'
  | 'workspace_id'
  | 'url'
  | 'type'
  | 'interval_seconds'
  | 'timeout_ms'
  | 'locations'
  | 'http'
  | 'confirmations'
  | 'retries'
  | 'paused_at_ms'
  | 'version'
  | 'live_from_version'
>;

/** What names a monitor to whoever is told of it. */
export type MonitorNames = Pick<MonitorDocument, '_id' | 'name' | 'url' | 'type'>;

export type MonitorFilter = Pick<ListMonitors, 'status' | 'type' | 'q' | 'tag'>;

/** Members that a change of settings, a pause or a resume may write. */
export type MonitorChange = Partial<Omit<MonitorDocument, '_id' | 'workspace_id' | 'version'>>;

export interface MonitorStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, monitors: MonitorDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<MonitorDocument | null>;
  /** In no order. */
  findMany(workspaceId: string, ids: readonly string[]): Promise<MonitorDocument[]>;
  /** In no order, with nothing but what names them. */
  findNames(workspaceId: string, ids: readonly string[]): Promise<MonitorNames[]>;
  /** Newest first, those older than `afterId`. */
  list(workspaceId: string, filter: MonitorFilter, afterId: string | null, rowsMax: number): Promise<MonitorDocument[]>;
  /** Oldest first, those newer than `afterId`. */
  listOldest(workspaceId: string, afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /** Oldest first. */
  findByNames(tx: Transaction, workspaceId: string, names: readonly string[]): Promise<MonitorDocument[]>;
  /**
   * Writes a change and counts it in `version`, and in the state's `revision`, so that an evaluation that began
   * before it is thrown away. null when version or revision are no longer those of the monitor given.
   */
  change(tx: Transaction, monitor: MonitorDocument, change: MonitorChange): Promise<MonitorDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** How many monitors the workspace has, counted to `max` and no further. */
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  lockQuota: LockQuota;
  /** Of all workspaces, by id, for the directory. */
  directoryPage(afterId: string | null, limit: number): Promise<DirectoryRow[]>;
  directoryRows(ids: readonly string[]): Promise<DirectoryRow[]>;
  /** Ids and versions of all monitors, from an index alone. */
  versions(): AsyncIterable<{ _id: string; version: number }>;
}

const DIRECTORY_PROJECTION = {
  workspace_id: 1,
  url: 1,
  type: 1,
  interval_seconds: 1,
  timeout_ms: 1,
  locations: 1,
  http: 1,
  confirmations: 1,
  retries: 1,
  paused_at_ms: 1,
  version: 1,
  live_from_version: 1,
} as const;

/** What is read was written by us, as UTF-8: looking at each character again takes a fifth of a page's time. */
const TRUSTED_TEXT = { enableUtf8Validation: false } as const;

/** Rows of one answer of the server while all versions are read. */
const VERSIONS_BATCH_ROWS = 2_000;

export function createMonitorStore(db: Db): MonitorStore {
  const monitors = db.collection<MonitorDocument>('monitors');

  return {
    async ensureIndexes() {
      await monitors.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, tags: 1, _id: -1 } },
        { key: { workspace_id: 1, type: 1, _id: -1 } },
        { key: { workspace_id: 1, paused_at_ms: 1, 'state.status': 1, _id: -1 } },
        { key: { workspace_id: 1, name: 1 } },
        { key: { _id: 1, version: 1 } },
        { key: { 'state.attention': 1 }, partialFilterExpression: { 'state.attention': true } },
      ]);
    },
    async insert(tx, documents) {
      await monitors.insertMany(documents, { session: tx.session });
    },
    find(workspaceId, id, tx) {
      return monitors.findOne({ _id: id, workspace_id: workspaceId }, tx === undefined ? {} : { session: tx.session });
    },
    findMany(workspaceId, ids) {
      return monitors.find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, TRUSTED_TEXT).toArray();
    },
    findNames(workspaceId, ids) {
      const names = { name: 1, url: 1, type: 1 };
      return monitors
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, TRUSTED_TEXT)
        .project<MonitorNames>(names)
        .toArray();
    },
    list(workspaceId, filter, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return monitors
        .find({ ...mongoFilter(workspaceId, filter), ...rest }, TRUSTED_TEXT)
        .sort({ _id: -1 })
        .limit(rowsMax)
        .batchSize(rowsMax)
        .toArray();
    },
    listOldest(workspaceId, afterId, limit) {
      return monitors
        .find({ workspace_id: workspaceId, ...(afterId === null ? {} : { _id: { $gt: afterId } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    findByNames(tx, workspaceId, names) {
      return monitors
        .find({ workspace_id: workspaceId, name: { $in: [...names] } }, { session: tx.session })
        .sort({ _id: 1 })
        .toArray();
    },
    change(tx, monitor, change) {
      return monitors.findOneAndUpdate(
        {
          _id: monitor._id,
          workspace_id: monitor.workspace_id,
          version: monitor.version,
          'state.revision': monitor.state.revision,
        },
        {
          $set: { ...change, state: { ...(change.state ?? monitor.state), revision: monitor.state.revision + 1 } },
          $inc: { version: 1 },
        },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async remove(tx, workspaceId, id) {
      const result = await monitors.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return result.deletedCount === 1;
    },
    count(tx, workspaceId, max) {
      return monitors.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max });
    },
    lockQuota: createQuotaLock(db, 'monitor'),
    ...directoryReads(monitors),
  };
}

function directoryReads(
  monitors: Collection<MonitorDocument>,
): Pick<MonitorStore, 'directoryPage' | 'directoryRows' | 'versions'> {
  return {
    directoryPage(afterId, limit) {
      return monitors
        .find(afterId === null ? {} : { _id: { $gt: afterId } }, { projection: DIRECTORY_PROJECTION })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    directoryRows(ids) {
      return monitors.find({ _id: { $in: [...ids] } }, { projection: DIRECTORY_PROJECTION }).toArray();
    },
    versions() {
      return monitors
        .find({}, { projection: { version: 1 }, hint: { _id: 1, version: 1 } })
        .sort({ _id: 1 })
        .batchSize(VERSIONS_BATCH_ROWS);
    },
  };
}

function mongoFilter(workspaceId: string, { status, type, q, tag }: MonitorFilter): Filter<WithId<MonitorDocument>> {
  const filter: Filter<WithId<MonitorDocument>> = { workspace_id: workspaceId };
  if (status === 'paused') filter.paused_at_ms = { $gt: 0 };
  else if (status !== undefined) {
    filter.paused_at_ms = null;
    filter['state.status'] = status;
  }
  if (type !== undefined) filter.type = type;
  if (tag !== undefined) filter.tags = tag;
  if (q !== undefined) {
    const part = { $regex: q.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), $options: 'i' };
    filter.$or = [{ name: part }, { url: part }];
  }
  return filter;
}
