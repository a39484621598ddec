import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import { deviceOf } from '../sessions/devices/device.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Transaction } from '../storage/transaction.js';
import type { OwnWorkspace } from './schema.js';
import { ownWorkspaceOf } from './view.js';

/** Makes another workspace of the person the one in which their session works. Throws 404 when it is not theirs. */
export type SwitchWorkspace = (tx: Transaction, actor: Actor, workspaceId: string) => Promise<OwnWorkspace>;

export function createSwitchWorkspace(needs: {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  sessions: Sessions;
  audit: AuditLog;
}): SwitchWorkspace {
  const { users, workspaces, memberships, sessions, audit } = needs;
  return async (tx, actor, workspaceId) => {
    if (actor.session === null || actor.userId === null) {
      throw new AppError('conflict', 'The proxy that signs you in decides the workspace.');
    }
    const membership = await memberships.find(tx, workspaceId, actor.userId);
    const workspace = await workspaces.document(tx, workspaceId);
    if (membership === null || workspace === null) throw notFound('workspace');
    await sessions.moveTo(tx, actor.session.id, workspaceId);
    await users.setLastWorkspace(tx, actor.userId, workspaceId);
    if (workspaceId !== actor.workspaceId) {
      // Only the workspace that the person enters gets an entry, which does not name their other workspaces.
      await audit.record(
        tx,
        { ...actor, workspaceId, workspaceName: workspace.name },
        {
          action: 'auth.workspace_switched',
          resource: { type: 'session', id: actor.session.id, name: deviceOf(actor.userAgent) },
        },
      );
    }
    return ownWorkspaceOf(workspace, membership, true);
  };
}
