import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { Actor } from '../../actor.js';
import { type NeedsSingleSignOn, restrictionOf } from '../validity.js';

/**
 * Resolves to whether a person who is logged in could move their session to the workspace and read there, as the database says now:
 * they are a member, the workspace asks for no other log-in, and the session may leave its workspace.
 */
export type EntersWorkspace = (actor: Actor, workspaceId: string) => Promise<boolean>;

export function createEntersWorkspace(needs: {
  memberships: Pick<MembershipsStore, 'membership'>;
  workspaces: Pick<WorkspacesStore, 'findDocument'>;
  needsSingleSignOn: NeedsSingleSignOn;
}): EntersWorkspace {
  const { memberships, workspaces, needsSingleSignOn } = needs;
  return async ({ kind, userId, session }, workspaceId) => {
    // An API key is of one workspace.
    if (kind !== 'session' || userId === null || session === null) return false;
    // Whoever controls the identity provider of another workspace must not get in here.
    if ((session.providerWorkspaceId ?? workspaceId) !== workspaceId) return false;
    const [membership, workspace] = await Promise.all([
      memberships.membership(workspaceId, userId),
      workspaces.findDocument(workspaceId),
    ]);
    if (membership === null || workspace === null) return false;
    const { providerWorkspaceId: provider, secondFactor: second_factor } = session;
    const opened = { second_factor, ...(provider === undefined ? {} : { provider_workspace_id: provider }) };
    return restrictionOf({ session: opened, user: { _id: userId }, workspace, membership }, needsSingleSignOn) === null;
  };
}
