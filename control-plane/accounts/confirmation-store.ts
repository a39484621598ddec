import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from './documents.js';

export interface ConfirmationStore {
  /**
   * Records that a person reads the mail of their address. The workspaces that they own may then send notifications to
   * others. Does nothing to what is confirmed already.
   */
  confirm(tx: Transaction, userId: string, atMs: number): Promise<void>;
}

export function createConfirmationStore(db: Db): ConfirmationStore {
  const users = db.collection<UserDocument>('users');
  const memberships = db.collection<MembershipDocument>('memberships');
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  return {
    async confirm(tx, user_id, atMs) {
      const { session } = tx;
      // The type 10 is null. A missing time counts as confirmed.
      await users.updateOne(
        { _id: user_id, email_confirmed_at_ms: { $type: 10 } },
        { $set: { email_confirmed_at_ms: atMs } },
        { session },
      );
      await users.updateOne({ _id: user_id, email_assumed: true }, { $unset: { email_assumed: 1 } }, { session });
      const owned = await memberships.find({ user_id, role: 'owner' }, { session }).toArray();
      await workspaces.updateMany(
        { _id: { $in: owned.map(({ workspace_id }) => workspace_id) }, confirmed_at_ms: { $type: 10 } },
        { $set: { confirmed_at_ms: atMs } },
        { session },
      );
    },
  };
}
