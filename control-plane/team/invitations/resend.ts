import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { InvitationNeeds } from './needs.js';
import { requireMayInvite, type Sent, sendInvitation } from './send.js';

/**
 * Sends an invitation again, also an expired or void one: with a new token, valid for 7 days, in the name of the actor.
 * The link in the earlier e-mail stops working.
 */
export async function resendInvitation(
  needs: InvitationNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<Sent> {
  const { invitations, memberships, audit } = needs;
  const found = await invitations.findIn(tx, actor.workspaceId, id);
  if (found === null) throw notFound('invitation');
  await requireMayInvite(memberships, tx, actor, found.role);
  const sent = await sendInvitation(needs, tx, actor, { ...found, version: found.version + 1 });
  await invitations.update(tx, sent.invitation);
  await audit.record(tx, actor, {
    action: 'team.member_invited',
    resource: { type: 'invitation', id, name: found.email },
    metadata: { role: found.role, sent_again: true },
  });
  return sent;
}
