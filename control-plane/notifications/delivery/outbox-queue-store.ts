import type { Collection, Document, Filter, MongoClient } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import { isMaxTimeExpired, type Transaction } from '../../storage/transaction.js';
import { confirmWrites } from '../../storage/writes/confirm-writes.js';
import { findLocked } from '../../storage/writes/find-locked.js';
import type { OutboxRow } from '../documents.js';
import type { ChannelOfWorkspace } from './queues/waiting-channels.js';
import { createRetryNow } from './retry-now.js';

/** The fields that the result of a claimed row sets. */
export type Settlement = Partial<
  Pick<
    OutboxRow,
    | 'next_attempt_ms'
    | 'waiting'
    | 'attempts'
    | 'refusals'
    | 'attempted_ms'
    | 'attempt_log'
    | 'finished_ms'
    | 'logged_only'
    | 'unconfirmed'
    | 'reached'
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
  /** Returns those of the channels that have pending rows, with their workspaces. */
  workspacesOf(channelIds: readonly string[]): Promise<ChannelOfWorkspace[]>;
  /** Counts the pending rows of all channels, also those that are not due yet, up to `countMax`. */
  countWaiting(countMax: number): Promise<number>;
  /** Claims due rows of the channel: those due for the longest time first, at most one per incident. */
  claim(channelId: string, nowMs: number, claim: Claim): Promise<OutboxRow[]>;
  /**
   * Stores the results of claimed rows, except rows that were claimed again. Returns the number of stored results. A row
   * that was to be withdrawn while a silence of its incident ended is released instead. Without a transaction, it throws
   * `RowsLocked` if another transaction has locked some of the rows: the results of the others are stored.
   */
  settle(results: readonly { row: OutboxRow; settlement: Settlement }[], tx?: Transaction): Promise<number>;
  /**
   * Begins the lease of a claimed row anew. Returns false when the row was claimed again or its result is stored. Rejects
   * after a second, because another transaction may have locked the row.
   */
  renew(row: OutboxRow, leaseMs: number): Promise<boolean>;
  /**
   * Makes rows with an expired lease claimable again. Returns their number. The lease of a locked row cannot be renewed,
   * nor its result be stored, so its holder gets time for that after the row is unlocked.
   */
  reclaim(nowMs: number): Promise<number>;
  /**
   * Makes the rows that wait for a retry due now, because the channel accepts messages again: all but those that another
   * transaction has locked, and those beyond 100,000. Returns their number.
   */
  retryNow(workspaceId: string, channelId: string, nowMs: number): Promise<number>;
}

/** Another transaction, most likely of a dead process, has locked some of the rows to settle. */
export class RowsLocked extends Error {
  /** Number of results that are stored nevertheless. */
  readonly settled: number;
  /** IDs of the rows whose results are not stored. */
  readonly locked: ReadonlySet<string>;

  constructor(settled: number, locked: ReadonlySet<string>, cause: unknown) {
    super(`${locked.size} results of notifications were not stored within ${SETTLE_MS_MAX} ms`, { cause });
    this.name = 'RowsLocked';
    this.settled = settled;
    this.locked = locked;
  }
}

const RELEASED = { lease_until: null, holder: null } as const;

/**
 * Outside of a transaction, the server itself repeats a write to a locked row without end, and with it the rest of the
 * writes that were sent together. So each such write has a time limit.
 */
const SETTLE_MS_MAX = 3_000;
const RENEW_MS_MAX = 1_000;
/** Above the time that a majority may take (`storage/deadlines.ts`). */
const CLAIM_MS_MAX = 5_000;
const RECLAIM_MS_MAX = 5_000;

export function outboxQueueStore(
  client: MongoClient,
  outbox: Collection<OutboxRow>,
  clock: Pick<Clock, 'monotonic'>,
): OutboxQueueStore {
  const lockedDue = createLockedDue(client, outbox, clock);
  const reclaim = createReclaim(client, outbox, clock);
  return {
    async waitingChannels() {
      // Every control plane does this each second. Only fields of the index: the server reads one key per channel, no row.
      const first = firstOfEachChannel({}, { dueMs: { $first: '$next_attempt_ms' } });
      const rows = await outbox.aggregate<{ _id: string; dueMs: number }>(first, { hint: 'waiting' }).toArray();
      return rows.map(({ _id, dueMs }) => ({ channelId: _id, dueMs }));
    },
    async workspacesOf(channelIds) {
      // Not from the channels: the rows of one that was removed are still to be withdrawn.
      const of = { channel_id: { $in: [...channelIds] } };
      const first = firstOfEachChannel(of, { workspaceId: { $first: '$workspace_id' } });
      const rows = await outbox.aggregate<{ _id: string; workspaceId: string }>(first, { hint: 'waiting' }).toArray();
      return rows.map(({ _id, workspaceId }) => ({ channelId: _id, workspaceId }));
    },
    countWaiting: (countMax) => outbox.countDocuments({ state: 'pending' }, { limit: countMax, hint: 'waiting' }),
    async claim(channelId, nowMs, claim) {
      const others = () => {
        const locked = lockedDue.known(channelId).map((row) => row.incident_id);
        return { ...claim, busyIncidents: [...claim.busyIncidents, ...locked] };
      };
      await lockedDue.look(lockedDue.known(channelId));
      const rows = await claimRows(client, outbox, channelId, nowMs, others());
      if (rows !== 'locked') return rows;
      const ahead = { ...others(), rowsMax: LOOK_AHEAD_ROWS };
      if (!(await lockedDue.look(await dueRows(outbox, channelId, nowMs, ahead)))) return [];
      const rest = await claimRows(client, outbox, channelId, nowMs, others());
      return rest === 'locked' ? [] : rest;
    },
    async settle(results, tx) {
      if (results.length === 0) return 0;
      if (tx === undefined) return settleInTime(client, outbox, results);
      const updates = results.flatMap(({ row, settlement }) => settlementWrites(row, settlement));
      return (await outbox.bulkWrite(updates, { session: tx.session, ordered: false })).matchedCount;
    },
    async renew(row, leaseMs) {
      const lease = { state: 'leased', holder: row.holder, lease_until: { $add: ['$$NOW', leaseMs] } };
      const options = { maxTimeMS: RENEW_MS_MAX };
      return (await outbox.updateOne(claimedFilter(row), [{ $set: lease }], options)).matchedCount === 1;
    },
    reclaim,
    retryNow: createRetryNow(client, outbox),
  };
}

/** Returns the stages that read the first pending row of each channel, in the order of the index `waiting`. */
function firstOfEachChannel(filter: Filter<OutboxRow>, fields: Document): Document[] {
  return [
    { $match: { state: 'pending', ...filter } },
    { $sort: { state: 1, channel_id: 1, next_attempt_ms: 1 } },
    { $group: { _id: '$channel_id', ...fields } },
  ];
}

/** Returns the due rows of a channel, those due for the longest time first. */
function dueRows(
  outbox: Collection<OutboxRow>,
  channelId: string,
  nowMs: number,
  { rowsMax, busyIncidents }: Pick<Claim, 'rowsMax' | 'busyIncidents'>,
): Promise<OutboxRow[]> {
  return outbox
    .find({
      state: 'pending',
      channel_id: channelId,
      next_attempt_ms: { $lte: nowMs },
      incident_id: { $nin: [...busyIncidents] },
    })
    .sort({ next_attempt_ms: 1, sequence: 1 })
    .limit(rowsMax)
    .hint('waiting')
    .toArray();
}

/**
 * Claims the first row of each incident among the due rows of a channel. Resolves to `locked` if none could be claimed in
 * time, most likely because another transaction has locked one of them.
 */
async function claimRows(
  client: MongoClient,
  outbox: Collection<OutboxRow>,
  channelId: string,
  nowMs: number,
  claim: Claim,
): Promise<OutboxRow[] | 'locked'> {
  const found = await dueRows(outbox, channelId, nowMs, claim);
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
  const ids = rows.map(({ _id }) => _id);
  const claimed = () => outbox.find({ _id: { $in: ids }, holder: claim.holder, state: 'leased' }).toArray();
  try {
    const { matchedCount } = await outbox.bulkWrite(leases, { ordered: false, maxTimeMS: CLAIM_MS_MAX });
    // Otherwise, another control plane has claimed some of them first.
    return matchedCount === rows.length ? rows : await claimed();
  } catch (error) {
    if (!isMaxTimeExpired(error)) throw error;
  }
  await confirmWrites(client, outbox);
  const some = await claimed();
  return some.length === 0 ? 'locked' : some;
}

/** Above the number of rows of one channel that one transaction usually writes. */
const LOOK_AHEAD_ROWS = 200;
/** How long claims leave the incident of a locked row alone, unless they find it unlocked. Longer than a claim takes. */
const LOCKED_FOR_MS = 10_000;
/** The first rows of a claim may be leased already. Together with the time of a claim, less than a row may wait for its start. */
const LOOK_WAIT_MS_MAX = 3_000;

/** The due rows that another transaction has locked: they must not keep the others of their channels waiting. */
interface LockedDue {
  /** Returns the rows of the channel that were locked when last looked at. */
  known(channelId: string): DueRow[];
  /** Finds out which of the rows are locked. Resolves to false if there was no time for it. */
  look(rows: readonly DueRow[]): Promise<boolean>;
}

type DueRow = Pick<OutboxRow, '_id' | 'channel_id' | 'incident_id'>;

function createLockedDue(
  client: MongoClient,
  outbox: Collection<OutboxRow>,
  clock: Pick<Clock, 'monotonic'>,
): LockedDue {
  const entries = new Map<string, DueRow & { untilMs: number }>();
  // One channel at a time: on a slow database, all of them look.
  const turn = createSemaphore(1);
  return {
    known(channelId) {
      const nowMs = clock.monotonic();
      for (const [id, { untilMs }] of entries) if (untilMs <= nowMs) entries.delete(id);
      return [...entries.values()].filter((row) => row.channel_id === channelId);
    },
    async look(rows) {
      if (rows.length === 0) return true;
      if (!(await turn.acquire(false, AbortSignal.timeout(LOOK_WAIT_MS_MAX)))) return false;
      try {
        const ids = rows.map(({ _id }) => _id);
        const locked = await findLocked(client, outbox, ids);
        const untilMs = clock.monotonic() + LOCKED_FOR_MS;
        for (const { _id, channel_id, incident_id } of rows) {
          if (locked.has(_id)) entries.set(_id, { _id, channel_id, incident_id, untilMs });
          else entries.delete(_id);
        }
        return true;
      } finally {
        turn.release();
      }
    },
  };
}

/** Above the period of renewals (`keep-lease.ts`): a holder that lives has renewed its lease or stored its result by then. */
const RECLAIM_AFTER_LOCK_MS = 12_000;
const EXPIRED = { state: 'leased' as const, $expr: { $lt: ['$lease_until', '$$NOW'] } };

function createReclaim(
  client: MongoClient,
  outbox: Collection<OutboxRow>,
  clock: Pick<Clock, 'monotonic'>,
): OutboxQueueStore['reclaim'] {
  /** When each of the rows was last found locked. */
  let lockedAt: ReadonlyMap<string, number> = new Map();
  return async (nowMs) => {
    const expired = await outbox.find(EXPIRED).project<{ _id: string }>({ _id: 1 }).toArray();
    const ids = expired.map(({ _id }) => _id);
    const locked = await findLocked(client, outbox, ids);
    const atMs = clock.monotonic();
    const waiting = ids.flatMap((id): [string, number][] => {
      const sinceMs = locked.has(id) ? atMs : lockedAt.get(id);
      return sinceMs === undefined || atMs - sinceMs >= RECLAIM_AFTER_LOCK_MS ? [] : [[id, sinceMs]];
    });
    lockedAt = new Map(waiting);
    const free = ids.filter((id) => !lockedAt.has(id));
    if (free.length === 0) return 0;
    const { modifiedCount } = await outbox.updateMany(
      { _id: { $in: free }, ...EXPIRED },
      { $set: { state: 'pending', next_attempt_ms: nowMs, waiting: 'retry' } },
      { maxTimeMS: RECLAIM_MS_MAX },
    );
    return modifiedCount;
  };
}

type Result = Parameters<OutboxQueueStore['settle']>[0][number];

async function settleInTime(
  client: MongoClient,
  outbox: Collection<OutboxRow>,
  results: readonly Result[],
): Promise<number> {
  const write = async (some: readonly Result[]) => {
    const updates = some.flatMap(({ row, settlement }) => settlementWrites(row, settlement));
    return (await outbox.bulkWrite(updates, { ordered: false, maxTimeMS: SETTLE_MS_MAX })).matchedCount;
  };
  try {
    return await write(results);
  } catch (error) {
    if (!isMaxTimeExpired(error)) throw error;
    const ids = results.map(({ row }) => row._id);
    const known = ids.length === 1 ? new Set(ids) : await findLocked(client, outbox, ids);
    const free = results.filter(({ row }) => !known.has(row._id));
    if (free.length > 0) await write(free).catch(throwUnlessLate);
    await confirmWrites(client, outbox);
    const { settled, locked } = await settledAmong(outbox, results);
    if (locked.size > 0) throw new RowsLocked(settled, locked, error);
    return settled;
  }
}

function throwUnlessLate(error: unknown): void {
  if (!isMaxTimeExpired(error)) throw error;
}

/** Returns how many results are stored, and the rows whose results are not. Rows that were claimed again are neither. */
async function settledAmong(outbox: Collection<OutboxRow>, results: readonly Result[]) {
  const ids = results.map(({ row }) => row._id);
  const found = await outbox
    .find({ _id: { $in: ids } })
    .project<Pick<OutboxRow, '_id' | 'fence' | 'holder'>>({ fence: 1, holder: 1 })
    .toArray();
  const fences = new Map(results.map(({ row }) => [row._id, row.fence]));
  const own = found.filter(({ _id, fence }) => fences.get(_id) === fence);
  const locked = new Set(own.flatMap(({ _id, holder }) => (holder === null ? [] : [_id])));
  return { settled: own.length - locked.size, locked };
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

/** Returns writes of which one matches, unless the row was claimed again. */
function settlementWrites(row: OutboxRow, settlement: Settlement) {
  const claimed = claimedFilter(row);
  const write = { $set: { ...settlement, ...RELEASED } };
  if (settlement.state !== 'withdrawn') return [{ updateOne: { filter: claimed, update: write } }];
  const known = row.unsilenced_ms === undefined ? { $exists: false } : { $eq: row.unsilenced_ms };
  const { next_attempt_ms, attempts } = { ...row, ...settlement };
  const again = { state: 'pending' as const, waiting: 'retry' as const, next_attempt_ms, attempts };
  return [
    { updateOne: { filter: { ...claimed, unsilenced_ms: known }, update: write } },
    {
      updateOne: {
        filter: { ...claimed, unsilenced_ms: { $not: known } },
        update: { $set: { ...again, ...RELEASED } },
      },
    },
  ];
}

/**
 * Returns the filter for a row that the caller has claimed. The fence alone decides: while it is unchanged, no other
 * process has claimed the row, so an outcome can be recorded even after the lease has ended.
 */
function claimedFilter(row: OutboxRow) {
  return { _id: row._id, fence: row.fence, state: { $in: ['leased' as const, 'pending' as const] } };
}
