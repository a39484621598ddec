import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { OutboxRow } from '../documents.js';
import { type OutboxQueueStore, outboxQueueStore } from './outbox-queue-store.js';
import { RETRY_FOR_MS } from './retry.js';
import type { OutboxRowHead } from './rows.js';

/** The id of a document with its workspace. One call can be about documents of many workspaces. */
interface Owned {
  _id: string;
  workspace_id: string;
}

export interface OutboxStore extends OutboxQueueStore {
  ensureIndexes(): Promise<void>;
  /** Returns the rows of the incidents. */
  ofIncidents(workspaceId: string, incidentIds: readonly string[], tx?: Transaction): Promise<OutboxRowHead[]>;
  /** Returns the rows of incidents of any workspaces. */
  ofAll(tx: Transaction, incidents: readonly Owned[]): Promise<OutboxRowHead[]>;
  /** Returns the `opened` rows and the leased rows of these incidents for the channel. */
  siblings(workspaceId: string, channelId: string, incidentIds: readonly string[]): Promise<OutboxRowHead[]>;
  /** Inserts new rows. Throws E11000 or a write conflict if a concurrent transaction inserts one of them. */
  insert(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Inserts the rows that do not exist. Idempotent. */
  insertMissing(rows: readonly OutboxRow[]): Promise<void>;
  /** Replaces rows that were withdrawn before their first attempt; skips other rows. */
  revive(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Makes pending rows due at another time. A control plane that claims one of them at the same moment conflicts with this,
   * so it decides by the incident as it is after the transaction.
   */
  move(tx: Transaction, moves: readonly (Owned & { dueMs: number })[]): Promise<void>;
  /**
   * Notes the end of a silence on those of the rows that are not final. A control plane that claims or withdraws one of
   * them at the same moment conflicts with this.
   */
  unsilence(tx: Transaction, rows: readonly Owned[], nowMs: number): Promise<void>;
  /** Withdraws those of the rows that were not attempted yet. */
  withdraw(tx: Transaction, rows: readonly Owned[], reason: string, nowMs: number): Promise<void>;
  /** Removes rows, for reminders that exceed the number to keep. */
  remove(workspaceId: string, ids: readonly string[]): Promise<void>;
}

const HEAD = { snapshot: 0 } as const;
/** The server returns all rows of a batch of incidents in one response. */
const ROWS_PER_RESPONSE = 1_000;

export function createOutboxStore(db: Db, clock: Pick<Clock, 'monotonic'>): OutboxStore {
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
    ofAll(tx, incidents) {
      const filter = { incident_id: { $in: incidents.map(({ _id }) => _id) }, workspace_id: workspacesOf(incidents) };
      const rows = outbox.find(filter, { session: tx.session });
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
    async move(tx, moves) {
      if (moves.length === 0) return;
      const updates = moves.map(({ _id, workspace_id, dueMs }) => {
        const set = { next_attempt_ms: dueMs, first_due_ms: dueMs, give_up_ms: dueMs + RETRY_FOR_MS };
        return { updateOne: { filter: { _id, workspace_id, state: 'pending' as const }, update: { $set: set } } };
      });
      await outbox.bulkWrite(updates, { session: tx.session, ordered: false });
    },
    async unsilence(tx, rows, nowMs) {
      if (rows.length === 0) return;
      const states = { $in: ['pending' as const, 'leased' as const] };
      await outbox.updateMany(
        { ...these(rows), state: states },
        { $set: { unsilenced_ms: nowMs } },
        { session: tx.session },
      );
    },
    async withdraw(tx, rows, reason, nowMs) {
      if (rows.length === 0) return;
      const filter = { ...these(rows), state: 'pending' as const, attempts: 0 };
      const set = { state: 'withdrawn' as const, error: reason, finished_ms: nowMs };
      await outbox.updateMany(filter, { $set: set }, { session: tx.session });
    },
    async remove(workspaceId, ids) {
      if (ids.length > 0) await outbox.deleteMany({ _id: { $in: [...ids] }, workspace_id: workspaceId });
    },
    ...outboxQueueStore(db.client, outbox, clock),
  };
}

/** Ids are unique among all workspaces, so no document of another one matches. */
function these(documents: readonly Owned[]) {
  return { _id: { $in: documents.map(({ _id }) => _id) }, workspace_id: workspacesOf(documents) };
}

function workspacesOf(documents: readonly Owned[]) {
  return { $in: [...new Set(documents.map(({ workspace_id }) => workspace_id))] };
}
