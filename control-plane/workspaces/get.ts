import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { OwnWorkspace } from './schema.js';
import { ownWorkspaceOf } from './view.js';

/** Resolves to one of the workspaces of the person. Throws 404 when it is not theirs. */
export type GetWorkspace = (actor: Actor, workspaceId: string) => Promise<OwnWorkspace>;

export function createGetWorkspace(needs: {
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  runTransaction: RunTransaction;
}): GetWorkspace {
  const { memberships, workspaces, runTransaction } = needs;
  return async (actor, workspaceId) => {
    const { userId } = actor;
    const membership = userId === null ? null : await runTransaction((tx) => memberships.find(tx, workspaceId, userId));
    const workspace = membership === null ? null : await workspaces.findDocument(workspaceId);
    if (membership === null || workspace === null) throw notFound('workspace');
    return ownWorkspaceOf(workspace, membership, workspaceId === actor.workspaceId);
  };
}
