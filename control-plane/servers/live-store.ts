import { type AnyBulkWriteOperation, Binary, type Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import { bulkWriteInTime } from '../storage/writes/bulk-write-in-time.js';
import { confirmWrites } from '../storage/writes/confirm-writes.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import { createUnlockedWrites } from '../storage/writes/unlocked-writes.js';
import type { ServerDocument, ServerStatus } from './documents.js';

/** The newest stored sample of a server. */
export interface LiveUpdate {
  workspaceId: string;
  serverId: string;
  atMs: number;
  receivedAtMs: number;
  /** The encoded message. */
  bytes: Uint8Array;
}

/** The number of samples and values of a server that were not stored. */
export interface DropCount {
  workspaceId: string;
  serverId: string;
  tooOld: number;
  values: number;
}

/** The fields of a server that come from the inventory of its agent. */
export type AgentFacts = Pick<
  ServerDocument,
  'hostname' | 'ip' | 'os' | 'kernel' | 'agent_version' | 'report_interval_ms' | 'inventory' | 'agent_dropped'
>;

/** An online server without recent samples. */
export interface SilentServer {
  workspace_id: string;
  _id: string;
  heard_at: Date | null;
  /** The time since the latest samples. */
  silent_ms: number;
}

/** Outside of a transaction, the server itself repeats a write to a locked document without end. */
const FACTS_MS_MAX = 3_000;

/** A server is offline after this many missing samples. */
export const MISSED_SAMPLES = 3;

/** The part of the server store that samples, inventories and the offline job write. */
export interface LiveStore {
  /**
   * Replaces older values of `live`, of online servers or of any. With `any`, samples that are not the newest count as heard
   * too: their control plane may have a different clock than the previous one.
   */
  updateLive(updates: readonly LiveUpdate[], of: 'online' | 'any'): Promise<LiveWritten>;
  /** Returns the status of those servers that exist. */
  statuses(ids: readonly string[]): Promise<Map<string, ServerStatus>>;
  /** Resolves to null if the status is not `from`, or if samples arrived after `heardAt`. */
  setStatus(
    tx: Transaction,
    id: string,
    change: { from: ServerStatus; to: ServerStatus; atMs: number; heardAt?: Date | null },
  ): Promise<ServerDocument | null>;
  /** Returns online servers that have missed three samples by the database's clock, sorted by id, after `afterId`. */
  silent(afterId: string | null, limit: number): Promise<SilentServer[]>;
  /** Idempotent. Rejects after some seconds, because another transaction may have locked the server. */
  setFacts(workspaceId: string, id: string, facts: AgentFacts): Promise<void>;
  /** Resolves to the servers that another transaction keeps from being counted. */
  addDropped(counts: readonly DropCount[]): Promise<ReadonlySet<string>>;
}

/** What became of updates of `live`. */
interface LiveWritten {
  /** How many servers matched. */
  matched: number;
  /** The servers that another transaction keeps from being written. */
  locked: ReadonlySet<string>;
}

/** The time of the latest samples as an expression of MongoDB. */
const HEARD_AT = { $ifNull: ['$heard_at', { $toDate: '$live.received_at_ms' }] };

/** Returns when the latest samples of the server arrived, in milliseconds since the Unix epoch; null before the first. */
export function heardAtMs({ heard_at, live }: Pick<ServerDocument, 'heard_at' | 'live'>): number | null {
  return heard_at?.getTime() ?? live?.received_at_ms ?? null;
}

export function createLiveStore(db: Db, setAside: SetAside): LiveStore {
  const servers = db.collection<ServerDocument>('servers');
  const confirm = () => confirmWrites(db.client, servers);
  const idsOf = (of: readonly { serverId: string }[]) => new Set(of.map(({ serverId }) => serverId));

  /** A refused update keeps no other from being written, and no repetition can write it. */
  async function setRefusedAside(updates: readonly LiveUpdate[], refused: ReadonlyMap<number, unknown>): Promise<void> {
    for (const [index, { workspaceId, serverId, ...live }] of updates.entries()) {
      const record = { _id: serverId, workspace_id: workspaceId, live };
      if (refused.has(index)) await setAside({ collection: 'servers', record, error: refused.get(index) });
    }
  }

  return {
    async updateLive(updates, of) {
      let matched = 0;
      const writes = createUnlockedWrites<LiveUpdate>({
        idOf: ({ serverId }) => serverId,
        async write(some, msMax) {
          const moves = some.map((update) => moveLive(update, of));
          const heard = of === 'any' ? some.map(markHeard) : [];
          const ended = await bulkWriteInTime(servers, [...moves, ...heard], msMax);
          if (ended.outcome !== 'locked') await setRefusedAside(some, ended.refused);
          matched += ended.matched + ended.refused.size;
          return ended.outcome;
        },
        confirm,
      });
      const locked = idsOf(await writes.apply(updates));
      return { matched, locked };
    },
    async statuses(ids) {
      const rows = await servers.find({ _id: { $in: [...ids] } }, { projection: { status: 1 } }).toArray();
      return new Map(rows.map((row) => [row._id, row.status]));
    },
    setStatus(tx, id, { from, to, atMs, heardAt }) {
      const noNewSample = heardAt === undefined ? {} : { heard_at: heardAt };
      return servers.findOneAndUpdate(
        { _id: id, status: from, ...noNewSample },
        { $set: { status: to, status_changed_at_ms: atMs } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    silent(afterId, limit) {
      const dueAt = { $add: [HEARD_AT, { $multiply: [MISSED_SAMPLES, '$report_interval_ms'] }] };
      const rest = afterId === null ? {} : { _id: { $gt: afterId } };
      return servers
        .find({ status: 'online', ...rest, live: { $ne: null }, $expr: { $lt: [dueAt, '$$NOW'] } })
        .project<SilentServer>({
          workspace_id: 1,
          heard_at: { $ifNull: ['$heard_at', null] },
          silent_ms: { $subtract: ['$$NOW', HEARD_AT] },
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
    },
    async setFacts(workspaceId, id, facts) {
      await servers.updateOne({ _id: id, workspace_id: workspaceId }, { $set: facts }, { maxTimeMS: FACTS_MS_MAX });
    },
    async addDropped(counts) {
      // By themselves, because these are not idempotent: a server that was not written in time is not counted at all.
      const writes = createUnlockedWrites<DropCount>({
        idOf: ({ serverId }) => serverId,
        async write(some, msMax) {
          const { outcome } = await bulkWriteInTime(servers, countDrops(some), msMax);
          return outcome;
        },
        confirm,
      });
      return idsOf(await writes.applyEach(counts));
    },
  };
}

type Operation = AnyBulkWriteOperation<ServerDocument>;

/** Returns one write for the counts of one server. */
function countDrops(counts: readonly DropCount[]): Operation[] {
  const [first] = counts;
  if (first === undefined) return [];
  const sum = (of: 'tooOld' | 'values') => counts.reduce((total, count) => total + count[of], 0);
  const update = { $inc: { 'dropped.too_old': sum('tooOld'), 'dropped.values': sum('values') } };
  return [{ updateOne: { filter: { _id: first.serverId, workspace_id: first.workspaceId }, update } }];
}

/** Uses `updateMany` for one `_id`, because it is not a retryable write; results/live-store.ts explains why. */
function moveLive({ workspaceId, serverId, atMs, receivedAtMs, bytes }: LiveUpdate, of: 'online' | 'any'): Operation {
  return {
    updateMany: {
      filter: {
        _id: serverId,
        workspace_id: workspaceId,
        'live.at_ms': { $not: { $gte: atMs } },
        ...(of === 'online' ? { status: 'online' as const } : {}),
      },
      update: {
        $set: { live: { at_ms: atMs, received_at_ms: receivedAtMs, report: new Binary(bytes) } },
        $currentDate: { heard_at: true },
      },
      hint: { _id: 1 },
    },
  };
}

function markHeard({ workspaceId, serverId }: LiveUpdate): Operation {
  const filter = { _id: serverId, workspace_id: workspaceId };
  return { updateMany: { filter, update: { $currentDate: { heard_at: true } }, hint: { _id: 1 } } };
}
