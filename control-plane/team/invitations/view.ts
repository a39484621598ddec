import { toIso } from '../../../kernel/clock.js';
import type { Role } from '../../roles.js';
import type { InvitationDocument } from '../documents.js';
import type { Invitation } from '../schema.js';
import { invitationStatus } from './rules.js';

/** `roles` are the present roles of the people who sent the invitations. */
export function invitationView(
  document: InvitationDocument,
  roles: ReadonlyMap<string, Role>,
  nowMs: number,
): Invitation {
  return {
    id: document._id,
    email: document.email,
    role: document.role,
    status: invitationStatus(document, roles.get(document.invited_by.id) ?? null, nowMs),
    invited_by: document.invited_by,
    sent_by_email: document.by_email !== false,
    created_at: toIso(document.created_at_ms),
    sent_at: toIso(document.sent_at_ms),
    expires_at: toIso(document.expires_at_ms),
  };
}
