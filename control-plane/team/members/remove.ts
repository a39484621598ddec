import type { Ended } from '../../accounts/member-access.js';
import type { Actor } from '../../actor.js';
import { requireAccess } from '../../http/access.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MemberNeeds } from './needs.js';
import { refuseRequiredOwner, requireMayChangeOwners } from './rules.js';
import { type MemberToChange, memberToChange } from './to-change.js';

/**
 * Removes a member, or lets the actor leave. Ends everything that gives them access, so that nothing of it comes back to life
 * when the person is invited again. Resolves to what ended.
 */
export async function removeMember(
  needs: MemberNeeds,
  tx: Transaction,
  actor: Actor,
  input: MemberToChange,
): Promise<Ended> {
  const { workspaceId } = actor;
  const isLeaving = input.userId === actor.userId;
  // Before the look at the member, so that a caller without the right learns nothing.
  if (!isLeaving) requireAccess(actor, 'full', 'DELETE');
  const { member, by } = await memberToChange(needs, tx, actor, input);
  const { role } = member.membership;
  if (!isLeaving) {
    requireAccess(by, 'full', 'DELETE');
    requireMayChangeOwners(by.role, [role]);
  }
  await refuseRequiredOwner(needs, tx, member);
  await needs.memberships.remove(tx, workspaceId, input.userId);
  const { email } = member.user;
  const ended = await needs.endAccess(tx, { workspaceId, userId: input.userId, email, role: null });
  await needs.audit.record(tx, actor, {
    action: 'team.member_removed',
    resource: { type: 'user', id: input.userId, name: email },
    metadata: { role, left: isLeaving, ...ended },
  });
  return ended;
}
