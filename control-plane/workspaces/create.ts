import type { Clock } from '../../kernel/clock.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import { memberActor } from '../accounts/person-actor.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { OwnWorkspace } from './schema.js';
import { ownWorkspaceOf } from './view.js';

/** A person has at most this many workspaces on the Free plan of which they are an owner. */
const FREE_OWNED_MAX = 5;

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
  const { users, workspaces, memberships, newFreeWorkspace, audit, clock } = needs;
  return async (tx, actor, name) => {
    const user = await userOfActor(users, actor, tx);
    await memberships.lockPerson(tx, user._id);
    const owned = (await memberships.of(tx, user._id))
      .filter(({ role }) => role === 'owner')
      .map(({ workspace_id }) => workspace_id);
    const free = [...(await workspaces.plans(owned)).values()].filter((plan) => plan === 'Free').length;
    if (free >= FREE_OWNED_MAX) {
      throw new AppError('conflict', `A person owns at most ${FREE_OWNED_MAX} workspaces on the Free plan.`);
    }
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
