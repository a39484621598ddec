import type { Db } from 'mongodb';
import type { MembershipDocument, UserDocument } from '../../accounts/documents.js';
import type { Role } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';

/** Reads and writes of people and memberships that only a sign-in through a provider needs. */
export interface SignInMembersStore {
  userByEmail(tx: Transaction, email: string): Promise<UserDocument | null>;
  /** Whether the person is a member of a workspace other than this one. */
  hasOther(tx: Transaction, userId: string, workspaceId: string): Promise<boolean>;
  countOwners(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  setRole(tx: Transaction, workspaceId: string, userId: string, role: Role): Promise<void>;
}

export function createSignInMembersStore(db: Db): SignInMembersStore {
  const memberships = db.collection<MembershipDocument>('memberships');
  const users = db.collection<UserDocument>('users');
  return {
    userByEmail: (tx, email) => users.findOne({ email }, { session: tx.session }),
    async hasOther(tx, user_id, workspaceId) {
      const filter = { user_id, workspace_id: { $ne: workspaceId } };
      return (await memberships.findOne(filter, { session: tx.session, projection: { _id: 1 } })) !== null;
    },
    countOwners: (tx, workspace_id, max) =>
      memberships.countDocuments({ workspace_id, role: 'owner' }, { session: tx.session, limit: max }),
    async setRole(tx, workspace_id, user_id, role) {
      await memberships.updateOne({ workspace_id, user_id }, { $set: { role } }, { session: tx.session });
    },
  };
}
