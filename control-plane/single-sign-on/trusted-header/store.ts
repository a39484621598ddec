import type { Db } from 'mongodb';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import type { Transaction } from '../../storage/transaction.js';

/** A person with the workspace that they work in. */
export interface HeaderPerson {
  user: UserDocument;
  membership: MembershipDocument;
  workspace: WorkspaceDocument;
}

/** What log-ins by a header read and write. */
export interface TrustedHeaderStore {
  user(email: string): Promise<UserDocument | null>;
  /**
   * Resolves to the person in the workspace where they worked last, else in the one that they joined last. null when
   * they are not a member of any.
   */
  inWorkspace(user: UserDocument): Promise<HeaderPerson | null>;
  /** Resolves to true when the last log-in of the person is at least as old as `beforeMs`, and makes it `nowMs`. */
  noteLogIn(tx: Transaction, userId: string, nowMs: number, beforeMs: number): Promise<boolean>;
}

interface HeaderLogInDocument {
  /** The user. */
  _id: string;
  at_ms: number;
}

export function createTrustedHeaderStore(db: Db): TrustedHeaderStore {
  const users = db.collection<UserDocument>('users');
  const memberships = db.collection<MembershipDocument>('memberships');
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  const logIns = db.collection<HeaderLogInDocument>('header_log_ins');
  return {
    user: (email) => users.findOne({ email }),
    async inWorkspace(user) {
      const last = user.last_workspace_id;
      const membership =
        (last === undefined ? null : await memberships.findOne({ user_id: user._id, workspace_id: last })) ??
        (await memberships.findOne({ user_id: user._id }, { sort: { created_at_ms: -1, _id: -1 } }));
      if (membership === null) return null;
      const workspace = await workspaces.findOne({ _id: membership.workspace_id });
      return workspace === null ? null : { user, membership, workspace };
    },
    async noteLogIn(tx, _id, at_ms, beforeMs) {
      const known = await logIns.findOne({ _id }, { session: tx.session });
      if (known !== null && known.at_ms > beforeMs) return false;
      await logIns.updateOne({ _id }, { $set: { at_ms } }, { session: tx.session, upsert: true });
      return true;
    },
  };
}
