import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';

/**
 * Until the commit, no other transaction changes who is in the workspace and with which role. Resolves to the role that
 * the actor has now: authentication may have seen an earlier one, and somebody who was just removed or demoted must not
 * undo that in the seconds until all control planes notice. Throws `forbidden` when the actor has left.
 */
export async function lockTeam(
  memberships: Pick<MembershipsStore, 'lockWorkspace' | 'find'>,
  tx: Transaction,
  { workspaceId, userId }: Pick<Actor, 'workspaceId' | 'userId'>,
): Promise<Role> {
  await memberships.lockWorkspace(tx, workspaceId);
  const own = userId === null ? null : await memberships.find(tx, workspaceId, userId);
  if (own === null) throw new AppError('forbidden', 'You are not a member of this workspace any more.');
  return own.role;
}
