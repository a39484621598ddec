import { type AnyBulkWriteOperation, Binary, type Db, type Filter } from 'mongodb';
import { createQuotaLock, type LockQuota } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerDocument, ServerStatus } from './documents.js';
import type { ServerDirectory, ServerFacts } from './servers.js';

export interface ServerFilter {
  status?: ServerStatus;
  tag?: string;
  /** Part of the name, the host name or the address, in either case. */
  q?: string;
}

/** The newest report of a server that has just been stored. */
export interface LiveMove {
  workspaceId: string;
  serverId: string;
  atMs: number;
  receivedAtMs: number;
  report: Uint8Array;
}

/** What was not stored of a server's reports. */
export interface DropCount {
  workspaceId: string;
  serverId: string;
  tooOld: number;
  values: number;
}

export type ServerChange = Partial<Pick<ServerDocument, 'name' | 'tags' | 'updated_at_ms'>>;

/** What the agent says of its server. */
export type ReportedFacts = Pick<
  ServerDocument,
  'hostname' | 'ip' | 'os' | 'kernel' | 'agent_version' | 'report_interval_ms' | 'inventory' | 'agent_dropped'
>;

export interface ServerStore extends ServerDirectory {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, server: ServerDocument): Promise<void>;
  /** Newest first. */
  list(workspaceId: string, filter: ServerFilter, afterId: string | null, rowsMax: number): Promise<ServerDocument[]>;
  /** Those that report, for exports; oldest first. */
  online(workspaceId: string, afterId: string | null, limit: number): Promise<ServerDocument[]>;
  /** Changes what people may change; null when the server has another version by now. */
  change(tx: Transaction, server: ServerDocument, change: ServerChange): Promise<ServerDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  lockQuota: LockQuota;
  /** Moves `live` forward, of servers that are online and where it is older. Returns how many it moved. */
  moveLive(moves: readonly LiveMove[], of: 'online' | 'any'): Promise<number>;
  /** Which of these exist, and their status. */
  statuses(ids: readonly string[]): Promise<Map<string, ServerStatus>>;
  /** null when its status is another by now, or for `offline` when it has reported since `silentSinceMs`. */
  setStatus(
    tx: Transaction,
    id: string,
    change: { from: ServerStatus; to: ServerStatus; atMs: number; silentSinceMs?: number },
  ): Promise<ServerDocument | null>;
  /** Servers that are online and miss three reports. */
  silent(nowMs: number, limit: number): Promise<ServerDocument[]>;
  setFacts(workspaceId: string, id: string, facts: ReportedFacts): Promise<void>;
  addDropped(counts: readonly DropCount[]): Promise<void>;
}

/** Reports in a row that may be missing. */
export const MISSED_REPORTS = 3;

const FACTS = {
  workspace_id: 1,
  name: 1,
  tags: 1,
  hostname: 1,
  status: 1,
  status_changed_at_ms: 1,
  report_interval_ms: 1,
} as const;

export function createServerStore(db: Db): ServerStore {
  const servers = db.collection<ServerDocument>('servers');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await servers.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, tags: 1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, _id: -1 } },
        { key: { status: 1, _id: 1 } },
      ]);
    },
    async insert(tx, server) {
      await servers.insertOne(server, { session: tx.session });
    },
    find: (workspaceId, id, tx) => servers.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findMany: (workspaceId, ids, tx) =>
      servers
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx))
        .project<ServerFacts>(FACTS)
        .toArray(),
    tagged: (workspaceId, tags, tx) =>
      servers
        .find({ workspace_id: workspaceId, ...(tags === null ? {} : { tags: { $in: [...tags] } }) }, within(tx))
        .project<ServerFacts>(FACTS)
        .toArray(),
    offline: (afterId, limit) =>
      servers
        .find({ status: 'offline', ...(afterId === null ? {} : { _id: { $gt: afterId } }) })
        .project<ServerFacts>(FACTS)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    list(workspaceId, filter, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return servers
        .find({ ...mongoFilter(workspaceId, filter), ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    online(workspaceId, afterId, limit) {
      const rest = afterId === null ? {} : { _id: { $gt: afterId } };
      return servers
        .find({ workspace_id: workspaceId, status: 'online', ...rest })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
    },
    change: (tx, server, change) =>
      servers.findOneAndUpdate(
        { _id: server._id, workspace_id: server.workspace_id, version: server.version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await servers.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    count: (tx, workspaceId, max) =>
      servers.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    lockQuota: createQuotaLock(db, 'server'),
    ...liveWrites(db),
  };
}

function liveWrites(
  db: Db,
): Pick<ServerStore, 'moveLive' | 'statuses' | 'setStatus' | 'silent' | 'setFacts' | 'addDropped'> {
  const servers = db.collection<ServerDocument>('servers');
  return {
    async moveLive(moves, of) {
      if (moves.length === 0) return 0;
      const { matchedCount } = await servers.bulkWrite(
        moves.map((move) => moveOf(move, of)),
        { ordered: false },
      );
      return matchedCount;
    },
    async statuses(ids) {
      const rows = await servers.find({ _id: { $in: [...ids] } }, { projection: { status: 1 } }).toArray();
      return new Map(rows.map((row) => [row._id, row.status]));
    },
    setStatus(tx, id, { from, to, atMs, silentSinceMs }) {
      const still = silentSinceMs === undefined ? {} : { 'live.received_at_ms': silentSinceMs };
      return servers.findOneAndUpdate(
        { _id: id, status: from, ...still },
        { $set: { status: to, status_changed_at_ms: atMs } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    silent(nowMs, limit) {
      const due = { $add: ['$live.received_at_ms', { $multiply: [MISSED_REPORTS, '$report_interval_ms'] }] };
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

/** `updateMany` of one `_id` asks for no retryable write, as monitors/live-store.ts explains. */
function moveOf({ workspaceId, serverId, atMs, receivedAtMs, report }: LiveMove, of: 'online' | 'any') {
  const operation: AnyBulkWriteOperation<ServerDocument> = {
    updateMany: {
      filter: {
        _id: serverId,
        workspace_id: workspaceId,
        'live.at_ms': { $not: { $gte: atMs } },
        ...(of === 'online' ? { status: 'online' as const } : {}),
      },
      update: { $set: { live: { at_ms: atMs, received_at_ms: receivedAtMs, report: new Binary(report) } } },
      hint: { _id: 1 },
    },
  };
  return operation;
}

function mongoFilter(workspaceId: string, { status, tag, q }: ServerFilter): Filter<ServerDocument> {
  const filter: Filter<ServerDocument> = { workspace_id: workspaceId };
  if (status !== undefined) filter.status = status;
  if (tag !== undefined) filter.tags = tag;
  if (q !== undefined) {
    const part = { $regex: q.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' };
    filter.$or = [{ name: part }, { hostname: part }, { ip: part }];
  }
  return filter;
}
