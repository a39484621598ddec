import type { WorkspaceDocument } from '../../accounts/documents.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { requireAccess } from '../../http/access.js';
import { invitationMail } from '../../mail/contents/invitation.js';
import { mailLink } from '../../mail/link.js';
import type { Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import type { InvitationDocument } from '../documents.js';
import { lockTeam } from '../members/lock-team.js';
import { refuseToOutliveKey, requireMayChangeOwners } from '../members/rules.js';
import { withOneMore } from './mail-budget.js';
import type { InvitationNeeds } from './needs.js';
import { invitationTokenHash, makeInvitationToken } from './token.js';

const DAY_MS = 86_400_000;
const VALID_MS = 7 * DAY_MS;
/** An expired invitation stays in the list for this long, so that it can be sent again. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;

/** Locks the team. Throws `forbidden` unless the actor may give the role. */
export async function requireMayInvite(
  memberships: Pick<MembershipsStore, 'lockWorkspace' | 'find'>,
  tx: Transaction,
  actor: Actor,
  role: Role,
): Promise<void> {
  const own = await lockTeam(memberships, tx, actor);
  requireAccess({ ...actor, role: own }, 'full', 'POST');
  requireMayChangeOwners(own, [role]);
  refuseToOutliveKey(actor, null, role);
}

/** An invitation that was just sent, and the link that accepts it. */
export interface Sent {
  invitation: InvitationDocument;
  /** Null when it went by e-mail: then only the person may have it. */
  acceptUrl: string | null;
}

/**
 * Returns the invitation with a new token and writes its e-mail. The sender answers for it from now on. Earlier tokens
 * stop working once the caller stores it. The team must be locked.
 */
export async function sendInvitation(
  needs: InvitationNeeds,
  tx: Transaction,
  actor: Actor,
  invitation: Pick<InvitationDocument, '_id' | 'email' | 'role' | 'created_at_ms' | 'version'>,
): Promise<Sent> {
  const { invitations, mailer, clock, random, publicUrl, smtpUrl } = needs;
  const { workspaceId, userId, email } = actor;
  if (userId === null) throw new AppError('forbidden', 'Only a person can send an invitation.');
  const nowMs = clock.now();
  await requireGoodStanding(needs, tx, workspaceId);
  await invitations.setSentMails(tx, workspaceId, withOneMore(await invitations.sentMails(tx, workspaceId), nowMs));
  if (smtpUrl !== null) await needs.countInvitation(tx, actor, invitation.email);
  const token = makeInvitationToken(random);
  const sent: InvitationDocument = {
    ...{ _id: invitation._id, email: invitation.email, role: invitation.role },
    ...{ created_at_ms: invitation.created_at_ms, version: invitation.version },
    workspace_id: workspaceId,
    invited_by: { id: userId, email },
    token_hash: invitationTokenHash(token),
    by_email: smtpUrl !== null,
    sent_at_ms: nowMs,
    expires_at_ms: nowMs + VALID_MS,
    remove_at: new Date(nowMs + VALID_MS + EXPIRED_KEPT_MS),
  };
  const link = mailLink(publicUrl, '/invitation', token);
  const mail = invitationMail({
    ...{ to: sent.email, workspace: actor.workspaceName, inviter: email, role: sent.role },
    ...{ link, expiresAtMs: sent.expires_at_ms },
  });
  await mailer.send(tx, { ...mail, workspaceId });
  return { invitation: sent, acceptUrl: smtpUrl === null ? link : null };
}

async function requireGoodStanding(
  { workspaces }: InvitationNeeds,
  tx: Transaction,
  workspaceId: string,
): Promise<void> {
  const workspace = await workspaces.document(tx, workspaceId);
  if (workspace === null) throw notFound('workspace');
  const reason = inviteProblem(workspace);
  if (reason !== null) throw new AppError('forbidden', reason);
}

function inviteProblem({ confirmed_at_ms, suspended, deletion }: WorkspaceDocument): string | null {
  if (confirmed_at_ms === null)
    return 'No owner of this workspace has confirmed their e-mail address, so it cannot invite anybody.';
  if ((suspended ?? null) !== null) return 'This workspace is suspended, so it cannot invite anybody.';
  if ((deletion ?? null) !== null) return 'This workspace will be deleted, so it cannot invite anybody.';
  return null;
}
