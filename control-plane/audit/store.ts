import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { PageRequest } from '../http/paging.js';
import { newestFirstBy } from '../storage/cursor.js';
import type { Transaction } from '../storage/transaction.js';
import type { AuditAction } from './actions.js';
import type { AuditDocument, AuditHeadDocument } from './documents.js';

export interface AuditFilter {
  fromMs: number;
  toMs: number | null;
  action: AuditAction | null;
  /** `usr_…`, an e-mail address, or `system`. */
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
  /** The sealed entries of a chain in its order, as far as `head` had come when it was read. */
  chain(workspaceId: string, head: AuditHeadDocument | null): AsyncIterable<AuditDocument>;
}

export function createAuditStore(db: Db): AuditStore {
  const entries = db.collection<AuditDocument>('audit_log');
  const heads = db.collection<AuditHeadDocument>('audit_heads');

  return {
    async ensureIndexes() {
      await entries.createIndex({ workspace_id: 1, at_ms: -1, _id: -1 });
      await entries.createIndex({ workspace_id: 1, action: 1, at_ms: -1, _id: -1 });
      await entries.createIndex({ workspace_id: 1, _id: 1 });
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
      const byAction = filter.action === null ? {} : { action: filter.action };
      const byActor =
        filter.actor === null
          ? {}
          : filter.actor.startsWith('usr_')
            ? { 'actor.id': filter.actor }
            : { 'actor.email': filter.actor.toLowerCase() };
      return entries
        .find({ $and: [{ workspace_id: workspaceId, at_ms: range, ...byAction, ...byActor }, after] })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
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
      const sealed = await entries.distinct('workspace_id', { hash: { $type: 'string' } });
      const known = new Map((await heads.find().toArray()).map((head) => [head._id, head]));
      const workspaceIds = [...new Set([...known.keys(), ...sealed])].sort();
      return workspaceIds.map((workspaceId) => ({ workspaceId, head: known.get(workspaceId) ?? null }));
    },
    chain(workspaceId, head) {
      const upToHead = head === null ? {} : { _id: { $lte: head.last_id } };
      return entries.find({ workspace_id: workspaceId, ...upToHead, hash: { $type: 'string' } }).sort({ _id: 1 });
    },
  };
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
