import type { AnyBulkWriteOperation, Db, Filter } from 'mongodb';
import type { PageRequest } from '../http/paging.js';
import { newestFirstBy } from '../storage/cursor.js';
import type { Transaction } from '../storage/transaction.js';
import type { AuditAction } from './actions.js';
import type { AuditDocument, AuditHeadDocument } from './documents.js';
import { trimmedStart } from './retention/trim.js';

export interface AuditFilter {
  fromMs: number;
  toMs: number | null;
  action: AuditAction | null;
  /** `usr_…`, an e-mail address, or `system`. */
  actor: string | null;
}

/** A piece of a workspace's chain: ids from `fromId` on and before `beforeId`, which sort in its order. */
export interface AuditRange {
  fromId: string;
  beforeId: string;
  action: AuditAction | null;
  actor: string | null;
}

/** An entry as it comes out of sealing. `replaces` is the id it had, where it came too late to keep it. */
export interface SealedEntry {
  entry: AuditDocument;
  replaces: string | null;
}

export interface AuditStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: AuditDocument): Promise<void>;
  list(workspaceId: string, filter: AuditFilter, page: PageRequest): Promise<AuditDocument[]>;
  /** Sealed entries of a piece of the chain, oldest first, those behind `afterId`: one batch of a walk. */
  sealed(workspaceId: string, range: AuditRange, afterId: string | null, rowsMax: number): Promise<AuditDocument[]>;
  /** Workspaces with entries that wait to be sealed. Over all workspaces: it is the sealer that asks. */
  unsealedWorkspaces(): Promise<string[]>;
  unsealed(tx: Transaction, workspaceId: string, entriesMax: number): Promise<AuditDocument[]>;
  head(tx: Transaction, workspaceId: string): Promise<AuditHeadDocument | null>;
  /** Throws when the chain has moved since `before` was read; then nothing of the transaction stands. */
  advance(
    tx: Transaction,
    before: AuditHeadDocument | null,
    after: AuditHeadDocument,
    sealed: SealedEntry[],
  ): Promise<void>;
  /** Every workspace that has sealed entries, or should have, for `verify`. `head` is null when it is gone. */
  chains(): Promise<{ workspaceId: string; head: AuditHeadDocument | null }[]>;
  /** What is known of one chain's ends at the moment. */
  currentHead(workspaceId: string): Promise<AuditHeadDocument | null>;
  /** Workspaces that have a chain, for retention. */
  chained(): Promise<string[]>;
  /**
   * Deletes the oldest sealed entries whose ids sort before `beforeId`, `entriesMax` at most, and notes where the
   * chain begins now. Returns how many it deleted.
   */
  trim(tx: Transaction, workspaceId: string, beforeId: string, entriesMax: number): Promise<number>;
  /** The sealed entries of a chain in its order, as far as `head` had come when it was read. */
  chain(workspaceId: string, head: AuditHeadDocument | null): AsyncIterable<AuditDocument>;
}

export function createAuditStore(db: Db): AuditStore {
  const entries = db.collection<AuditDocument>('audit_log');
  const heads = db.collection<AuditHeadDocument>('audit_heads');

  return {
    async ensureIndexes() {
      await entries.createIndex(pageOrder([]));
      await entries.createIndex(pageOrder(['action']));
      // An actor is asked for by id or by e-mail address, and either may be asked for with an action.
      for (const actor of ['actor.id', 'actor.email']) {
        await entries.createIndex(pageOrder([actor]));
        await entries.createIndex(pageOrder([actor, 'action']));
      }
      await entries.createIndex(CHAIN_ORDER);
      await entries.createIndex(
        { unsealed: 1, workspace_id: 1, _id: 1 },
        { partialFilterExpression: { unsealed: true } },
      );
    },
    async insert(tx, document) {
      await entries.insertOne(document, { session: tx.session });
    },
    list(workspaceId, filter, page) {
      const { filter: after, sort } = newestFirstBy('at_ms', page.after);
      const range = { $gte: filter.fromMs, ...(filter.toMs === null ? {} : { $lte: filter.toMs }) };
      return (
        entries
          .find({ $and: [{ workspace_id: workspaceId, at_ms: range, ...about(filter) }, after] })
          .sort(sort)
          // The planner tries several indexes and keeps to one that was good for another action or actor.
          .hint(pageOrder(Object.keys(about(filter))))
          .limit(page.rowsMax)
          .toArray()
      );
    },
    sealed(workspaceId, range, afterId, rowsMax) {
      const ids = afterId === null ? { $gte: range.fromId } : { $gt: afterId };
      return (
        entries
          .find({ workspace_id: workspaceId, _id: { ...ids, $lt: range.beforeId }, ...SEALED, ...about(range) })
          .sort({ _id: 1 })
          // Or the planner might take the index of an action, and sort all that it finds for each batch anew.
          .hint(CHAIN_ORDER)
          .limit(rowsMax)
          .toArray()
      );
    },
    unsealedWorkspaces: () => entries.distinct('workspace_id', { unsealed: true }),
    unsealed: (tx, workspaceId, entriesMax) =>
      entries
        .find({ unsealed: true, workspace_id: workspaceId }, { session: tx.session })
        .sort({ _id: 1 })
        .limit(entriesMax)
        .toArray(),
    head: (tx, workspaceId) => heads.findOne({ _id: workspaceId }, { session: tx.session }),
    async advance(tx, before, after, sealed) {
      if (before === null) {
        await heads.insertOne(after, { session: tx.session });
      } else {
        const { _id, ...moved } = after;
        const done = await heads.updateOne(
          { _id, count: before.count, fence: { $lte: after.fence } },
          { $set: moved },
          { session: tx.session },
        );
        if (done.matchedCount !== 1) throw new Error(`The audit chain of ${_id} has moved.`);
      }
      await entries.bulkWrite(sealingWrites(after._id, sealed), { session: tx.session, ordered: true });
    },
    async chains() {
      // Entries first: a workspace whose first entries are sealed meanwhile has its head by then.
      const sealed = await entries.distinct('workspace_id', SEALED);
      const known = new Map((await heads.find().toArray()).map((head) => [head._id, head]));
      const workspaceIds = [...new Set([...known.keys(), ...sealed])].sort();
      return workspaceIds.map((workspaceId) => ({ workspaceId, head: known.get(workspaceId) ?? null }));
    },
    currentHead: (workspaceId) => heads.findOne({ _id: workspaceId }),
    chained: () => heads.distinct('_id'),
    async trim(tx, workspaceId, beforeId, entriesMax) {
      const options = { session: tx.session, projection: { hash: 1, previous_hash: 1 }, sort: { _id: 1 } } as const;
      const ofChain = { workspace_id: workspaceId, ...SEALED };
      const head = await heads.findOne({ _id: workspaceId }, { session: tx.session });
      const due = await entries
        .find({ ...ofChain, _id: { $lt: beforeId } }, options)
        .limit(entriesMax)
        .toArray();
      const last = due.at(-1);
      if (head === null || last === undefined) return 0;
      const next = await entries.findOne({ ...ofChain, _id: { $gt: last._id } }, options);
      const start = trimmedStart(head, due, next);
      // The sealer writes to the same document: of two at once one runs again.
      const noted = await heads.updateOne({ _id: workspaceId }, { $set: { start } }, { session: tx.session });
      const ids = due.map(({ _id }) => _id);
      const gone = await entries.deleteMany({ ...ofChain, _id: { $in: ids } }, { session: tx.session });
      if (noted.matchedCount !== 1 || gone.deletedCount !== due.length) {
        throw new Error(`The audit chain of ${workspaceId} has changed.`);
      }
      return due.length;
    },
    chain(workspaceId, head) {
      const upToHead = head === null ? {} : { _id: { $lte: head.last_id } };
      return entries.find({ workspace_id: workspaceId, ...upToHead, ...SEALED }).sort({ _id: 1 });
    },
  };
}

const SEALED = { hash: { $type: 'string' } } as const;
const CHAIN_ORDER = { workspace_id: 1, _id: 1 } as const;

/** The index of pages that are filtered by these members, an actor before an action. */
function pageOrder(members: readonly string[]): Record<string, 1 | -1> {
  const asked = Object.fromEntries(members.map((member) => [member, 1 as const]));
  return { workspace_id: 1, ...asked, at_ms: -1, _id: -1 };
}

/** What the filter asks for, an actor before an action. */
function about({ action, actor }: { action: AuditAction | null; actor: string | null }): Filter<AuditDocument> {
  const byAction = action === null ? {} : { action };
  if (actor === null) return byAction;
  return actor.startsWith('usr_')
    ? { 'actor.id': actor, ...byAction }
    : { 'actor.email': actor.toLowerCase(), ...byAction };
}

/** The writes that put sealed entries in the place of the waiting ones. */
function sealingWrites(workspaceId: string, sealed: SealedEntry[]): AnyBulkWriteOperation<AuditDocument>[] {
  return sealed.flatMap(({ entry, replaces }): AnyBulkWriteOperation<AuditDocument>[] => {
    const filter = { _id: replaces ?? entry._id, workspace_id: workspaceId, unsealed: true } as const;
    if (replaces !== null) return [{ deleteOne: { filter } }, { insertOne: { document: entry } }];
    const { hash, previous_hash } = entry;
    return [{ updateOne: { filter, update: { $set: { hash, previous_hash }, $unset: { unsealed: '' } } } }];
  });
}
