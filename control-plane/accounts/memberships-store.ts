import type { Db } from 'mongodb';
import type { Role } from '../actor.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import { createQuotaLock, type LockQuota } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument, UserDocument } from './documents.js';

export interface MembershipsStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: MembershipDocument): Promise<void>;
  /** Resolves to null when the person is not a member of the workspace. */
  find(tx: Transaction, workspaceId: string, userId: string): Promise<MembershipDocument | null>;
  /** The same outside a transaction. */
  membership(workspaceId: string, userId: string): Promise<MembershipDocument | null>;
  /** The members of a workspace. */
  count(workspaceId: string): Promise<number>;
  /** Resolves to all memberships of a person; there are at most 100. */
  of(tx: Transaction, userId: string): Promise<MembershipDocument[]>;
  /** Returns a page of the memberships of a person, the newest workspace first. */
  page(userId: string, page: PageRequest): Promise<MembershipDocument[]>;
  /** Resolves to whether the workspace has an owner other than this person. */
  hasOtherOwner(tx: Transaction, workspaceId: string, userId: string): Promise<boolean>;
  /** Resolves to whether the person is a member of a workspace other than this one. */
  hasOtherWorkspace(tx: Transaction, userId: string, workspaceId: string): Promise<boolean>;
  setRole(tx: Transaction, workspaceId: string, userId: string, role: Role): Promise<void>;
  remove(tx: Transaction, workspaceId: string, userId: string): Promise<void>;
  /** Resolves to the ids of the owners of a workspace. */
  owners(tx: Transaction, workspaceId: string): Promise<string[]>;
  /** Resolves to who owns each of these workspaces. */
  ownersOf(workspaceIds: readonly string[]): Promise<{ workspaceId: string; userId: string }[]>;
  /**
   * Resolves to the membership of the workspace in which the person worked last, else to the newest; null without any. A
   * log-in that names no workspace opens it.
   */
  lastOf(user: Pick<UserDocument, '_id' | 'last_workspace_id'>, tx?: Transaction): Promise<MembershipDocument | null>;
  /** Resolves to at most `max` memberships of a person, the newest first. */
  newest(tx: Transaction, userId: string, max: number): Promise<MembershipDocument[]>;
  /** Records that the person used the workspace. Does nothing for a person who left. */
  touch(workspaceId: string, userId: string, atMs: number): Promise<void>;
  /** Until the commit, no other transaction that calls this changes who is in the workspace, and with which role. */
  lockWorkspace: LockQuota;
  /** Until the commit, no other transaction that calls this adds the person to a workspace. */
  lockPerson(tx: Transaction, userId: string): Promise<void>;
  /** Counts up to `max`. */
  countMembers(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /** Counts up to `max`. */
  countWorkspaces(tx: Transaction, userId: string, max: number): Promise<number>;
}

/** Workspaces of one query. */
const WORKSPACES_PER_READ = 1_000;

export function createMembershipsStore(db: Db): MembershipsStore {
  const memberships = db.collection<MembershipDocument>('memberships');
  return {
    async ensureIndexes() {
      await memberships.createIndex({ user_id: 1, _id: -1 });
      await memberships.createIndex({ workspace_id: 1, role: 1 });
    },
    async insert(tx, document) {
      await memberships.insertOne(document, { session: tx.session });
    },
    find: (tx, workspaceId, userId) =>
      memberships.findOne({ _id: membershipId(workspaceId, userId) }, { session: tx.session }),
    membership: (workspaceId, userId) => memberships.findOne({ _id: membershipId(workspaceId, userId) }),
    count: (workspace_id) => memberships.countDocuments({ workspace_id }),
    of: (tx, user_id) => memberships.find({ user_id }, { session: tx.session }).sort({ _id: -1 }).toArray(),
    page(user_id, page) {
      const { filter, sort } = newestFirst(page.after);
      return memberships
        .find({ user_id, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .batchSize(page.rowsMax)
        .toArray();
    },
    async hasOtherOwner(tx, workspace_id, userId) {
      const other = { workspace_id, role: 'owner' as const, user_id: { $ne: userId } };
      return (await memberships.findOne(other, { session: tx.session, projection: { _id: 1 } })) !== null;
    },
    async hasOtherWorkspace(tx, user_id, workspaceId) {
      const other = { user_id, workspace_id: { $ne: workspaceId } };
      return (await memberships.findOne(other, { session: tx.session, projection: { _id: 1 } })) !== null;
    },
    async setRole(tx, workspaceId, userId, role) {
      const change = { $set: { role }, $inc: { changes: 1 } };
      await memberships.updateOne({ _id: membershipId(workspaceId, userId) }, change, { session: tx.session });
    },
    async remove(tx, workspaceId, userId) {
      await memberships.deleteOne({ _id: membershipId(workspaceId, userId) }, { session: tx.session });
    },
    async owners(tx, workspace_id) {
      const found = await memberships.find({ workspace_id, role: 'owner' }, { session: tx.session }).toArray();
      return found.map(({ user_id }) => user_id);
    },
    async ownersOf(workspaceIds) {
      const owners: { workspaceId: string; userId: string }[] = [];
      for (let start = 0; start < workspaceIds.length; start += WORKSPACES_PER_READ) {
        const workspace_id = { $in: workspaceIds.slice(start, start + WORKSPACES_PER_READ) };
        const projection = { _id: 0, workspace_id: 1, user_id: 1 };
        for await (const found of memberships.find({ workspace_id, role: 'owner' }, { projection }))
          owners.push({ workspaceId: found.workspace_id, userId: found.user_id });
      }
      return owners;
    },
    async lastOf({ _id: user_id, last_workspace_id: last }, tx) {
      const options = tx === undefined ? {} : { session: tx.session };
      return (
        (last === undefined ? null : await memberships.findOne({ _id: membershipId(last, user_id) }, options)) ??
        (await memberships.findOne({ user_id }, { ...options, sort: { created_at_ms: -1, _id: -1 } }))
      );
    },
    newest: (tx, user_id, max) =>
      memberships.find({ user_id }, { session: tx.session }).sort({ created_at_ms: -1, _id: -1 }).limit(max).toArray(),
    async touch(workspaceId, userId, atMs) {
      // $max, because control planes write in any order.
      const use = { $max: { last_active_at_ms: atMs } };
      await memberships.updateOne({ _id: membershipId(workspaceId, userId) }, use, { writeConcern: { w: 1 } });
    },
    lockWorkspace: createQuotaLock(db, 'member'),
    lockPerson: createQuotaLock(db, 'membership'),
    countMembers: (tx, workspace_id, max) =>
      memberships.countDocuments({ workspace_id }, { session: tx.session, limit: max }),
    countWorkspaces: (tx, user_id, max) => memberships.countDocuments({ user_id }, { session: tx.session, limit: max }),
  };
}

export function membershipId(workspaceId: string, userId: string): string {
  return `${workspaceId}/${userId}`;
}
