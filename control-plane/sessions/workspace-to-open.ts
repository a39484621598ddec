import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';

/** Of a person who is in none, for example after leaving the last one. */
const WORKSPACE_NAME = 'My workspace';

/** Workspaces of a person that are tried for one that they may open this way. */
const WORKSPACES_TRIED_MAX = 100;

export interface Opened {
  workspace: WorkspaceDocument;
  membership: MembershipDocument;
}

/**
 * Resolves to the workspace that a log-in opens: the one that is asked for, else the last one, else that of the newest
 * membership, else a new one. Workspaces that `admits` refuses are left out. Throws `forbidden` when the person is not a
 * member of the one that is asked for, and `single_sign_on_required` when every workspace of the person refuses.
 */
export type WorkspaceToOpen = (
  tx: Transaction,
  user: UserDocument,
  asked: string | undefined,
  admits: (opened: Opened) => boolean,
) => Promise<Opened>;

export function createWorkspaceToOpen(needs: {
  workspaces: WorkspacesStore;
  users: UsersStore;
  memberships: MembershipsStore;
  newFreeWorkspace: NewFreeWorkspace;
  publicUrl: string;
}): WorkspaceToOpen {
  const { workspaces, users, memberships } = needs;

  async function open(tx: Transaction, membership: MembershipDocument | null): Promise<Opened | null> {
    if (membership === null) return null;
    const workspace = await workspaces.document(tx, membership.workspace_id);
    return workspace === null ? null : { workspace, membership };
  }

  async function otherOf(
    tx: Transaction,
    user: UserDocument,
    admits: (opened: Opened) => boolean,
  ): Promise<Opened | null> {
    for (const membership of await memberships.newest(tx, user._id, WORKSPACES_TRIED_MAX)) {
      const opened = await open(tx, membership);
      if (opened !== null && admits(opened)) return opened;
    }
    return null;
  }

  return async (tx, user, asked, admits) => {
    const wanted = await open(
      tx,
      asked === undefined ? await memberships.lastOf(user, tx) : await memberships.find(tx, asked, user._id),
    );
    if (wanted === null && asked !== undefined) {
      throw new AppError('forbidden', 'You are not a member of this workspace.');
    }
    const isRefused = wanted !== null && !admits(wanted);
    const mayBeOther = asked === undefined && (wanted === null || isRefused);
    const existing = mayBeOther ? await otherOf(tx, user, admits) : wanted;
    if (isRefused && (existing === null || asked !== undefined)) {
      throw singleSignOnRequired(wanted.workspace._id, needs.publicUrl);
    }
    const opened = existing ?? (await needs.newFreeWorkspace(tx, user, WORKSPACE_NAME));
    // Concurrent log-ins of one person would wait for each other's write.
    if (user.last_workspace_id !== opened.workspace._id) {
      await users.setLastWorkspace(tx, user._id, opened.workspace._id);
    }
    return opened;
  };
}

function singleSignOnRequired(workspaceId: string, publicUrl: string): AppError {
  const sign_in_url = `${publicUrl}/v1/auth/sso/start?workspace=${workspaceId}`;
  const detail = `This workspace requires single sign-on. Log in at ${sign_in_url}`;
  return new AppError('single_sign_on_required', detail, { sign_in_url });
}
