import type { Clock } from '../../kernel/clock.js';
import { createRequireRoomForFreeWorkspace } from '../accounts/free-workspaces.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import { memberActor } from '../accounts/person-actor.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Transaction } from '../storage/transaction.js';
import type { OwnWorkspace } from './schema.js';
import { ownWorkspaceOf } from './view.js';

/** Creates a workspace on the Free plan with the person as its owner. Throws 409 when the person has too many. */
export type CreateWorkspace = (tx: Transaction, actor: Actor, name: string) => Promise<OwnWorkspace>;

export function createCreateWorkspace(needs: {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  newFreeWorkspace: NewFreeWorkspace;
  audit: AuditLog;
  clock: Clock;
}): CreateWorkspace {
  const { users, newFreeWorkspace, audit, clock } = needs;
  const requireRoom = createRequireRoomForFreeWorkspace(needs);
  return async (tx, actor, name) => {
    const user = await userOfActor(users, actor, tx);
    await requireRoom(tx, user._id);
    const { workspace, membership } = await newFreeWorkspace(tx, user, name);
    // In the log of the new workspace, whose first entry it is.
    const inNew = memberActor({ user, workspace, role: membership.role }, actor, clock.now());
    await audit.record(tx, inNew, {
      action: 'workspace.created',
      resource: { type: 'workspace', id: workspace._id, name },
    });
    return ownWorkspaceOf(workspace, membership, false);
  };
}
