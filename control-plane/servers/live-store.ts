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

/** A server is offline after this many missing samples. */
export const MISSED_SAMPLES = 3;

/** The part of the server store that samples, inventories and the offline job write. */
export interface LiveStore {
  /** Replaces older values of `live`, of online servers or of any. Returns how many servers matched. */
  updateLive(updates: readonly LiveUpdate[], of: 'online' | 'any'): Promise<number>;
  /** Returns the status of those servers that exist. */
  statuses(ids: readonly string[]): Promise<Map<string, ServerStatus>>;
  /** Resolves to null if the status is not `from`, or for `offline` if a sample arrived after `silentSinceMs`. */
  setStatus(
    tx: Transaction,
    id: string,
    change: { from: ServerStatus; to: ServerStatus; atMs: number; silentSinceMs?: number },
  ): Promise<ServerDocument | null>;
  /** Returns online servers that have missed three samples. */
  silent(nowMs: number, limit: number): Promise<ServerDocument[]>;
  setFacts(workspaceId: string, id: string, facts: AgentFacts): Promise<void>;
  addDropped(counts: readonly DropCount[]): Promise<void>;
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
      return matchedCount;
    },
    async statuses(ids) {
      const rows = await servers.find({ _id: { $in: [...ids] } }, { projection: { status: 1 } }).toArray();
      return new Map(rows.map((row) => [row._id, row.status]));
    },
    setStatus(tx, id, { from, to, atMs, silentSinceMs }) {
      const noNewSample = silentSinceMs === undefined ? {} : { 'live.received_at_ms': silentSinceMs };
      return servers.findOneAndUpdate(
        { _id: id, status: from, ...noNewSample },
        { $set: { status: to, status_changed_at_ms: atMs } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    silent(nowMs, limit) {
      const due = { $add: ['$live.received_at_ms', { $multiply: [MISSED_SAMPLES, '$report_interval_ms'] }] };
      return servers
        .find({ status: 'online', $expr: { $lt: [due, nowMs] } })
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
      update: { $set: { live: { at_ms: atMs, received_at_ms: receivedAtMs, report: new Binary(bytes) } } },
      hint: { _id: 1 },
    },
  };
  return operation;
}
