import type { Collection, Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { OutboxRow } from './documents.js';

/** What the policy needs of a row, without the incident that it carries. */
export type OutboxRowHead = Omit<OutboxRow, 'incident'>;

/** What a finished or postponed attempt writes. */
export interface OutboxNote {
  state: 'pending' | 'sent' | 'failed' | 'withdrawn';
  nextAttemptMs: number;
  refusals: number;
  error: string | null;
  finishedMs: number | null;
}

export interface OutboxStore {
  ensureIndexes(): Promise<void>;
  /** The rows of an incident that decide what its next event does: whom it was told, and what still waits. */
  ofIncident(tx: Transaction, workspaceId: string, incidentId: string): Promise<OutboxRowHead[]>;
  /** Of an incident and channel: the beginning, and what is being sent. */
  siblings(row: Pick<OutboxRow, 'workspace_id' | 'incident_id' | 'channel_id'>): Promise<OutboxRowHead[]>;
  /** Puts the rows in; one that was withdrawn before it was tried comes to life again, any other stays as it is. */
  insert(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Withdraws the rows of these ids that nobody has tried yet; resolves the ids that it withdrew. */
  withdraw(
    tx: Transaction,
    workspaceId: string,
    ids: readonly string[],
    reason: string,
    nowMs: number,
  ): Promise<string[]>;
  /** Lets retention take the rows of an incident that is over. */
  expire(tx: Transaction, workspaceId: string, incidentId: string, at: Date): Promise<void>;
  /** Takes the row that has been due the longest, of channels other than `busy`, for `leaseMs`. */
  claim(nowMs: number, leaseMs: number, busy: readonly string[]): Promise<OutboxRow | null>;
  /** Notes an outcome; false when another holder has the row now, and then nothing was written. */
  note(tx: Transaction, row: OutboxRow, note: OutboxNote): Promise<boolean>;
  /** Gives a claimed row back untried. */
  release(row: OutboxRow, untilMs: number): Promise<void>;
  /** Makes rows whose holder died claimable again; resolves how many. */
  reclaim(nowMs: number): Promise<number>;
  /** The channel answers again: whatever waits for it is due at once. */
  hurry(row: OutboxRow, nowMs: number): Promise<number>;
  /** When the row that is due the longest became so; null when none is due. */
  oldestDue(nowMs: number): Promise<number | null>;
}

/** Beside reminders, of which a long incident has many. */
const MAIN_EVENTS: OutboxRow['event'][] = ['opened', 'acknowledged', 'resolved'];
const WITHOUT_INCIDENT = { incident: 0 } as const;

export function createOutboxStore(db: Db): OutboxStore {
  const outbox: Collection<OutboxRow> = db.collection('outbox');
  return {
    async ensureIndexes() {
      await outbox.createIndex({ state: 1, next_attempt_ms: 1, channel_id: 1 });
      await outbox.createIndex({ incident_id: 1, channel_id: 1 });
      await outbox.createIndex({ channel_id: 1, state: 1 });
      await outbox.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    ofIncident(tx, workspaceId, incidentId) {
      const deciding = [{ event: { $in: MAIN_EVENTS } }, { state: 'pending' as const }];
      const filter = { workspace_id: workspaceId, incident_id: incidentId, $or: deciding };
      const rows = outbox.find(filter, { session: tx.session });
      return rows.project<OutboxRowHead>(WITHOUT_INCIDENT).toArray();
    },
    siblings({ workspace_id, incident_id, channel_id }) {
      const deciding = [{ event: 'opened' as const }, { state: 'leased' as const }];
      const rows = outbox.find({ workspace_id, incident_id, channel_id, $or: deciding });
      return rows.project<OutboxRowHead>(WITHOUT_INCIDENT).toArray();
    },
    async insert(tx, rows) {
      if (rows.length === 0) return;
      // An insert that meets an existing id would end the whole transaction; an upsert leaves the row as it is.
      const upserts = rows.map((row) => {
        const { _id, ...fresh } = row;
        return { updateOne: { filter: { _id }, update: { $setOnInsert: fresh }, upsert: true } };
      });
      const revivals = rows.map((row) => {
        const { _id, fence: _fence, ...fresh } = row;
        return { updateOne: { filter: { _id, state: 'withdrawn' as const }, update: { $set: fresh } } };
      });
      await outbox.bulkWrite([...upserts, ...revivals], { session: tx.session });
    },
    async withdraw(tx, workspaceId, ids, reason, nowMs) {
      if (ids.length === 0) return [];
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId, state: 'pending' as const, attempts: 0 };
      const found = await outbox.find(filter, { session: tx.session, projection: { _id: 1 } }).toArray();
      const set = { state: 'withdrawn' as const, error: reason, finished_ms: nowMs };
      await outbox.updateMany(filter, { $set: set }, { session: tx.session });
      return found.map((row) => row._id);
    },
    async expire(tx, workspaceId, incidentId, at) {
      const filter = { workspace_id: workspaceId, incident_id: incidentId };
      await outbox.updateMany(filter, { $set: { expires_at: at } }, { session: tx.session });
    },
    claim(nowMs, leaseMs, busy) {
      return outbox.findOneAndUpdate(
        { state: 'pending', next_attempt_ms: { $lte: nowMs }, channel_id: { $nin: [...busy] } },
        [
          {
            $set: {
              state: 'leased',
              fence: { $add: ['$fence', 1] },
              attempts: { $add: ['$attempts', 1] },
              lease_until: { $add: ['$$NOW', leaseMs] },
            },
          },
        ],
        { sort: { next_attempt_ms: 1 }, returnDocument: 'after' },
      );
    },
    async note(tx, row, note) {
      const set = {
        state: note.state,
        next_attempt_ms: note.nextAttemptMs,
        waiting: 'retry' as const,
        refusals: note.refusals,
        error: note.error,
        finished_ms: note.finishedMs,
        lease_until: null,
      };
      const { matchedCount } = await outbox.updateOne(held(row), { $set: set }, { session: tx.session });
      return matchedCount === 1;
    },
    async release(row, untilMs) {
      const set = { state: 'pending' as const, next_attempt_ms: untilMs, waiting: 'retry' as const, lease_until: null };
      await outbox.updateOne(held(row), { $set: set, $inc: { attempts: -1 } });
    },
    async reclaim(nowMs) {
      const { modifiedCount } = await outbox.updateMany(
        { state: 'leased', $expr: { $lt: ['$lease_until', '$$NOW'] } },
        { $set: { state: 'pending', next_attempt_ms: nowMs, waiting: 'retry' } },
      );
      return modifiedCount;
    },
    async hurry(row, nowMs) {
      const { modifiedCount } = await outbox.updateMany(
        {
          workspace_id: row.workspace_id,
          channel_id: row.channel_id,
          state: 'pending',
          waiting: 'retry',
          next_attempt_ms: { $gt: nowMs },
        },
        { $set: { next_attempt_ms: nowMs } },
      );
      return modifiedCount;
    },
    async oldestDue(nowMs) {
      const due = { state: 'pending' as const, next_attempt_ms: { $lte: nowMs } };
      const [oldest] = await outbox
        .find(due, { projection: { next_attempt_ms: 1 } })
        .sort({ next_attempt_ms: 1 })
        .limit(1)
        .toArray();
      return oldest?.next_attempt_ms ?? null;
    },
  };
}

/**
 * The row as its holder left it. The fence alone decides: while it is unchanged nobody else has claimed the row,
 * so an outcome may be noted even after the lease ran out.
 */
function held(row: OutboxRow) {
  return { _id: row._id, fence: row.fence, state: { $in: ['leased' as const, 'pending' as const] } };
}
