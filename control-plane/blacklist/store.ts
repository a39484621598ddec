import type { Collection, Db, Filter } from 'mongodb';
import { containing } from '../storage/containing.js';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistDirectory, ListedMonitor } from './blacklist.js';
import type { BlacklistMonitorDocument } from './documents.js';

/** See `BlacklistMonitor.status` in the schema. */
export type MonitorStatus = 'listed' | 'clean' | 'unknown';

export interface MonitorFilter {
  status?: MonitorStatus;
  /** Part of the target, case-insensitive. */
  q?: string;
}

/** The fields that a check writes. */
export type CheckedState = Pick<BlacklistMonitorDocument, 'listings' | 'last' | 'results' | 'not_asked' | 'next_at_ms'>;

export type MonitorChange = Pick<BlacklistMonitorDocument, 'frequency' | 'next_at_ms' | 'updated_at_ms'>;

export interface BlacklistMonitorStore extends BlacklistDirectory {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, monitor: BlacklistMonitorDocument): Promise<void>;
  /** Newest first, after `afterId`. */
  list(
    workspaceId: string,
    filter: MonitorFilter,
    afterId: string | null,
    rowsMax: number,
  ): Promise<BlacklistMonitorDocument[]>;
  /** Updates the fields that users can change. Resolves to null if the monitor has another version. */
  change(
    tx: Transaction,
    monitor: BlacklistMonitorDocument,
    change: MonitorChange,
  ): Promise<BlacklistMonitorDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
  /** Returns the id of the monitor of this target; null without one. */
  idOfTarget(tx: Transaction, workspaceId: string, target: string): Promise<string | null>;
  /** Returns the monitors of all workspaces that are due, the longest due first. */
  due(nowMs: number, limit: number): Promise<BlacklistMonitorDocument[]>;
  /** Delays the next check of a monitor that is due, unless it was changed or checked since it was read. */
  postpone(monitor: BlacklistMonitorDocument, untilMs: number): Promise<void>;
  /**
   * Saves the results of a check of `monitor`. Resolves to null if it was deleted, or checked since it was read. If its
   * frequency changed since then, the time of the next check stays as that change has set it.
   */
  saveCheck(
    tx: Transaction,
    monitor: BlacklistMonitorDocument,
    found: CheckedState,
  ): Promise<BlacklistMonitorDocument | null>;
}

const LISTED = { workspace_id: 1, target: 1, listings: 1 } as const;
const IS_LISTED = { 'listings.policy': false } as const;

export function createBlacklistMonitorStore(db: Db): BlacklistMonitorStore {
  const monitors = db.collection<BlacklistMonitorDocument>('blacklist_monitors');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await monitors.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { next_at_ms: 1 } },
        { key: { 'listings.policy': 1, _id: 1 }, partialFilterExpression: IS_LISTED },
      ]);
    },
    named: createNamedCounts(monitors, ({ target }) => target),
    async insert(tx, monitor) {
      await monitors.insertOne(monitor, { session: tx.session });
    },
    find: (workspaceId, id, tx) => monitors.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findMany: (workspaceId, ids, tx) =>
      monitors
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx))
        .project<ListedMonitor>(LISTED)
        .toArray(),
    listed(afterId, limit) {
      const rest = afterId === null ? {} : { _id: { $gt: afterId } };
      return monitors
        .find({ ...IS_LISTED, ...rest })
        .project<ListedMonitor>(LISTED)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
    },
    list(workspaceId, filter, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return monitors
        .find({ ...mongoFilter(workspaceId, filter), ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    change: (tx, monitor, change) =>
      monitors.findOneAndUpdate(
        { _id: monitor._id, workspace_id: monitor.workspace_id, version: monitor.version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await monitors.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    lockAndCount: createLockAndCount(db, 'blacklist', (tx, workspaceId, max) =>
      monitors.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    async idOfTarget(tx, workspaceId, target) {
      const found = await monitors.findOne(
        { workspace_id: workspaceId, target },
        { session: tx.session, projection: { _id: 1 } },
      );
      return found?._id ?? null;
    },
    ...checkQueries(monitors),
  };
}

function checkQueries(
  monitors: Collection<BlacklistMonitorDocument>,
): Pick<BlacklistMonitorStore, 'due' | 'postpone' | 'saveCheck'> {
  return {
    due: (nowMs, limit) =>
      monitors
        .find({ next_at_ms: { $lte: nowMs } })
        .sort({ next_at_ms: 1 })
        .limit(limit)
        .toArray(),
    async postpone({ _id, workspace_id, checks, next_at_ms }, untilMs) {
      await monitors.updateOne({ _id, workspace_id, checks, next_at_ms }, { $set: { next_at_ms: untilMs } });
    },
    saveCheck(tx, monitor, { next_at_ms, ...found }) {
      const asScheduled = { $eq: ['$frequency', monitor.frequency] };
      // Without $literal, a pipeline treats text that starts with `$` as the name of a field.
      const set = {
        ...Object.fromEntries(Object.entries(found).map(([field, value]) => [field, { $literal: value }])),
        next_at_ms: { $cond: [asScheduled, next_at_ms, '$next_at_ms'] },
        checks: { $add: ['$checks', 1] },
      };
      return monitors.findOneAndUpdate(
        { _id: monitor._id, workspace_id: monitor.workspace_id, checks: monitor.checks },
        [{ $set: set }],
        { session: tx.session, returnDocument: 'after' },
      );
    },
  };
}

function mongoFilter(workspaceId: string, { status, q }: MonitorFilter): Filter<BlacklistMonitorDocument> {
  const filter: Filter<BlacklistMonitorDocument> = { workspace_id: workspaceId };
  if (status === 'listed') filter['listings.policy'] = false;
  else if (status !== undefined) {
    filter['listings.policy'] = { $ne: false };
    const isAnswered = { 'last.responding': { $gt: 0 }, 'last.rating': { $ne: 'unresolvable' } } as const;
    if (status === 'clean') Object.assign(filter, isAnswered);
    else filter.$nor = [isAnswered];
  }
  if (q !== undefined) filter.target = containing(q);
  return filter;
}
