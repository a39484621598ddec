import { MEMBERS_PER_WORKSPACE_MAX, workspaceIsFull } from '../../accounts/join.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import type { Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import type { InvitationNeeds } from './needs.js';
import { requireMayInvite, type Sent, sendInvitation } from './send.js';

const OPEN_INVITATIONS_MAX = 100;

/** Invites a person by e-mail. An earlier invitation of the same address ends. */
export async function invite(
  needs: InvitationNeeds & { users: Pick<UsersStore, 'findByEmailIn'> },
  tx: Transaction,
  actor: Actor,
  input: { email: string; role: Role },
): Promise<Sent> {
  const { invitations, members, memberships, users, audit, ids, clock } = needs;
  const { workspaceId } = actor;
  const email = canonicalEmail(input.email);
  await requireMayInvite(memberships, tx, actor, input.role);
  const user = await users.findByEmailIn(tx, email);
  if (user !== null && (await members.findIn(tx, workspaceId, user._id)) !== null)
    throw new AppError('conflict', 'This person is already a member of the workspace.');
  if ((await memberships.countMembers(tx, workspaceId, MEMBERS_PER_WORKSPACE_MAX)) >= MEMBERS_PER_WORKSPACE_MAX)
    throw workspaceIsFull();
  const others = { exceptEmail: email, atMs: clock.now(), max: OPEN_INVITATIONS_MAX };
  if ((await invitations.countOpen(tx, workspaceId, others)) >= OPEN_INVITATIONS_MAX) {
    const most = `A workspace has at most ${OPEN_INVITATIONS_MAX} open invitations.`;
    throw new AppError('conflict', `${most} Revoke one that is no longer needed.`);
  }
  const invitation = { _id: ids.next('inv'), email, role: input.role, created_at_ms: clock.now(), version: 1 };
  const sent = await sendInvitation(needs, tx, actor, invitation);
  await invitations.replace(tx, sent.invitation);
  await audit.record(tx, actor, {
    action: 'team.member_invited',
    resource: { type: 'invitation', id: invitation._id, name: email },
    metadata: { role: input.role },
  });
  return sent;
}
