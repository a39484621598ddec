import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import { BY_ID, type Pager } from '../http/paging.js';
import type { Reply } from '../http/route.js';
import type { OwnWorkspace } from './schema.js';
import { ownWorkspaceOf } from './view.js';

/** Lists the workspaces of the person. */
export type ListWorkspaces = (input: { actor: Actor; query: { limit?: number; cursor?: string } }) => Promise<Reply>;

export function createListWorkspaces(needs: {
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  pager: Pager;
}): ListWorkspaces {
  const { memberships, workspaces, pager } = needs;
  return async (input) => {
    const { actor } = input;
    const page = pager.open('own-workspaces', BY_ID, input);
    const found = await memberships.page(actor.userId ?? '', page.request);
    const named = await workspaces.named(found.map(({ workspace_id }) => workspace_id));
    return page.reply(found, (rows) =>
      rows.flatMap((membership): OwnWorkspace[] => {
        const workspace = named.get(membership.workspace_id);
        if (workspace === undefined) return [];
        const current = workspace.id === actor.workspaceId;
        return [ownWorkspaceOf({ ...workspace, _id: workspace.id }, membership, current)];
      }),
    );
  };
}
