import type { Db } from 'mongodb';
import type { MembershipDocument, UserDocument } from '../accounts/documents.js';
import { membershipId } from '../accounts/memberships-store.js';
import type { Role } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';

/** Reads which addresses belong to members. */
export interface RecipientMembersStore {
  /** Returns the roles of members of the workspace by those of the addresses, which are in lower case, that they have confirmed. */
  rolesOf(workspaceId: string, addresses: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, Role>>;
}

export function createRecipientMembersStore(db: Db): RecipientMembersStore {
  const users = db.collection<UserDocument>('users');
  const memberships = db.collection<MembershipDocument>('memberships');
  return {
    async rolesOf(workspaceId, addresses, tx) {
      const options = tx === undefined ? {} : { session: tx.session };
      // Missing counts as confirmed. Nobody has proved an assumed address, so it may be that of somebody else.
      const confirmed = {
        email_assumed: { $exists: false },
        $or: [{ email_confirmed_at_ms: { $exists: false } }, { email_confirmed_at_ms: { $gt: 0 } }],
      };
      const people = await users
        .find({ email: { $in: [...addresses] }, ...confirmed }, { ...options, projection: { email: 1 } })
        .toArray();
      if (people.length === 0) return new Map();
      const ids = people.map(({ _id }) => membershipId(workspaceId, _id));
      const members = await memberships
        .find({ _id: { $in: ids }, workspace_id: workspaceId }, { ...options, projection: { user_id: 1, role: 1 } })
        .toArray();
      const roles = new Map(members.map(({ user_id, role }) => [user_id, role]));
      return new Map(
        people.flatMap(({ _id, email }) => {
          const role = roles.get(_id);
          return role === undefined ? [] : [[email, role] as const];
        }),
      );
    },
  };
}
