import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { AuditDocument, AuditHeadDocument } from '../documents.js';
import type { ChainBreak } from './verify.js';

/** An entry after sealing. `replaces` is its previous id if the entry came too late to keep it, else null. */
export interface SealedEntry {
  entry: AuditDocument;
  replaces: string | null;
}

/** The part of the audit store that reads and extends the hash chains. */
export interface AuditChainStore {
  /** Returns the workspaces with unsealed entries, across all workspaces, because only the sealer calls it. */
  unsealedWorkspaces(): Promise<string[]>;
  unsealed(tx: Transaction, workspaceId: string, entriesMax: number): Promise<AuditDocument[]>;
  head(tx: Transaction, workspaceId: string): Promise<AuditHeadDocument | null>;
  /** Throws, which rolls the transaction back, if the chain has moved since `before` was read. */
  advance(
    tx: Transaction,
    before: AuditHeadDocument | null,
    after: AuditHeadDocument,
    sealed: SealedEntry[],
  ): Promise<void>;
  /** Returns every workspace with a chain or with sealed entries, for `verify`. `head` is null if it is missing. */
  chains(): Promise<{ workspaceId: string; head: AuditHeadDocument | null }[]>;
  /** Reads the head of one chain outside a transaction. */
  currentHead(workspaceId: string): Promise<AuditHeadDocument | null>;
  /** Reads the sealed entries in chain order, up to the entry that `head` names. */
  chain(workspaceId: string, head: AuditHeadDocument | null): AsyncIterable<AuditDocument>;
  /** Like `chain`, but at most `entriesMax` entries after `afterId`; null is the beginning. */
  chainAfter(
    workspaceId: string,
    afterId: string | null,
    head: AuditHeadDocument | null,
    entriesMax: number,
  ): AsyncIterable<AuditDocument>;
  /**
   * Makes transactions that record breaks of this chain run one after the other: they write the same document, so the
   * database repeats all but the first. A chain without head has none to write.
   */
  lockBreaks(tx: Transaction, workspaceId: string): Promise<void>;
  /** Resolves to whether the log says of this problem that it was found; as a transaction sees it, unless it is null. */
  hasBreak(tx: Transaction | null, workspaceId: string, problem: ChainBreak): Promise<boolean>;
}

/** What records a broken chain. */
const BROKEN: AuditDocument['action'] = 'audit.chain_broken';

/** Matches sealed entries. */
export const SEALED = { hash: { $type: 'string' } } as const;

export function createAuditChainStore(db: Db): AuditChainStore {
  const entries = db.collection<AuditDocument>('audit_log');
  const heads = db.collection<AuditHeadDocument>('audit_heads');
  return {
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
      // Entries first: if a workspace's first entries are sealed between the two reads, the second read finds its head.
      const sealed = await entries.distinct('workspace_id', SEALED);
      const known = new Map((await heads.find().toArray()).map((head) => [head._id, head]));
      const workspaceIds = [...new Set([...known.keys(), ...sealed])].sort();
      return workspaceIds.map((workspaceId) => ({ workspaceId, head: known.get(workspaceId) ?? null }));
    },
    currentHead: (workspaceId) => heads.findOne({ _id: workspaceId }),
    async lockBreaks(tx, workspaceId) {
      await heads.updateOne({ _id: workspaceId }, { $inc: { break_reports: 1 } }, { session: tx.session });
    },
    async hasBreak(tx, workspaceId, { kind, id }) {
      const known = [
        // The number of entries is wrong whatever the last entry is.
        { 'metadata.first.kind': kind, ...(kind === 'miscounted' ? {} : { 'metadata.first.entry_id': id }) },
        // After missing entries, the entry that says so is the first that does not follow.
        ...(id === null ? [] : [{ _id: id }]),
      ];
      const filter = { workspace_id: workspaceId, action: BROKEN, $or: known };
      const session = tx === null ? {} : { session: tx.session };
      return (await entries.findOne(filter, { ...session, projection: { _id: 1 } })) !== null;
    },
    chain(workspaceId, head) {
      const upToHead = head === null ? {} : { _id: { $lte: head.last_id } };
      return entries.find({ workspace_id: workspaceId, ...upToHead, ...SEALED }).sort({ _id: 1 });
    },
    chainAfter(workspaceId, afterId, head, entriesMax) {
      const range = { $gt: afterId ?? '', ...(head === null ? {} : { $lte: head.last_id }) };
      return entries
        .find({ workspace_id: workspaceId, _id: range, ...SEALED })
        .sort({ _id: 1 })
        .limit(entriesMax);
    },
  };
}

/** Returns the writes that replace unsealed entries with sealed ones. */
function sealingWrites(workspaceId: string, sealed: SealedEntry[]): AnyBulkWriteOperation<AuditDocument>[] {
  return sealed.flatMap(({ entry, replaces }): AnyBulkWriteOperation<AuditDocument>[] => {
    const filter = { _id: replaces ?? entry._id, workspace_id: workspaceId, unsealed: true } as const;
    if (replaces !== null) return [{ deleteOne: { filter } }, { insertOne: { document: entry } }];
    const { hash, previous_hash } = entry;
    return [{ updateOne: { filter, update: { $set: { hash, previous_hash }, $unset: { unsealed: '' } } } }];
  });
}
