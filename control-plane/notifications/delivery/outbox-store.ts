import type { Collection, Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { OutboxRow } from '../documents.js';
import type { OutboxRowHead } from './rows.js';

/** What a holder writes on its row when it lets go of it. */
export type Settlement = Partial<
  Pick<
    OutboxRow,
    | 'next_attempt_ms'
    | 'waiting'
    | 'attempts'
    | 'refusals'
    | 'attempted_ms'
    | 'finished_ms'
    | 'logged_only'
    | 'error'
    | 'snapshot'
  >
> & { state: 'pending' | 'sent' | 'failed' | 'withdrawn' };

/** How a control plane takes rows. */
export interface Claim {
  /** Names this claim and no other. */
  holder: string;
  leaseMs: number;
  rowsMax: number;
  /** Incidents of which something is on its way to the channel: what follows must wait for it. */
  busyIncidents: readonly string[];
}

export interface OutboxStore {
  ensureIndexes(): Promise<void>;
  /** The rows of these incidents. */
  ofIncidents(workspaceId: string, incidentIds: readonly string[], tx?: Transaction): Promise<OutboxRowHead[]>;
  /** Of these incidents and the channel: the beginnings, and what is being sent. */
  siblings(workspaceId: string, channelId: string, incidentIds: readonly string[]): Promise<OutboxRowHead[]>;
  /** Puts in rows that are not there. Raises E11000 or a write conflict when a rival put one in. */
  insert(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Puts in those rows that are not there; the others stay as they are. */
  insertMissing(rows: readonly OutboxRow[]): Promise<void>;
  /** Brings rows that were withdrawn before they were tried to life again; any other stays as it is. */
  revive(tx: Transaction, rows: readonly OutboxRow[]): Promise<void>;
  /** Withdraws the rows of these ids that nobody has tried yet. */
  withdraw(tx: Transaction, workspaceId: string, ids: readonly string[], reason: string, nowMs: number): Promise<void>;
  /** Channels for which something waits, and when the first of it is or was due. */
  waitingChannels(): Promise<{ channelId: string; dueMs: number }[]>;
  /** Takes rows of the channel that are due, those first that have been the longest, one of an incident at most. */
  claim(channelId: string, nowMs: number, claim: Claim): Promise<OutboxRow[]>;
  /** Lets go of claimed rows; resolves how many of them nobody else had taken over. Those are the ones written. */
  settle(settled: readonly { row: OutboxRow; settlement: Settlement }[], tx?: Transaction): Promise<number>;
  /** Makes rows whose holder died claimable again; resolves how many. */
  reclaim(nowMs: number): Promise<number>;
  /** The channel answers again: whatever waits for it is due at once; resolves how many. */
  hurry(workspaceId: string, channelId: string, nowMs: number): Promise<number>;
  /** Removes the rows of these ids. For reminders that came long before those that are kept. */
  remove(workspaceId: string, ids: readonly string[]): Promise<void>;
}

const HEAD = { snapshot: 0 } as const;
/** All rows of a full group of incidents in one answer of the server. */
const ROWS_PER_ANSWER = 1_000;
const LET_GO = { lease_until: null, holder: null } as const;

export function createOutboxStore(db: Db): OutboxStore {
  const outbox: Collection<OutboxRow> = db.collection('outbox');
  return {
    async ensureIndexes() {
      const pending = { partialFilterExpression: { state: 'pending' } };
      const retrying = { partialFilterExpression: { state: 'pending', waiting: 'retry' } };
      await outbox.createIndexes([
        // Rows that are final are the most by far: these three hold none of them.
        { key: { state: 1, channel_id: 1, next_attempt_ms: 1, sequence: 1 }, name: 'waiting', ...pending },
        { key: { channel_id: 1, next_attempt_ms: 1 }, name: 'retrying', ...retrying },
        { key: { lease_until: 1 }, name: 'leased', partialFilterExpression: { state: 'leased' } },
        { key: { incident_id: 1, channel_id: 1 } },
      ]);
    },
    ofIncidents(workspaceId, incidentIds, tx) {
      const filter = { incident_id: { $in: [...incidentIds] }, workspace_id: workspaceId };
      const rows = outbox.find(filter, tx === undefined ? {} : { session: tx.session });
      return rows.batchSize(ROWS_PER_ANSWER).project<OutboxRowHead>(HEAD).toArray();
    },
    siblings(workspaceId, channelId, incidentIds) {
      const deciding = [{ event: 'opened' as const }, { state: 'leased' as const }];
      const filter = { incident_id: { $in: [...incidentIds] }, channel_id: channelId, workspace_id: workspaceId };
      return outbox
        .find({ ...filter, $or: deciding })
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
    ...queue(outbox),
  };
}

/** What deliverers do with the rows. */
function queue(
  outbox: Collection<OutboxRow>,
): Pick<OutboxStore, 'waitingChannels' | 'claim' | 'settle' | 'reclaim' | 'hurry'> {
  return {
    async waitingChannels() {
      // The order of the index: the server jumps from channel to channel and reads one key of each.
      const first = [
        { $match: { state: 'pending' } },
        { $sort: { state: 1, channel_id: 1, next_attempt_ms: 1 } },
        { $group: { _id: '$channel_id', dueMs: { $first: '$next_attempt_ms' } } },
      ];
      const rows = await outbox.aggregate<{ _id: string; dueMs: number }>(first, { hint: 'waiting' }).toArray();
      return rows.map(({ _id, dueMs }) => ({ channelId: _id, dueMs }));
    },
    async claim(channelId, nowMs, claim) {
      const found = await outbox
        .find({
          state: 'pending',
          channel_id: channelId,
          next_attempt_ms: { $lte: nowMs },
          incident_id: { $nin: [...claim.busyIncidents] },
        })
        .sort({ next_attempt_ms: 1, sequence: 1 })
        .limit(claim.rowsMax)
        .hint('waiting')
        .toArray();
      const rows = firstOfEachIncident(found).map((row): OutboxRow => {
        return { ...row, state: 'leased', holder: claim.holder, fence: row.fence + 1, attempts: row.attempts + 1 };
      });
      if (rows.length === 0) return [];
      const leases = rows.map(({ _id, state, holder, fence, attempts }) => {
        // A stage, because only that can name the server's time.
        const lease = { state, holder, fence, attempts, lease_until: { $add: ['$$NOW', claim.leaseMs] } };
        return {
          updateOne: { filter: { _id, state: 'pending' as const, fence: fence - 1 }, update: [{ $set: lease }] },
        };
      });
      const { matchedCount } = await outbox.bulkWrite(leases, { ordered: false });
      if (matchedCount === rows.length) return rows;
      // Another control plane was quicker with some of them.
      const ids = rows.map(({ _id }) => _id);
      return outbox.find({ _id: { $in: ids }, holder: claim.holder, state: 'leased' }).toArray();
    },
    async settle(settled, tx) {
      if (settled.length === 0) return 0;
      const updates = settled.map(({ row, settlement }) => {
        return { updateOne: { filter: held(row), update: { $set: { ...settlement, ...LET_GO } } } };
      });
      const within = tx === undefined ? {} : { session: tx.session };
      return (await outbox.bulkWrite(updates, { ...within, ordered: false })).matchedCount;
    },
    async reclaim(nowMs) {
      const { modifiedCount } = await outbox.updateMany(
        { state: 'leased', $expr: { $lt: ['$lease_until', '$$NOW'] } },
        { $set: { state: 'pending', next_attempt_ms: nowMs, waiting: 'retry' } },
      );
      return modifiedCount;
    },
    async hurry(workspaceId, channelId, nowMs) {
      const { modifiedCount } = await outbox.updateMany(
        {
          workspace_id: workspaceId,
          channel_id: channelId,
          state: 'pending',
          waiting: 'retry',
          next_attempt_ms: { $gt: nowMs },
        },
        { $set: { next_attempt_ms: nowMs } },
        { hint: 'retrying' },
      );
      return modifiedCount;
    },
  };
}

/** Of the rows of one incident the one that comes first in its order, whichever is due the longest. */
function firstOfEachIncident(rows: readonly OutboxRow[]): OutboxRow[] {
  const first = new Map<string, OutboxRow>();
  for (const row of rows) {
    const known = first.get(row.incident_id);
    if (known === undefined || row.sequence < known.sequence) first.set(row.incident_id, row);
  }
  return [...first.values()];
}

/**
 * The row as its holder left it. The fence alone decides: while it is unchanged nobody else has claimed the row,
 * so an outcome may be noted even after the lease ran out.
 */
function held(row: OutboxRow) {
  return { _id: row._id, fence: row.fence, state: { $in: ['leased' as const, 'pending' as const] } };
}
