import type { Db, Filter } from 'mongodb';
import { createEntriesById, type EntriesById } from '../storage/entries-by-id.js';
import { newestFirstBy, type PageRequest, type TimePosition } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { AuditAction } from './audit.js';
import { type AuditChainStore, createAuditChainStore, SEALED } from './chain/store.js';
import type { AuditDocument } from './documents.js';
import { type AuditRetentionStore, createAuditRetentionStore } from './retention/store.js';

export interface AuditFilter {
  fromMs: number;
  toMs: number | null;
  action: AuditAction | null;
  /** `usr_…`, an e-mail address, or `system`. */
  actor: string | null;
}

/** A section of a workspace's chain: ids from `fromId` (included) to `beforeId` (excluded). Ids sort in chain order. */
export interface AuditRange {
  fromId: string;
  beforeId: string;
  action: AuditAction | null;
  actor: string | null;
}

export interface AuditStore extends AuditChainStore, AuditRetentionStore {
  ensureIndexes(): Promise<void>;
  /** The entries of all workspaces, sealed or not. */
  entriesById: EntriesById<AuditDocument>;
  insert(tx: Transaction, documents: readonly AuditDocument[]): Promise<void>;
  /** Returns how many entries an actor has written with an action since then, counted up to `entriesMax`. */
  countOf(
    tx: Transaction,
    of: { workspaceId: string; email: string; action: AuditAction; sinceMs: number },
    entriesMax: number,
  ): Promise<number>;
  /** Newest first. */
  list(workspaceId: string, filter: AuditFilter, page: PageRequest<TimePosition>): Promise<AuditDocument[]>;
  /** Returns the entries about one object, newest first. */
  listOfResource(
    workspaceId: string,
    resourceId: string,
    range: { fromMs: number; toMs: number | null },
    page: PageRequest<TimePosition>,
  ): Promise<AuditDocument[]>;
  /** Returns one batch of the sealed entries of a range, oldest first, starting after `afterId`. */
  sealed(workspaceId: string, range: AuditRange, afterId: string | null, rowsMax: number): Promise<AuditDocument[]>;
}

export function createAuditStore(db: Db): AuditStore {
  const entries = db.collection<AuditDocument>('audit_log');
  return {
    ...createAuditChainStore(db),
    ...createAuditRetentionStore(db),
    entriesById: createEntriesById(entries, (entry) => entry),
    async ensureIndexes() {
      await entries.createIndex(pageOrder([]));
      await entries.createIndex(pageOrder(['action']));
      // A filter names an actor by id or by e-mail address, each with or without an action.
      for (const actor of ['actor.id', 'actor.email']) {
        await entries.createIndex(pageOrder([actor]));
        await entries.createIndex(pageOrder([actor, 'action']));
      }
      await entries.createIndex(OF_RESOURCE);
      await entries.createIndex(CHAIN_ORDER);
      await entries.createIndex(
        { unsealed: 1, workspace_id: 1, _id: 1 },
        { partialFilterExpression: { unsealed: true } },
      );
    },
    async insert(tx, documents) {
      await entries.insertMany([...documents], { session: tx.session });
    },
    countOf(tx, { workspaceId, email, action, sinceMs }, entriesMax) {
      const filter = { workspace_id: workspaceId, 'actor.email': email, action, at_ms: { $gte: sinceMs } };
      const hint = pageOrder(['actor.email', 'action']);
      return entries.countDocuments(filter, { session: tx.session, limit: entriesMax, hint });
    },
    list(workspaceId, filter, page) {
      const { filter: after, sort } = newestFirstBy('at_ms', page.after);
      const matching = mongoFilter(filter);
      return (
        entries
          .find({ $and: [{ workspace_id: workspaceId, at_ms: timeRange(filter), ...matching }, after] })
          .sort(sort)
          // Without a hint, the planner keeps using the index that was best for another action or actor.
          .hint(pageOrder(Object.keys(matching)))
          .limit(page.rowsMax)
          .toArray()
      );
    },
    listOfResource(workspaceId, resourceId, range, page) {
      const { filter: after, sort } = newestFirstBy('at_ms', page.after);
      return entries
        .find({ $and: [{ workspace_id: workspaceId, 'resource.id': resourceId, at_ms: timeRange(range) }, after] })
        .sort(sort)
        .hint(OF_RESOURCE)
        .limit(page.rowsMax)
        .toArray();
    },
    sealed(workspaceId, range, afterId, rowsMax) {
      const ids = afterId === null ? { $gte: range.fromId } : { $gt: afterId };
      return (
        entries
          .find({ workspace_id: workspaceId, _id: { ...ids, $lt: range.beforeId }, ...SEALED, ...mongoFilter(range) })
          .sort({ _id: 1 })
          // Without a hint, the planner may take the index of an action and sort all matches again for each batch.
          .hint(CHAIN_ORDER)
          .limit(rowsMax)
          .toArray()
      );
    },
  };
}

function timeRange({ fromMs, toMs }: { fromMs: number; toMs: number | null }) {
  return { $gte: fromMs, ...(toMs === null ? {} : { $lte: toMs }) };
}

const CHAIN_ORDER = { workspace_id: 1, _id: 1 } as const;

/** Returns the index for pages filtered by these fields, with an actor before an action. */
function pageOrder(fields: readonly string[]): Record<string, 1 | -1> {
  const filtered = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  return { workspace_id: 1, ...filtered, at_ms: -1, _id: -1 };
}

const OF_RESOURCE = pageOrder(['resource.id']);

/** Returns the MongoDB filter for an actor and an action; its fields are in the order of `pageOrder`. */
function mongoFilter({ action, actor }: { action: AuditAction | null; actor: string | null }): Filter<AuditDocument> {
  const byAction = action === null ? {} : { action };
  if (actor === null) return byAction;
  return actor.startsWith('usr_')
    ? { 'actor.id': actor, ...byAction }
    : { 'actor.email': actor.toLowerCase(), ...byAction };
}
