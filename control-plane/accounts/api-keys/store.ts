import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import { createNamedCounts, type NamedCounts } from '../../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../documents.js';
import type { ApiKeyDocument } from './documents.js';

/** A key with the documents that its actor is made from. */
export interface KeyWithOwner {
  key: ApiKeyDocument;
  workspace: WorkspaceDocument;
  user: UserDocument;
  /** null once the creator of the key has left the workspace. */
  membership: MembershipDocument | null;
}

export interface ApiKeysStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: ApiKeyDocument): Promise<void>;
  /** Counts the keys that are neither revoked nor expired, up to `max`. */
  lockAndCountActive: LockAndCount<[atMs: number]>;
  /** Those that are neither revoked nor expired, and those of them that have scopes. */
  active(clock: Pick<Clock, 'now'>): { all: NamedCounts; scoped: NamedCounts };
  /** Takes no workspace, because the key determines it. */
  findByHash(hash: string): Promise<KeyWithOwner | null>;
  /** Returns the keys that are not revoked, newest first. */
  list(workspaceId: string, page: PageRequest): Promise<ApiKeyDocument[]>;
  /** Resolves to null when there is no such key, or it is revoked. */
  find(workspaceId: string, id: string): Promise<ApiKeyDocument | null>;
  /** Like `find`, as the transaction sees it. */
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<ApiKeyDocument | null>;
  /** Resolves to null when there is no such key, or it is already revoked. */
  revoke(tx: Transaction, workspaceId: string, id: string, atMs: number): Promise<ApiKeyDocument | null>;
  /** Revokes the keys that a person created in a workspace. Resolves to how many of them were not revoked before. */
  revokeAllOf(tx: Transaction, workspaceId: string, userId: string, atMs: number): Promise<number>;
  /** Takes no workspace, because it is called with the id of a key that was just authenticated. */
  touch(id: string, atMs: number, network: string): Promise<void>;
  /** Notes the key that replaces this one, which ends at `endsAtMs` or at its own earlier expiry. */
  replace(
    tx: Transaction,
    workspaceId: string,
    id: string,
    replacement: { by: string; endsAtMs: number },
  ): Promise<ApiKeyDocument | null>;
  /**
   * Returns keys of all workspaces that expire in the range, are neither revoked nor replaced, and for which no reminder
   * was sent.
   */
  expiring(range: { fromMs: number; toMs: number; rowsMax: number }): Promise<ApiKeyDocument[]>;
  /** Notes that the reminder of a key's expiry was sent. Resolves to false when that was noted before. */
  noteReminder(tx: Transaction, workspaceId: string, id: string, atMs: number): Promise<boolean>;
}

export function createApiKeysStore(db: Db): ApiKeysStore {
  const keys = db.collection<ApiKeyDocument>('api_keys');
  return {
    async ensureIndexes() {
      await keys.createIndex({ hash: 1 }, { unique: true });
      await keys.createIndex({ workspace_id: 1, _id: -1 });
      await keys.createIndex({ workspace_id: 1, revoked_at_ms: 1, expires_at_ms: 1 });
      // Of keys that expire; the reminders look for them.
      await keys.createIndex(
        { expires_at_ms: 1 },
        { name: 'expiring', partialFilterExpression: { expires_at_ms: { $type: 'number' } } },
      );
    },
    async insert(tx, document) {
      await keys.insertOne(document, { session: tx.session });
    },
    lockAndCountActive: createLockAndCount(db, 'api_key', (tx, workspaceId, max, atMs: number) => {
      // Unlike $gt, this includes null, so one range of the index has them all.
      const active = { workspace_id: workspaceId, revoked_at_ms: null, expires_at_ms: { $not: { $lte: atMs } } };
      return keys.countDocuments(active, { session: tx.session, limit: max });
    }),
    active: (clock) => activeCounts(keys, clock),
    findByHash: (hash) => withOwner(keys, hash),
    list(workspaceId, page) {
      const { filter, sort } = newestFirst(page.after);
      return keys
        .find({ workspace_id: workspaceId, revoked_at_ms: null, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (workspace_id, _id) => keys.findOne({ _id, workspace_id, revoked_at_ms: null }),
    findIn: (tx, workspace_id, _id) =>
      keys.findOne({ _id, workspace_id, revoked_at_ms: null }, { session: tx.session }),
    revoke: (tx, workspaceId, id, atMs) =>
      keys.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, revoked_at_ms: null },
        { $set: { revoked_at_ms: atMs } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async revokeAllOf(tx, workspace_id, user_id, atMs) {
      const { modifiedCount } = await keys.updateMany(
        { workspace_id, user_id, revoked_at_ms: null },
        { $set: { revoked_at_ms: atMs } },
        { session: tx.session },
      );
      return modifiedCount;
    },
    async touch(id, atMs, network) {
      // $max, because control planes write in any order.
      await keys.updateOne(
        { _id: id },
        { $max: { last_used_at_ms: atMs }, $set: { last_used_network: network } },
        { writeConcern: { w: 1 } },
      );
    },
    replace: (tx, workspaceId, id, { by, endsAtMs }) =>
      keys.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, revoked_at_ms: null },
        [{ $set: { replaced_by: by, expires_at_ms: { $min: ['$expires_at_ms', endsAtMs] } } }],
        { session: tx.session, returnDocument: 'after' },
      ),
    ...createReminders(keys),
  };
}

function activeCounts(keys: Collection<ApiKeyDocument>, clock: Pick<Clock, 'now'>): ReturnType<ApiKeysStore['active']> {
  const active = () => ({ revoked_at_ms: null, expires_at_ms: { $not: { $lte: clock.now() } } });
  const nameOf = ({ name }: ApiKeyDocument) => name;
  return {
    all: createNamedCounts(keys, nameOf, active),
    scoped: createNamedCounts(keys, nameOf, () => ({ ...active(), scopes: { $ne: '*' as const } })),
  };
}

async function withOwner(keys: Collection<ApiKeyDocument>, hash: string): Promise<KeyWithOwner | null> {
  const found = await keys
    .aggregate<{
      key: ApiKeyDocument;
      workspace: WorkspaceDocument[];
      user: UserDocument[];
      membership: MembershipDocument[];
    }>([
      { $match: { hash } },
      { $limit: 1 },
      { $project: { _id: 0, key: '$$ROOT' } },
      { $lookup: { from: 'workspaces', localField: 'key.workspace_id', foreignField: '_id', as: 'workspace' } },
      { $lookup: { from: 'users', localField: 'key.user_id', foreignField: '_id', as: 'user' } },
      { $set: { membership_id: { $concat: ['$key.workspace_id', '/', '$key.user_id'] } } },
      { $lookup: { from: 'memberships', localField: 'membership_id', foreignField: '_id', as: 'membership' } },
    ])
    .next();
  const [workspace, user] = [found?.workspace[0], found?.user[0]];
  if (found === null || workspace === undefined || user === undefined) return null;
  return { key: found.key, workspace, user, membership: found.membership[0] ?? null };
}

/** What the reminders of expiry read and write. */
function createReminders(keys: Collection<ApiKeyDocument>): Pick<ApiKeysStore, 'expiring' | 'noteReminder'> {
  return {
    expiring: ({ fromMs, toMs, rowsMax }) =>
      keys
        .find({
          expires_at_ms: { $gt: fromMs, $lte: toMs },
          revoked_at_ms: null,
          replaced_by: { $exists: false },
          reminded_at_ms: { $exists: false },
        })
        .sort({ expires_at_ms: 1 })
        .limit(rowsMax)
        .toArray(),
    async noteReminder(tx, workspaceId, id, atMs) {
      const noted = await keys.updateOne(
        { _id: id, workspace_id: workspaceId, revoked_at_ms: null, reminded_at_ms: { $exists: false } },
        { $set: { reminded_at_ms: atMs } },
        { session: tx.session },
      );
      return noted.modifiedCount === 1;
    },
  };
}
