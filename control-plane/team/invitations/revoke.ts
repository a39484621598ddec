import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { InvitationNeeds } from './needs.js';

/** Revokes an invitation: the link in its e-mail stops working. */
export async function revokeInvitation(
  { invitations, audit }: Pick<InvitationNeeds, 'invitations' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  input: { id: string; ifVersion: number | null },
): Promise<void> {
  const taken = await invitations.take(tx, actor.workspaceId, input.id);
  if (taken === null) throw notFound('invitation');
  requireVersion(input.ifVersion, taken.version);
  await audit.record(tx, actor, {
    action: 'team.invitation_revoked',
    resource: { type: 'invitation', id: taken._id, name: taken.email },
    metadata: { role: taken.role },
  });
}
