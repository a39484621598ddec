import type { Clock } from '../../../kernel/clock.js';
import type { WorkspaceDocument } from '../../accounts/documents.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import { invalidField } from '../../errors.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import type { InvitationDocument } from '../documents.js';
import type { MembersStore } from '../members/store.js';
import { invitationStatus } from './rules.js';
import type { InvitationsStore } from './store.js';
import { invitationTokenHash } from './token.js';

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  invitation: InvitationDocument;
  workspace: WorkspaceDocument;
}

/**
 * Finds the invitation of a token. Throws 422 when it does not exist, expired, was revoked, accepted or replaced, when
 * its sender may not invite any more, or when the workspace is about to be deleted: a stranger cannot tell these apart.
 * Throws `rate_limited` when the network has sent too many wrong tokens.
 */
export type FindOpenInvitation = (token: string, address: string | null) => Promise<OpenInvitation>;

export function createFindOpenInvitation(needs: {
  invitations: InvitationsStore;
  members: MembersStore;
  workspaces: Pick<WorkspacesStore, 'findDocument'>;
  guesses: GuessLimit;
  clock: Clock;
}): FindOpenInvitation {
  const { invitations, members, workspaces, guesses, clock } = needs;

  async function find(token: string): Promise<OpenInvitation | null> {
    const invitation = await invitations.findByToken(invitationTokenHash(token));
    if (invitation === null) return null;
    const { workspace_id, invited_by } = invitation;
    const [workspace, roles] = await Promise.all([
      workspaces.findDocument(workspace_id),
      members.roles(workspace_id, [invited_by.id]),
    ]);
    if (workspace === null || (workspace.deletion ?? null) !== null) return null;
    const status = invitationStatus(invitation, roles.get(invited_by.id) ?? null, clock.now());
    return status === 'open' ? { invitation, workspace } : null;
  }

  return async (token, address) => {
    const found = await guesses.check(address, () => find(token));
    if (found === null) throw invitationEnded();
    return found;
  };
}

export function invitationEnded(): Error {
  return invalidField('/token', 'is not of an open invitation; ask for a new one', 'ended_link');
}
