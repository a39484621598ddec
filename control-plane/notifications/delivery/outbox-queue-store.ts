import type { Collection } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { OutboxRow } from '../documents.js';

/** The fields that the result of a claimed row sets. */
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

/** The parameters of a claim. */
interface Claim {
  /** Unique ID of the claim. */
  holder: string;
  leaseMs: number;
  rowsMax: number;
  /** Incidents with a claimed row for the channel; their other rows must wait for it. */
  busyIncidents: readonly string[];
}

/** The operations on the outbox that deliver its rows. */
export interface OutboxQueueStore {
  /** Returns the channels with pending rows, and when the first of these rows is or was due. */
  waitingChannels(): Promise<{ channelId: string; dueMs: number }[]>;
  /** Claims due rows of the channel: those due for the longest time first, at most one per incident. */
  claim(channelId: string, nowMs: number, claim: Claim): Promise<OutboxRow[]>;
  /** Stores the results of claimed rows, except rows that were claimed again. Returns the number of stored results. */
  settle(results: readonly { row: OutboxRow; settlement: Settlement }[], tx?: Transaction): Promise<number>;
  /** Begins the lease of a claimed row anew. Returns false when the row was claimed again or its result is stored. */
  renew(row: OutboxRow, leaseMs: number): Promise<boolean>;
  /** Makes rows with an expired lease claimable again. Returns their number. */
  reclaim(nowMs: number): Promise<number>;
  /** Makes all rows that wait for a retry due now, because the channel accepts messages again. Returns their number. */
  retryNow(workspaceId: string, channelId: string, nowMs: number): Promise<number>;
}

const RELEASED = { lease_until: null, holder: null } as const;

export function outboxQueueStore(outbox: Collection<OutboxRow>): OutboxQueueStore {
  return {
    async waitingChannels() {
      // In the order of the index, so that the server reads only one key per channel.
      const first = [
        { $match: { state: 'pending' } },
        { $sort: { state: 1, channel_id: 1, next_attempt_ms: 1 } },
        { $group: { _id: '$channel_id', dueMs: { $first: '$next_attempt_ms' } } },
      ];
      const rows = await outbox.aggregate<{ _id: string; dueMs: number }>(first, { hint: 'waiting' }).toArray();
      return rows.map(({ _id, dueMs }) => ({ channelId: _id, dueMs }));
    },
    claim: (channelId, nowMs, claim) => claimRows(outbox, channelId, nowMs, claim),
    async settle(results, tx) {
      if (results.length === 0) return 0;
      const updates = results.map(({ row, settlement }) => {
        return { updateOne: { filter: claimedFilter(row), update: { $set: { ...settlement, ...RELEASED } } } };
      });
      const session = tx === undefined ? {} : { session: tx.session };
      return (await outbox.bulkWrite(updates, { ...session, ordered: false })).matchedCount;
    },
    async renew(row, leaseMs) {
      const lease = { state: 'leased', holder: row.holder, lease_until: { $add: ['$$NOW', leaseMs] } };
      return (await outbox.updateOne(claimedFilter(row), [{ $set: lease }])).matchedCount === 1;
    },
    async reclaim(nowMs) {
      const { modifiedCount } = await outbox.updateMany(
        { state: 'leased', $expr: { $lt: ['$lease_until', '$$NOW'] } },
        { $set: { state: 'pending', next_attempt_ms: nowMs, waiting: 'retry' } },
      );
      return modifiedCount;
    },
    async retryNow(workspaceId, channelId, nowMs) {
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

/** Claims the first row of each incident among the due rows of a channel. */
async function claimRows(
  outbox: Collection<OutboxRow>,
  channelId: string,
  nowMs: number,
  claim: Claim,
): Promise<OutboxRow[]> {
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
    // An aggregation stage, because only a stage can use the server's time.
    const lease = { state, holder, fence, attempts, lease_until: { $add: ['$$NOW', claim.leaseMs] } };
    return {
      updateOne: { filter: { _id, state: 'pending' as const, fence: fence - 1 }, update: [{ $set: lease }] },
    };
  });
  const { matchedCount } = await outbox.bulkWrite(leases, { ordered: false });
  if (matchedCount === rows.length) return rows;
  // Another control plane has claimed some of them first.
  const ids = rows.map(({ _id }) => _id);
  return outbox.find({ _id: { $in: ids }, holder: claim.holder, state: 'leased' }).toArray();
}

/** Returns the first row of each incident in its order, even if another one has been due for longer. */
function firstOfEachIncident(rows: readonly OutboxRow[]): OutboxRow[] {
  const first = new Map<string, OutboxRow>();
  for (const row of rows) {
    const known = first.get(row.incident_id);
    if (known === undefined || row.sequence < known.sequence) first.set(row.incident_id, row);
  }
  return [...first.values()];
}

/**
 * Returns the filter for a row that the caller has claimed. The fence alone decides: while it is unchanged, no other
 * process has claimed the row, so an outcome can be recorded even after the lease has ended.
 */
function claimedFilter(row: OutboxRow) {
  return { _id: row._id, fence: row.fence, state: { $in: ['leased' as const, 'pending' as const] } };
}
