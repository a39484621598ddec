import { type AnyBulkWriteOperation, Binary, type Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
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

/** A server is offline after this many missing samples. */
export const MISSED_SAMPLES = 3;

/** The part of the server store that samples, inventories and the offline job write. */
export interface LiveStore {
  /**
   * Replaces older values of `live`, of online servers or of any. Returns how many servers matched. With `any`, samples
   * that are not the newest count as heard too: their control plane may have a different clock than the previous one.
   */
  updateLive(updates: readonly LiveUpdate[], of: 'online' | 'any'): Promise<number>;
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
  setFacts(workspaceId: string, id: string, facts: AgentFacts): Promise<void>;
  addDropped(counts: readonly DropCount[]): Promise<void>;
}

/** The time of the latest samples as an expression of MongoDB. */
const HEARD_AT = { $ifNull: ['$heard_at', { $toDate: '$live.received_at_ms' }] };

/** Returns when the latest samples of the server arrived, in milliseconds since the Unix epoch; null before the first. */
export function heardAtMs({ heard_at, live }: Pick<ServerDocument, 'heard_at' | 'live'>): number | null {
  return heard_at?.getTime() ?? live?.received_at_ms ?? null;
}

export function createLiveStore(db: Db): LiveStore {
  const servers = db.collection<ServerDocument>('servers');
  return {
    async updateLive(updates, of) {
      if (updates.length === 0) return 0;
      const { matchedCount } = await servers.bulkWrite(
        updates.map((update) => operationOf(update, of)),
        { ordered: false },
      );
      if (of === 'any') {
        const ids = updates.map(({ serverId }) => serverId);
        await servers.updateMany({ _id: { $in: ids } }, { $currentDate: { heard_at: true } });
      }
      return matchedCount;
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
      await servers.updateOne({ _id: id, workspace_id: workspaceId }, { $set: facts });
    },
    async addDropped(counts) {
      if (counts.length === 0) return;
      await servers.bulkWrite(
        counts.map(({ workspaceId, serverId, tooOld, values }) => ({
          updateOne: {
            filter: { _id: serverId, workspace_id: workspaceId },
            update: { $inc: { 'dropped.too_old': tooOld, 'dropped.values': values } },
          },
        })),
        { ordered: false },
      );
    },
  };
}

/** Uses `updateMany` for one `_id`, because it is not a retryable write; results/live-store.ts explains why. */
function operationOf({ workspaceId, serverId, atMs, receivedAtMs, bytes }: LiveUpdate, of: 'online' | 'any') {
  const operation: AnyBulkWriteOperation<ServerDocument> = {
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
  return operation;
}
