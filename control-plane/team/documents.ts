import type { Role } from '../actor.js';

/** An invitation that was neither accepted nor revoked. A workspace has at most one for each e-mail address. */
export interface InvitationDocument {
  _id: string;
  workspace_id: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** The person who sent it last. It is void once this person may no longer give the role. */
  invited_by: { id: string; email: string };
  /** SHA-256 of the token in the e-mail, hex; unique. The token itself is not stored. */
  token_hash: string;
  created_at_ms: number;
  /** Whether the link went by e-mail; missing in those of earlier versions, of which it is not known. */
  by_email?: boolean;
  /** When the last e-mail was sent. */
  sent_at_ms: number;
  expires_at_ms: number;
  /** The sender lost the right to give the role after it was sent. */
  is_void?: true;
  /** Counts the e-mails. */
  version: number;
  /** For the TTL index: an expired invitation stays in the list for a while. */
  remove_at: Date;
}

/** When a workspace sent its latest invitations. */
export interface InvitationMailsDocument {
  /** The workspace. */
  _id: string;
  /** Of the last hour, oldest first; at most `INVITATION_MAILS_PER_HOUR_MAX`. */
  sent_at_ms: number[];
}
