import type { Db } from 'mongodb';
import type { Transaction } from '../../../storage/transaction.js';
import type { BroadcastDocument } from '../documents.js';

/** What is sent to the subscribers of pages, and how far each sending is. */
export interface BroadcastStore {
  ensureIndexes(): Promise<void>;
  /** Returns those of the ids that are stored, each with when it is removed. */
  known(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  keep(workspaceId: string, ids: readonly string[], until: Date): Promise<void>;
  /** Throws E11000 for an event that is stored. */
  insert(tx: Transaction, broadcasts: readonly BroadcastDocument[]): Promise<void>;
  oldestOpen(workspaceId: string, pageId: string): Promise<BroadcastDocument | null>;
  /** Moves the cursor on, or ends the sending. Resolves to false if another control plane has moved it since it was read. */
  advance(
    tx: Transaction,
    broadcast: BroadcastDocument,
    to: { cursor: string | null; written: number; isEnd: boolean },
  ): Promise<boolean>;
  hasOpen(tx: Transaction, workspaceId: string, pageId: string): Promise<boolean>;
  /** An incident of people was deleted: what is not sent of it is not sent. */
  removeOfIncident(tx: Transaction, workspaceId: string, incidentId: string): Promise<void>;
  removeOfPage(workspaceId: string, pageId: string): Promise<void>;
}

export function createBroadcastStore(db: Db): BroadcastStore {
  const broadcasts = db.collection<BroadcastDocument>('status_page_broadcasts');
  return {
    async ensureIndexes() {
      await broadcasts.createIndexes([
        { key: { workspace_id: 1 } },
        { key: { page_id: 1, at_ms: 1, _id: 1 }, partialFilterExpression: { open: true } },
        { key: { page_id: 1 }, name: 'of_page' },
        { key: { incident_id: 1 }, partialFilterExpression: { incident_id: { $type: 'string' } } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async known(workspaceId, ids) {
      if (ids.length === 0) return new Map();
      const found = await broadcasts
        .find({ _id: { $in: [...ids] }, workspace_id: workspaceId }, { projection: { expires_at: 1 } })
        .toArray();
      return new Map(found.map(({ _id, expires_at }) => [_id, expires_at]));
    },
    async keep(workspaceId, ids, until) {
      if (ids.length === 0) return;
      await broadcasts.updateMany(
        { _id: { $in: [...ids] }, workspace_id: workspaceId },
        { $set: { expires_at: until } },
      );
    },
    async insert(tx, rows) {
      if (rows.length > 0) await broadcasts.insertMany([...rows], { session: tx.session });
    },
    oldestOpen: (workspaceId, pageId) =>
      broadcasts.findOne({ page_id: pageId, workspace_id: workspaceId, open: true }, { sort: { at_ms: 1, _id: 1 } }),
    async advance(tx, { _id, workspace_id, cursor }, to) {
      const { matchedCount } = await broadcasts.updateOne(
        { _id, workspace_id, cursor, open: true },
        {
          $set: { cursor: to.cursor, ...(to.isEnd ? { event: null } : {}) },
          $inc: { written: to.written },
          ...(to.isEnd ? { $unset: { open: '' } } : {}),
        },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    async hasOpen(tx, workspaceId, pageId) {
      const open = { page_id: pageId, workspace_id: workspaceId, open: true } as const;
      return (await broadcasts.countDocuments(open, { session: tx.session, limit: 1 })) === 1;
    },
    async removeOfIncident(tx, workspaceId, incidentId) {
      const unsent = { incident_id: incidentId, workspace_id: workspaceId };
      await broadcasts.deleteMany(unsent, { session: tx.session });
    },
    async removeOfPage(workspaceId, pageId) {
      await broadcasts.deleteMany({ page_id: pageId, workspace_id: workspaceId });
    },
  };
}
