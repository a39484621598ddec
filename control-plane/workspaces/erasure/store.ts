import type { Collection, Db, Filter, FindOptions } from 'mongodb';
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

/** One call of the database must not take long, however much there is (`storage/deadlines.ts`). */
const DELETED_PER_CALL_MAX = 2_000;
const READ_PER_CALL_MAX = 5_000;
const OWNERS_PER_CALL_MAX = 500;
const PAGE: FindOptions = { projection: { workspace_id: 1 }, sort: { _id: 1 } };

/** Which people are linked with the identity provider of a workspace, which `provider` names. */
const IDENTITIES = 'single_sign_on_identities';

/** Deletes what was requested to be deleted, and nothing else. */
export interface ErasureStore {
  ensureIndexes(): Promise<void>;
  /** Returns workspaces and people whose time is up, at most `max` of each. */
  dueWorkspaces(nowMs: number, max: number): Promise<WorkspaceDocument[]>;
  duePeople(nowMs: number, max: number): Promise<UserDocument[]>;
  /** Returns a person whose time is up; null if the deletion was taken back or moved. */
  duePerson(tx: Transaction, userId: string, nowMs: number): Promise<UserDocument | null>;
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

  return {
    async ensureIndexes() {
      for (const collection of [workspaces, users]) {
        await collection.createIndex(
          { 'deletion.at_ms': 1 },
          { name: 'deletion', partialFilterExpression: { 'deletion.at_ms': { $type: 'number' } } },
        );
      }
    },
    dueWorkspaces: (nowMs, max) => workspaces.find(due(nowMs)).limit(max).toArray(),
    duePeople: (nowMs, max) => users.find(due(nowMs)).limit(max).toArray(),
    duePerson: (tx, userId, nowMs) => users.findOne({ _id: userId, ...due(nowMs) }, { session: tx.session }),
    async eraseWorkspace(workspaceId, mayGoOn) {
      if (!(await eraseHistory(db, workspaceId, mayGoOn))) return false;
      if (!(await eraseCollections(db, workspaceId, mayGoOn))) return false;
      await workspaces.deleteOne({ _id: workspaceId });
      return true;
    },
    async removePerson(tx, userId) {
      for (const name of ['one_time_tokens', 'known_devices', 'sessions', IDENTITIES]) {
        await plain(db, name).deleteMany({ user_id: userId }, { session: tx.session });
      }
      await plain(db, 'membership_quotas').deleteOne({ _id: userId }, { session: tx.session });
      await users.deleteOne({ _id: userId }, { session: tx.session });
    },
  };
}

type MayGoOn = () => Promise<boolean>;

async function eraseHistory(db: Db, workspace_id: string, mayGoOn: MayGoOn): Promise<boolean> {
  for (const owners of ['monitors', 'servers'] as const) {
    for (let after = ''; ; ) {
      const page = await plain(db, owners)
        .find({ workspace_id, _id: { $gt: after } }, PAGE)
        .limit(OWNERS_PER_CALL_MAX)
        .toArray();
      for (const { _id } of page) {
        for (const name of HISTORY[owners]) {
          if (!(await erase(plain(db, name), historyOf(_id, workspace_id), mayGoOn))) return false;
        }
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last._id;
    }
  }
  return true;
}

/** Deletes what names the workspace in all collections, also what was left of monitors and servers deleted earlier. */
async function eraseCollections(db: Db, workspaceId: string, mayGoOn: MayGoOn): Promise<boolean> {
  if (!(await erase(plain(db, IDENTITIES), { provider: workspaceId }, mayGoOn))) return false;
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  for (const name of names) {
    if (name === 'workspaces' || name.startsWith('system.')) continue;
    const collection = plain(db, name);
    const erased = (await hasWorkspaceIndex(collection))
      ? await erase(
          collection,
          { $or: [{ workspace_id: workspaceId }, { _id: workspaceId }, { _id: ofPart(workspaceId) }] },
          mayGoOn,
        )
      : await eraseInPages(collection, workspaceId, mayGoOn);
    if (!erased) return false;
  }
  return true;
}

/** Deletes what the filter finds. The filter must use an index. */
async function erase(collection: Collection<PlainDocument>, filter: Filter<PlainDocument>, mayGoOn: MayGoOn) {
  for (;;) {
    if (!(await mayGoOn())) return false;
    const found = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(DELETED_PER_CALL_MAX)
      .toArray();
    if (found.length > 0) await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    if (found.length < DELETED_PER_CALL_MAX) return true;
  }
}

/**
 * Deletes the documents of a workspace from a collection that has no index on the workspace. It reads the whole collection
 * in pages: the ids of a collection are of one type, so they have one order.
 */
async function eraseInPages(collection: Collection<PlainDocument>, workspaceId: string, mayGoOn: MayGoOn) {
  for (let after: string | null = null; ; ) {
    if (!(await mayGoOn())) return false;
    const page: PlainDocument[] = await collection
      .find(after === null ? {} : { _id: { $gt: after } }, PAGE)
      .limit(READ_PER_CALL_MAX)
      .toArray();
    const own = page.filter((one) => isOf(workspaceId, one));
    if (own.length > 0) await collection.deleteMany({ _id: { $in: own.map(({ _id }) => _id) } });
    const last = page.at(-1);
    if (last === undefined || page.length < READ_PER_CALL_MAX) return true;
    after = last._id;
  }
}

/** Some ids are that of the workspace and the name of a part, with a colon between them. */
function ofPart(workspaceId: string) {
  return { $gte: `${workspaceId}:`, $lt: `${workspaceId};` };
}

function isOf(workspaceId: string, { _id, workspace_id }: PlainDocument): boolean {
  // Not all ids are texts.
  return workspace_id === workspaceId || _id === workspaceId || String(_id).startsWith(`${workspaceId}:`);
}

async function hasWorkspaceIndex(collection: Collection<PlainDocument>): Promise<boolean> {
  const indexes = await collection.indexes();
  return indexes.some(
    ({ key, partialFilterExpression }) =>
      partialFilterExpression === undefined && Object.keys(key)[0] === 'workspace_id',
  );
}

interface PlainDocument {
  _id: string;
  workspace_id?: string;
  user_id?: string;
  provider?: string;
}

function plain(db: Db, name: string): Collection<PlainDocument> {
  return db.collection<PlainDocument>(name);
}

/** `0` is the character after `/`, which ends the id of the monitor or server. */
function historyOf(id: string, workspace_id: string): Filter<PlainDocument> {
  return { $or: [{ _id: id }, { _id: { $gte: `${id}/`, $lt: `${id}0` } }], workspace_id };
}

/** Both kinds of documents have the field `deletion`. */
function due(nowMs: number) {
  return { 'deletion.at_ms': { $type: 'number', $lte: nowMs } } as const;
}
