import { createRequireRoomForFreeWorkspace } from '../../accounts/free-workspaces.js';
import type { Actor } from '../../actor.js';
import { requireAccess } from '../../http/access.js';
import type { Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MemberNeeds } from './needs.js';
import { refuseRequiredOwner, refuseToOutliveKey, requireMayChangeOwners } from './rules.js';
import type { Member } from './store.js';
import { type MemberToChange, memberToChange } from './to-change.js';

/**
 * Gives a member another role and ends their sessions in the workspace, and what the new role does not
 * include. The last owner and the break-glass owner must stay owners. Throws 409 when it would make the person the owner of too
 * many workspaces on the Free plan.
 */
export async function changeRole(
  needs: MemberNeeds,
  tx: Transaction,
  actor: Actor,
  input: MemberToChange & { role: Role },
): Promise<Member> {
  const { member, by } = await memberToChange(needs, tx, actor, input);
  requireAccess(by, 'full', 'PATCH');
  const { membership, user } = member;
  if (membership.role === input.role) return member;
  requireMayChangeOwners(by.role, [membership.role, input.role]);
  refuseToOutliveKey(actor, membership.role, input.role);
  await refuseRequiredOwner(needs, tx, member);
  const { workspaceId } = actor;
  const plan = (await needs.workspaces.document(tx, workspaceId))?.plan;
  if (input.role === 'owner' && plan === 'Free') await createRequireRoomForFreeWorkspace(needs)(tx, user._id);
  await needs.memberships.setRole(tx, workspaceId, user._id, input.role);
  const ended = await needs.endAccess(tx, { workspaceId, userId: user._id, email: user.email, role: input.role });
  await needs.audit.record(tx, actor, {
    action: 'team.role_changed',
    resource: { type: 'user', id: user._id, name: user.email },
    metadata: { changes: { role: { from: membership.role, to: input.role } }, ...ended },
  });
  return { user, membership: { ...membership, role: input.role, changes: (membership.changes ?? 0) + 1 } };
}
