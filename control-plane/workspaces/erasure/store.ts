import type { Collection, Db, Filter } from 'mongodb';
import type { UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import type { Transaction } from '../../storage/transaction.js';

/** Collections whose ids begin with that of a monitor or server. They have no index on the workspace. */
const HISTORY = {
  monitors: ['results', 'result_minutes', 'result_hours', 'rollup_heads'],
  servers: [
    ...['server_reports', 'server_reports_set_aside', 'server_hours_set_aside'],
    ...['server_metrics', 'server_metrics_1m', 'server_metrics_1h'],
  ],
} as const;

/** Deletes what was requested to be deleted, and nothing else. */
export interface ErasureStore {
  ensureIndexes(): Promise<void>;
  /** Returns workspaces and people whose time is up, at most `max` of each. */
  dueWorkspaces(nowMs: number, max: number): Promise<WorkspaceDocument[]>;
  duePeople(nowMs: number, max: number): Promise<UserDocument[]>;
  /**
   * Deletes every document of a workspace, and the workspace last: after a crash, the next run goes on. Resolves to false
   * when `mayGoOn` said no before the end.
   */
  eraseWorkspace(workspaceId: string, mayGoOn: () => Promise<boolean>): Promise<boolean>;
  removePerson(tx: Transaction, userId: string): Promise<void>;
}

export function createErasureStore(db: Db): ErasureStore {
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  const users = db.collection<UserDocument>('users');

  async function eraseHistory(workspaceId: string, mayGoOn: () => Promise<boolean>): Promise<boolean> {
    for (const owners of ['monitors', 'servers'] as const) {
      const ids = db.collection<{ _id: string; workspace_id: string }>(owners).find({ workspace_id: workspaceId });
      for await (const { _id } of ids.project<{ _id: string }>({ _id: 1 })) {
        if (!(await mayGoOn())) return false;
        for (const name of HISTORY[owners]) await plain(db, name).deleteMany(historyOf(_id, workspaceId));
      }
    }
    return true;
  }

  return {
    async ensureIndexes() {
      for (const collection of [workspaces, users] as unknown as Collection[]) {
        await collection.createIndex(
          { 'deletion.at_ms': 1 },
          { name: 'deletion', partialFilterExpression: { 'deletion.at_ms': { $type: 'number' } } },
        );
      }
    },
    dueWorkspaces: (nowMs, max) => workspaces.find(due<WorkspaceDocument>(nowMs)).limit(max).toArray(),
    duePeople: (nowMs, max) => users.find(due<UserDocument>(nowMs)).limit(max).toArray(),
    async eraseWorkspace(workspaceId, mayGoOn) {
      if (!(await eraseHistory(workspaceId, mayGoOn))) return false;
      const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      for (const name of names) {
        if (name === 'workspaces' || name.startsWith('system.')) continue;
        if (!(await mayGoOn())) return false;
        await plain(db, name).deleteMany({ $or: [{ workspace_id: workspaceId }, { _id: workspaceId }] });
      }
      await workspaces.deleteOne({ _id: workspaceId });
      return true;
    },
    async removePerson(tx, userId) {
      for (const name of ['one_time_tokens', 'known_devices', 'sessions']) {
        await plain(db, name).deleteMany({ user_id: userId }, { session: tx.session });
      }
      await plain(db, 'membership_quotas').deleteOne({ _id: userId }, { session: tx.session });
      await users.deleteOne({ _id: userId }, { session: tx.session });
    },
  };
}

interface PlainDocument {
  _id: string;
  workspace_id?: string;
  user_id?: string;
}

function plain(db: Db, name: string): Collection<PlainDocument> {
  return db.collection<PlainDocument>(name);
}

/** `0` is the character after `/`, which ends the id of the monitor or server. */
function historyOf(id: string, workspace_id: string): Filter<PlainDocument> {
  return { $or: [{ _id: id }, { _id: { $gte: `${id}/`, $lt: `${id}0` } }], workspace_id };
}

function due<Document extends { deletion?: { at_ms: number } | null }>(nowMs: number): Filter<Document> {
  return { 'deletion.at_ms': { $type: 'number', $lte: nowMs } } as unknown as Filter<Document>;
}
