import { isDeepStrictEqual } from 'node:util';
import type { Collection, Db, Filter, WithId } from 'mongodb';
import { containing } from '../storage/containing.js';
import { createQuotaLock, type LockQuota } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import { createDirectoryReads, type DirectoryReads } from './directory/directory-store.js';
import type { MonitorChange, MonitorDocument } from './documents.js';
import { type ChannelReferenceReads, createChannelReferenceReads } from './many/channel-references-store.js';
import type { BulkMonitors, ManyMonitors } from './monitors.js';
import { createDependencyReads, type DependencyReads } from './parents/store.js';
import type { MonitorFilter } from './schema.js';
import { createSummaryReads, type SummaryReads } from './summary/store.js';
import { createHeldRoom, type HeldRoom } from './terms/held-store.js';
import { createQuotaReads, type QuotaReads } from './terms/quota-store.js';
import { createTermsStore, type TermsStore } from './terms/store.js';
import { createTotalsReads, type TotalsReads } from './totals/store.js';
import { createWatchedReads, type WatchedReads } from './watched/store.js';
import { createTargetReads, type TargetReads } from './watched/targets-store.js';

/** The fields that name a monitor in a notification. */
export type MonitorNames = Pick<MonitorDocument, '_id' | 'name' | 'url' | 'type'>;

export interface MonitorStore
  extends DirectoryReads,
    TermsStore,
    QuotaReads,
    HeldRoom,
    SummaryReads,
    TotalsReads,
    ChannelReferenceReads,
    WatchedReads,
    DependencyReads,
    TargetReads,
    Pick<BulkMonitors, 'listOldest' | 'findByNames'>,
    Pick<ManyMonitors, 'select' | 'versionsOf'> {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, monitors: MonitorDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<MonitorDocument | null>;
  /** Returns them in no order. */
  findMany(workspaceId: string, ids: readonly string[]): Promise<MonitorDocument[]>;
  /** Returns only the fields that name them, in no order. */
  findNames(workspaceId: string, ids: readonly string[]): Promise<MonitorNames[]>;
  /** Returns their tags, in no order. */
  tagsOf(
    workspaceId: string,
    ids: readonly string[],
    tx?: Transaction,
  ): Promise<Pick<MonitorDocument, '_id' | 'tags'>[]>;
  /** Returns the newest first, those older than `afterId`. */
  list(workspaceId: string, filter: MonitorFilter, afterId: string | null, rowsMax: number): Promise<MonitorDocument[]>;
  /**
   * Writes changes with the next `version`, and the next `revision` of the state, so that an evaluation that began before
   * a change is discarded. Resolves to false when one of the monitors is outdated in version or revision.
   */
  changeAll(
    tx: Transaction,
    workspaceId: string,
    changes: readonly { monitor: MonitorDocument; change: MonitorChange }[],
  ): Promise<boolean>;
  /** Resolves to how many of them it removed. */
  removeAll(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<number>;
  /** Returns how many monitors the workspace has, at most `max`. */
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  lockQuota: LockQuota;
  /** Whether a monitor of any workspace is checked from the location, or would be with a larger plan. */
  isCheckedFrom(tx: Transaction, location: string): Promise<boolean>;
}

/** Monitors of a selection that are in memory at a time. */
const SELECTED_PER_BATCH = 500;

/** Stored text is valid UTF-8 because Picket wrote it. Validating it again takes a fifth of the time of a page. */
const TRUSTED_TEXT = { enableUtf8Validation: false } as const;

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
        {
          key: { workspace_id: 1, channels: 1, _id: 1 },
          name: 'naming_channel',
          // Without those that name none or have every channel.
          partialFilterExpression: { channels: { $gt: '' } },
        },
        { key: { 'state.attention': 1 }, partialFilterExpression: { 'state.attention': true } },
      ]);
    },
    async insert(tx, documents) {
      await monitors.insertMany(documents, { session: tx.session });
    },
    async changeAll(tx, workspaceId, changes) {
      if (changes.length === 0) return true;
      const { matchedCount } = await monitors.bulkWrite(
        changes.map(({ monitor, change }) => ({
          updateOne: {
            filter: {
              _id: monitor._id,
              workspace_id: workspaceId,
              version: monitor.version,
              'state.revision': monitor.state.revision,
            },
            update: { $set: written(monitor, change) },
          },
        })),
        { session: tx.session, ordered: false },
      );
      return matchedCount === changes.length;
    },
    async isCheckedFrom(tx, location) {
      // A larger plan would check from those again that a smaller one has left out.
      const named = { $or: [{ locations: location }, { 'wanted.locations': location }] };
      const found = await monitors.findOne(named, { session: tx.session, projection: { _id: 1 } });
      return found !== null;
    },
    async removeAll(tx, workspaceId, ids) {
      if (ids.length === 0) return 0;
      const removed = await monitors.deleteMany(
        { _id: { $in: [...ids] }, workspace_id: workspaceId },
        { session: tx.session },
      );
      return removed.deletedCount;
    },
    lockQuota: createQuotaLock(db, 'monitor'),
    ...createReads(monitors),
    ...createManyReads(monitors),
    ...createDirectoryReads(monitors),
    ...createTermsStore(monitors),
    ...createQuotaReads(monitors),
    ...createHeldRoom(db),
    ...createSummaryReads(monitors),
    ...createTotalsReads(monitors),
    ...createChannelReferenceReads(monitors),
    ...createWatchedReads(monitors),
    ...createDependencyReads(monitors),
    ...createTargetReads(monitors),
  };
}

/** Returns the fields that a change writes. Pure. */
function written(monitor: MonitorDocument, change: MonitorChange) {
  const state = { ...(change.state ?? monitor.state), revision: monitor.state.revision + 1 };
  return { ...change, ...tagsPast(monitor, change), state, version: monitor.version + 1 };
}

/** Earlier tags that are kept. What a maintenance window covered is computed again only for as long as raw results are kept. */
const TAGS_PAST_MAX = 20;

function tagsPast({ tags, tags_past = [] }: MonitorDocument, { tags: next, updated_at_ms }: MonitorChange) {
  if (next === undefined || updated_at_ms === undefined || isDeepStrictEqual(tags, next)) return {};
  return { tags_past: [...tags_past, { tags, until_ms: updated_at_ms }].slice(-TAGS_PAST_MAX) };
}

/** Returns the monitor as it is after a change that was written. Pure. */
export function changedMonitor(monitor: MonitorDocument, change: MonitorChange): MonitorDocument {
  return { ...monitor, ...written(monitor, change) };
}

function createReads(
  monitors: Collection<MonitorDocument>,
): Pick<MonitorStore, 'find' | 'findMany' | 'findNames' | 'tagsOf' | 'list' | 'listOldest' | 'findByNames' | 'count'> {
  return {
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
    tagsOf: (workspaceId, ids, tx) =>
      monitors
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, tx === undefined ? {} : { session: tx.session })
        .project<Pick<MonitorDocument, '_id' | 'tags'>>({ tags: 1 })
        .toArray(),
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
    findByNames(tx, workspaceId, names, rowsMax) {
      return monitors
        .find({ workspace_id: workspaceId, name: { $in: [...names] } }, { session: tx.session })
        .sort({ _id: 1 })
        .limit(rowsMax)
        .toArray();
    },
    count(tx, workspaceId, max) {
      return monitors.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max });
    },
  };
}

function createManyReads(monitors: Collection<MonitorDocument>): Pick<MonitorStore, 'select' | 'versionsOf'> {
  return {
    select(workspaceId, selection, rowsMax, tx) {
      const filter =
        'ids' in selection
          ? { workspace_id: workspaceId, _id: { $in: [...selection.ids] } }
          : { ...mongoFilter(workspaceId, selection.filter), _id: { $nin: [...selection.except] } };
      return monitors
        .find(filter, { ...TRUSTED_TEXT, session: tx.session })
        .sort({ _id: 1 })
        .limit(rowsMax)
        .batchSize(SELECTED_PER_BATCH);
    },
    async versionsOf(tx, workspaceId, ids) {
      const found = await monitors
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, { session: tx.session })
        .project<Pick<MonitorDocument, '_id' | 'version' | 'name'>>({ version: 1, name: 1 })
        .toArray();
      return new Map(found.map(({ _id, version, name }) => [_id, { version, name }]));
    },
  };
}

/**
 * Matches URLs whose part before the query contains a text, or with such a part if the text has a query. Values of the query
 * must not be found: those who do not see them could guess them one character after the other.
 */
function containingBeforeQuery(text: string) {
  const { $regex, $options } = containing(text.replace(/(?<=\?).*$/s, ''));
  return { $regex: `^[^?]*?${$regex}`, $options };
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
    filter.$or = [{ name: containing(q) }, { url: containingBeforeQuery(q) }];
  }
  return filter;
}
