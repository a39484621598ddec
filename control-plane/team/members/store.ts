import type { Db } from 'mongodb';
import type { MembershipDocument, UserDocument } from '../../accounts/documents.js';
import type { Role } from '../../actor.js';
import { containing } from '../../storage/containing.js';
import { newestFirstBy, type PageRequest, type TimePosition } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';

/** A membership with the account of its person. */
export interface Member {
  membership: MembershipDocument;
  user: Pick<UserDocument, '_id' | 'email'>;
}

/** The fields that a list of members reads of an account. It needs no password hash. */
const ACCOUNT_FIELDS = { email: 1 } as const;

export interface MembersStore {
  ensureIndexes(): Promise<void>;
  /** The members who joined last first. `role`: only those with this role. `q`: only those with it in the address. */
  list(
    workspaceId: string,
    filter: { role?: Role | undefined; q?: string | undefined },
    page: PageRequest<TimePosition>,
  ): Promise<Member[]>;
  find(workspaceId: string, userId: string): Promise<Member | null>;
  findIn(tx: Transaction, workspaceId: string, userId: string): Promise<Member | null>;
  /** Resolves to the present roles of these people by user, without those who left. */
  roles(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Role>>;
}

/** Reads members with their accounts. */
export function createMembersStore(db: Db): MembersStore {
  const memberships = db.collection<MembershipDocument>('memberships');
  const users = db.collection<UserDocument>('users');

  async function withUsers(found: readonly MembershipDocument[], tx?: Transaction): Promise<Member[]> {
    if (found.length === 0) return [];
    const ids = found.map(({ user_id }) => user_id);
    const accounts = await users
      .find({ _id: { $in: ids } }, { ...sessionOf(tx), projection: ACCOUNT_FIELDS })
      .limit(ids.length)
      // Without it, the first answer of the database has 101 documents, and the rest cost another round trip.
      .batchSize(ids.length)
      .toArray();
    const byId = new Map(accounts.map((user) => [user._id, user]));
    return found.flatMap((membership) => {
      const user = byId.get(membership.user_id);
      return user === undefined ? [] : [{ membership, user }];
    });
  }

  /** Resolves to the members with this part in their address. A workspace has at most 1,000 members. */
  async function withAddress(workspace_id: string, q: string): Promise<string[]> {
    const members = await memberships.find({ workspace_id }, { projection: { user_id: 1 } }).toArray();
    const ids = members.map(({ user_id }) => user_id);
    const found = users.find({ _id: { $in: ids }, email: containing(q) }, { projection: { _id: 1 } });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async function findOne(workspace_id: string, user_id: string, tx?: Transaction): Promise<Member | null> {
    const membership = await memberships.findOne({ workspace_id, user_id }, sessionOf(tx));
    return membership === null ? null : ((await withUsers([membership], tx))[0] ?? null);
  }

  return {
    async ensureIndexes() {
      await memberships.createIndex({ workspace_id: 1, created_at_ms: -1, _id: -1 });
    },
    async list(workspaceId, { role, q }, page) {
      const among = q === undefined ? {} : { user_id: { $in: await withAddress(workspaceId, q) } };
      const { filter, sort } = newestFirstBy('created_at_ms', page.after);
      const found = await memberships
        .find({ workspace_id: workspaceId, ...(role === undefined ? {} : { role }), ...among, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .batchSize(page.rowsMax)
        .toArray();
      return withUsers(found);
    },
    find: (workspaceId, userId) => findOne(workspaceId, userId),
    findIn: (tx, workspaceId, userId) => findOne(workspaceId, userId, tx),
    async roles(workspace_id, userIds) {
      const found = await memberships.find({ workspace_id, user_id: { $in: [...userIds] } }).toArray();
      return new Map(found.map(({ user_id, role }) => [user_id, role]));
    },
  };
}

function sessionOf(tx: Transaction | undefined) {
  return tx === undefined ? {} : { session: tx.session };
}
