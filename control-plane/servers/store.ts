import type { Collection, Db, Filter } from 'mongodb';
import type { CountAmong } from '../dependencies/dependencies.js';
import { containing } from '../storage/containing.js';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import type { ListedServer, ServerDocument, ServerStatus } from './documents.js';
import { createLiveStore, type LiveStore } from './live-store.js';
import type { ForecastStore, ServerDirectory, ServerFacts } from './servers.js';

export interface ServerFilter {
  status?: ServerStatus;
  tag?: string;
  /** Part of the name, the host name or the IP address, case-insensitive. */
  q?: string;
  /** Only online servers with a disk that will be full by then, in milliseconds since the Unix epoch. */
  fullByMs?: number;
}

/** An online server with its latest sample. */
export type SampledServer = Pick<ServerDocument, '_id' | 'name' | 'live'>;

export type ServerChange = Partial<Pick<ServerDocument, 'name' | 'tags' | 'updated_at_ms'>>;

export interface ServerStore extends ServerDirectory, ForecastStore, LiveStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, server: ServerDocument): Promise<void>;
  /** Newest first. */
  list(workspaceId: string, filter: ServerFilter, afterId: string | null, rowsMax: number): Promise<ListedServer[]>;
  /** Returns the servers of the workspace with one of these ids or tags, the oldest first. */
  watched(
    workspaceId: string,
    by: { ids: readonly string[]; tags: readonly string[] },
    rowsMax: number,
  ): Promise<ServerFacts[]>;
  /** Returns the online servers, for exports; oldest first. */
  online(workspaceId: string, afterId: string | null, limit: number): Promise<SampledServer[]>;
  /** Updates the fields that users can change. Resolves to null if the server has another version. */
  change(tx: Transaction, server: ServerDocument, change: ServerChange): Promise<ServerDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /** Counts the servers with one of these ids or tags. */
  countAmong: CountAmong;
  named: NamedCounts;
  lockAndCount: LockAndCount;
}

const FACTS = {
  workspace_id: 1,
  name: 1,
  tags: 1,
  hostname: 1,
  status: 1,
  status_changed_at_ms: 1,
  report_interval_ms: 1,
} as const;

export function createServerStore(db: Db, setAside: SetAside): ServerStore {
  const servers = db.collection<ServerDocument>('servers');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  const count: LockAndCount = (tx, workspaceId, max) =>
    servers.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max });
  return {
    async ensureIndexes() {
      await servers.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, tags: 1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, _id: -1 } },
        { key: { status: 1, _id: 1 } },
        {
          key: { workspace_id: 1, 'disk_forecast.full_at_ms': 1 },
          partialFilterExpression: { 'disk_forecast.full_at_ms': { $gt: 0 } },
        },
      ]);
    },
    named: createNamedCounts(servers, ({ name }) => name),
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
    watched: (workspaceId, { ids, tags }, rowsMax) =>
      servers
        .find({ workspace_id: workspaceId, $or: [{ _id: { $in: [...ids] } }, { tags: { $in: [...tags] } }] })
        .project<ServerFacts>(FACTS)
        .sort({ _id: 1 })
        .limit(rowsMax)
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
        .project<ListedServer>({ 'inventory.disks': 0, 'inventory.interfaces': 0 })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    countAmong: (workspaceId, { ids, tags }, max, tx) =>
      servers.countDocuments(
        { workspace_id: workspaceId, $or: [{ _id: { $in: [...ids] } }, { tags: { $in: [...tags] } }] },
        { ...within(tx), limit: max },
      ),
    online(workspaceId, afterId, limit) {
      const rest = afterId === null ? {} : { _id: { $gt: afterId } };
      return servers
        .find({ workspace_id: workspaceId, status: 'online', ...rest })
        .project<SampledServer>({ name: 1, live: 1 })
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
    count,
    lockAndCount: createLockAndCount(db, 'server', count),
    ...createLiveStore(db, setAside),
    ...createForecastStore(servers),
  };
}

function createForecastStore(servers: Collection<ServerDocument>): ForecastStore {
  return {
    workspacesOnline: () => servers.distinct('workspace_id', { status: 'online' }),
    async setForecast({ workspaceId, serverId }, forecast) {
      const isChange = forecast === null ? { disk_forecast: { $ne: null } } : {};
      await servers.updateOne(
        { _id: serverId, workspace_id: workspaceId, ...isChange },
        { $set: { disk_forecast: forecast } },
      );
    },
  };
}

function mongoFilter(workspaceId: string, { status, tag, q, fullByMs }: ServerFilter): Filter<ServerDocument> {
  const filter: Filter<ServerDocument> = { workspace_id: workspaceId };
  if (status !== undefined) filter.status = status;
  if (tag !== undefined) filter.tags = tag;
  if (fullByMs !== undefined) {
    filter.$and = [{ status: 'online' }];
    filter['disk_forecast.full_at_ms'] = { $gt: 0, $lte: fullByMs };
  }
  if (q !== undefined) {
    const part = containing(q);
    filter.$or = [{ name: part }, { hostname: part }, { ip: part }];
  }
  return filter;
}
