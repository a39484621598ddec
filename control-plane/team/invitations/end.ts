import type { MemberAccess } from '../../accounts/member-access.js';
import { ROLES } from '../../roles.js';
import { mayInvite } from './rules.js';
import type { InvitationsStore } from './store.js';

/**
 * Returns what ends the invitations of a workspace that concern a member. Those that they sent and may not send any more become
 * void. They stay in the list, so that somebody else can send them again, and stay void when the member gets the right back.
 * Those to an address of the member are removed: an unused one would let them in again after their removal, with a role that
 * nobody gives them now.
 */
export function createEndInvitations({
  endSentBy,
  removeTo,
}: Pick<InvitationsStore, 'endSentBy' | 'removeTo'>): MemberAccess {
  return {
    name: 'invitations_revoked',
    async end(tx, { workspaceId, userId, email, role }) {
      const lost = ROLES.filter((given) => !mayInvite(role, given));
      const sent = await endSentBy(tx, { workspaceId, userId, roles: lost });
      return sent + (await removeTo(tx, workspaceId, [email]));
    },
    endOfAddress: (tx, { workspaceId, email, newEmail }) =>
      removeTo(tx, workspaceId, newEmail === null ? [email] : [email, newEmail]),
    endOnJoin: (tx, { workspaceId, email }) => removeTo(tx, workspaceId, [email]),
  };
}
