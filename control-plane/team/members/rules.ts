import { refuseBreakGlass } from '../../accounts/break-glass.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { refuseKeyWithExpiry } from '../../http/access.js';
import { ROLE_RIGHTS, type Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MemberNeeds } from './needs.js';
import type { Member } from './store.js';

/** Throws `forbidden` when one of these roles is owner and the person who gives or takes it is none. */
export function requireMayChangeOwners(actorRole: Role, roles: readonly Role[]): void {
  if (!roles.includes('owner') || ROLE_RIGHTS[actorRole].own) return;
  throw new AppError('forbidden', 'Only an owner can invite, make or remove owners.');
}

/**
 * Throws `forbidden` when a key with an expiry would give somebody a role with which they can make keys. `from` is the role of
 * a member; null for an invitation.
 */
export function refuseToOutliveKey(actor: Pick<Actor, 'key'>, from: Role | null, to: Role): void {
  if (!ROLE_RIGHTS[to].manage) return;
  if (from !== null && ROLE_RIGHTS[from].manage && !ROLE_RIGHTS[to].own) return;
  refuseKeyWithExpiry(actor, `make anybody an ${to}`);
}

/** Throws `conflict` when the workspace needs this member as an owner. The workspace must be locked. */
export async function refuseRequiredOwner(
  { memberships, workspaces }: Pick<MemberNeeds, 'memberships' | 'workspaces'>,
  tx: Transaction,
  { membership: { workspace_id, user_id, role } }: Member,
): Promise<void> {
  refuseBreakGlass(await workspaces.document(tx, workspace_id), user_id);
  if (role !== 'owner' || (await memberships.hasOtherOwner(tx, workspace_id, user_id))) return;
  throw new AppError('conflict', 'A workspace always has an owner. Make another member an owner first.');
}
