import type { Collection, Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { OutboxRow } from '../documents.js';
import { type OutboxQueueStore, outboxQueueStore } from './outbox-queue-store.js';
import type { OutboxRowHead } from './rows.js';

export interface OutboxStore extends OutboxQueueStore {
  ensureIndexes(): Promise<void>;
  /** Returns the rows of the incidents. */
  ofIncidents(workspaceId: string, incidentIds: readonly string[], tx?: Transaction): Promise<OutboxRowHead[]>;
  /** Returns the `opened` rows and the leased rows of these incidents for the channel. */
  siblings(workspaceId: string, channelId: string, incidentIds: readonly string[]): Promise<OutboxRowHead[]>;
  /** Inserts new rows. Throws E11000 or a write conflict if a concurrent transaction inserts one of them. */
  insert(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Inserts the rows that do not exist. Idempotent. */
  insertMissing(rows: readonly OutboxRow[]): Promise<void>;
  /** Replaces rows that were withdrawn before their first attempt; skips other rows. */
  revive(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Withdraws those of the rows that were not attempted yet. */
  withdraw(tx: Transaction, workspaceId: string, ids: readonly string[], reason: string, nowMs: number): Promise<void>;
  /** Removes rows, for reminders that exceed the number to keep. */
  remove(workspaceId: string, ids: readonly string[]): Promise<void>;
}

const HEAD = { snapshot: 0 } as const;
/** The server returns all rows of a batch of incidents in one response. */
const ROWS_PER_RESPONSE = 1_000;

export function createOutboxStore(db: Db): OutboxStore {
  const outbox: Collection<OutboxRow> = db.collection('outbox');
  return {
    async ensureIndexes() {
      const pending = { partialFilterExpression: { state: 'pending' } };
      const retrying = { partialFilterExpression: { state: 'pending', waiting: 'retry' } };
      await outbox.createIndexes([
        // Most rows are final, and these three indexes do not contain them.
        { key: { state: 1, channel_id: 1, next_attempt_ms: 1, sequence: 1 }, name: 'waiting', ...pending },
        { key: { channel_id: 1, next_attempt_ms: 1 }, name: 'retrying', ...retrying },
        { key: { lease_until: 1 }, name: 'leased', partialFilterExpression: { state: 'leased' } },
        { key: { incident_id: 1, channel_id: 1 } },
      ]);
    },
    ofIncidents(workspaceId, incidentIds, tx) {
      const filter = { incident_id: { $in: [...incidentIds] }, workspace_id: workspaceId };
      const rows = outbox.find(filter, tx === undefined ? {} : { session: tx.session });
      return rows.batchSize(ROWS_PER_RESPONSE).project<OutboxRowHead>(HEAD).toArray();
    },
    siblings(workspaceId, channelId, incidentIds) {
      const relevant = [{ event: 'opened' as const }, { state: 'leased' as const }];
      const filter = { incident_id: { $in: [...incidentIds] }, channel_id: channelId, workspace_id: workspaceId };
      return outbox
        .find({ ...filter, $or: relevant })
        .project<OutboxRowHead>(HEAD)
        .toArray();
    },
    async insert(tx, rows) {
      if (rows.length > 0) await outbox.insertMany([...rows], { session: tx.session });
    },
    async insertMissing(rows) {
      if (rows.length === 0) return;
      const upserts = rows.map(({ _id, ...fresh }) => {
        return { updateOne: { filter: { _id }, update: { $setOnInsert: fresh }, upsert: true } };
      });
      await outbox.bulkWrite(upserts, { ordered: false });
    },
    async revive(tx, rows) {
      if (rows.length === 0) return;
      const revivals = rows.map(({ _id, fence: _fence, ...fresh }) => {
        return { updateOne: { filter: { _id, state: 'withdrawn' as const }, update: { $set: fresh } } };
      });
      await outbox.bulkWrite(revivals, { session: tx.session, ordered: false });
    },
    async withdraw(tx, workspaceId, ids, reason, nowMs) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId, state: 'pending' as const, attempts: 0 };
      const set = { state: 'withdrawn' as const, error: reason, finished_ms: nowMs };
      await outbox.updateMany(filter, { $set: set }, { session: tx.session });
    },
    async remove(workspaceId, ids) {
      if (ids.length > 0) await outbox.deleteMany({ _id: { $in: [...ids] }, workspace_id: workspaceId });
    },
    ...outboxQueueStore(outbox),
  };
}
