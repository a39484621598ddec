import type { Db } from 'mongodb';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../accounts/documents.js';
import { mayOperate } from '../accounts/operators.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { SessionDocument } from './documents.js';
import type { SessionWithOwner } from './validity.js';

/** Which sessions of a user: all, those in one workspace, all but one. */
export interface SessionFilter {
  workspaceId?: string;
  except?: string;
}

export interface SessionsStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: SessionDocument): Promise<void>;
  /** Resolves to the session with what its actor is made from, in one read; also an expired one. */
  findByHash(hash: string): Promise<SessionWithOwner | null>;
  /** Returns the sessions that have not expired, newest first. */
  list(
    userId: string,
    nowMs: number,
    page: PageRequest,
    filter: Pick<SessionFilter, 'workspaceId'>,
  ): Promise<SessionDocument[]>;
  /** Resolves to null when the person has no such session, or it has expired. */
  find(userId: string, id: string, nowMs: number): Promise<SessionDocument | null>;
  /** Each resolves to the sessions that it has ended. */
  end(
    tx: Transaction,
    userId: string,
    id: string,
    filter: Pick<SessionFilter, 'workspaceId'>,
  ): Promise<SessionDocument | null>;
  endByHash(tx: Transaction, hash: string): Promise<SessionDocument | null>;
  endAll(tx: Transaction, userId: string, filter: SessionFilter): Promise<SessionDocument[]>;
  /** Those that the identity provider of the workspace opened, for these people or, with null, for everybody. */
  endOfProvider(tx: Transaction, workspaceId: string, userIds: readonly string[] | null): Promise<SessionDocument[]>;
  /** Returns the ids of the people with such a session. */
  peopleOfProvider(tx: Transaction, workspaceId: string): Promise<string[]>;
  /** Ends the oldest sessions of a user beyond the newest `max`, outside a transaction. */
  trim(userId: string, max: number): Promise<void>;
  /** Sets fields of a session. Resolves to the changed session; null when it has ended. */
  update(tx: Transaction, id: string, fields: Partial<SessionDocument>): Promise<SessionDocument | null>;
  /** Records a use of the session, and that it therefore ends later. */
  touch(id: string, atMs: number, expiresAtMs: number): Promise<void>;
}

interface Joined {
  session: SessionDocument;
  user: UserDocument[];
  workspace: WorkspaceDocument[];
  membership: MembershipDocument[];
  operating: MembershipDocument[];
}

const OWNER = [
  { $project: { _id: 0, session: '$$ROOT' } },
  { $lookup: { from: 'users', localField: 'session.user_id', foreignField: '_id', as: 'user' } },
  { $lookup: { from: 'workspaces', localField: 'session.workspace_id', foreignField: '_id', as: 'workspace' } },
  { $set: { membership_id: { $concat: ['$session.workspace_id', '/', '$session.user_id'] } } },
  { $lookup: { from: 'memberships', localField: 'membership_id', foreignField: '_id', as: 'membership' } },
  { $lookup: { from: 'workspaces', pipeline: [{ $match: { operates_installation: true } }], as: 'operators' } },
  { $set: { operating_id: { $concat: [{ $first: '$operators._id' }, '/', '$session.user_id'] } } },
  { $lookup: { from: 'memberships', localField: 'operating_id', foreignField: '_id', as: 'operating' } },
];

export function createSessionsStore(db: Db): SessionsStore {
  const sessions = db.collection<SessionDocument>('sessions');
  return {
    async ensureIndexes() {
      await sessions.createIndex({ token_hash: 1 }, { unique: true });
      await sessions.createIndex({ user_id: 1, _id: -1 });
      await sessions.createIndex({ provider_workspace_id: 1 }, { sparse: true });
      await sessions.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async insert(tx, document) {
      await sessions.insertOne(document, { session: tx.session });
    },
    async findByHash(token_hash) {
      const found = await sessions.aggregate<Joined>([{ $match: { token_hash } }, { $limit: 1 }, ...OWNER]).next();
      const [user, workspace] = [found?.user[0], found?.workspace[0]];
      if (found === null || user === undefined || workspace === undefined) return null;
      const isOperator = found.operating.some(({ role }) => mayOperate(role));
      return { session: found.session, user, workspace, membership: found.membership[0] ?? null, isOperator };
    },
    list(user_id, nowMs, page, { workspaceId }) {
      const { filter, sort } = newestFirst(page.after);
      return sessions
        .find({
          ...{ user_id, expires_at_ms: { $gt: nowMs }, ...filter },
          ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
        })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (user_id, _id, nowMs) => sessions.findOne({ _id, user_id, expires_at_ms: { $gt: nowMs } }),
    end(tx, user_id, _id, { workspaceId }) {
      const filter = { _id, user_id, ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }) };
      return sessions.findOneAndDelete(filter, { session: tx.session });
    },
    endByHash: (tx, token_hash) => sessions.findOneAndDelete({ token_hash }, { session: tx.session }),
    async endAll(tx, user_id, { workspaceId, except }) {
      const filter = {
        user_id,
        ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
        ...(except === undefined ? {} : { _id: { $ne: except } }),
      };
      const ended = await sessions.find(filter, { session: tx.session }).toArray();
      if (ended.length > 0) {
        await sessions.deleteMany({ user_id, _id: { $in: ended.map(({ _id }) => _id) } }, { session: tx.session });
      }
      return ended;
    },
    async endOfProvider(tx, provider_workspace_id, userIds) {
      const filter = { provider_workspace_id, ...(userIds === null ? {} : { user_id: { $in: [...userIds] } }) };
      const ended = await sessions.find(filter, { session: tx.session }).toArray();
      if (ended.length > 0) await sessions.deleteMany(filter, { session: tx.session });
      return ended;
    },
    async peopleOfProvider(tx, provider_workspace_id) {
      const stages = [{ $match: { provider_workspace_id } }, { $group: { _id: '$user_id' } }];
      const found = await sessions.aggregate<{ _id: string }>(stages, { session: tx.session }).toArray();
      return found.map(({ _id }) => _id);
    },
    async trim(user_id, max) {
      const oldest = await sessions
        .find({ user_id }, { projection: { _id: 1 }, sort: { _id: -1 }, skip: max })
        .toArray();
      if (oldest.length > 0) await sessions.deleteMany({ user_id, _id: { $in: oldest.map(({ _id }) => _id) } });
    },
    update: (tx, _id, fields) =>
      sessions.findOneAndUpdate({ _id }, { $set: fields }, { session: tx.session, returnDocument: 'after' }),
    async touch(_id, atMs, expiresAtMs) {
      const use = { last_used_at_ms: atMs, expires_at_ms: expiresAtMs, expires_at: new Date(expiresAtMs) };
      // Control planes write in any order, so an earlier use must not replace a later one.
      await sessions.updateOne({ _id, last_used_at_ms: { $lt: atMs } }, { $set: use }, { writeConcern: { w: 1 } });
    },
  };
}
