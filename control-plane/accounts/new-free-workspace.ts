import type { Clock } from '../../kernel/clock.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from './documents.js';
import type { Join } from './join.js';
import type { WorkspacesStore } from './workspaces-store.js';

/**
 * Creates a workspace on the Free plan with the person as its owner. Until their address is confirmed, Picket sends its
 * notifications to that address only. Throws `conflict` when the person is in 100 workspaces.
 */
export type NewFreeWorkspace = (
  tx: Transaction,
  owner: UserDocument,
  name: string,
) => Promise<{ workspace: WorkspaceDocument; membership: MembershipDocument }>;

export function createNewFreeWorkspace(needs: {
  workspaces: Pick<WorkspacesStore, 'insert'>;
  join: Join;
  ids: Ids;
  clock: Clock;
}): NewFreeWorkspace {
  const { workspaces, join, ids, clock } = needs;
  return async (tx, owner, name) => {
    const created_at_ms = clock.now();
    const workspace: WorkspaceDocument = {
      _id: ids.next('ws'),
      name,
      plan: 'Free',
      created_at_ms,
      confirmed_at_ms: owner.email_confirmed_at_ms === null ? null : created_at_ms,
      created_by_address: owner.email,
    };
    await workspaces.insert(tx, workspace);
    const membership = await join(tx, { workspaceId: workspace._id, userId: owner._id, role: 'owner' });
    return { workspace, membership };
  };
}
