import type { Role } from '../../actor.js';
import { ROLE_RIGHTS } from '../../roles.js';
import type { InvitationDocument } from '../documents.js';

/** `void`: the person who sent the invitation left the workspace or may no longer give its role. */
export type InvitationStatus = 'open' | 'expired' | 'void';

/** Returns whether somebody with this role may invite a person to have the other role. null: not a member. */
export function mayInvite(inviter: Role | null, role: Role): boolean {
  if (inviter === null) return false;
  return role === 'owner' ? ROLE_RIGHTS[inviter].own : ROLE_RIGHTS[inviter].manage;
}

/** `inviterRole` is the role that the sender of the invitation has now; null after they left. */
export function invitationStatus(
  invitation: Pick<InvitationDocument, 'role' | 'expires_at_ms' | 'is_void'>,
  inviterRole: Role | null,
  nowMs: number,
): InvitationStatus {
  if (invitation.expires_at_ms <= nowMs) return 'expired';
  return invitation.is_void !== true && mayInvite(inviterRole, invitation.role) ? 'open' : 'void';
}
