import type { MemberAccess } from '../../accounts/member-access.js';
import { ROLES } from '../../roles.js';
import { mayInvite } from './rules.js';
import type { InvitationsStore } from './store.js';

/**
 * Returns the function that makes the invitations of a member void that they may not send any more. They stay in the list, so
 * that somebody else can send them again, and stay void when the member gets the right back.
 */
export function createEndInvitations({ endSentBy }: Pick<InvitationsStore, 'endSentBy'>): MemberAccess['end'] {
  return (tx, { workspaceId, userId, role }) => {
    const lost = ROLES.filter((given) => !mayInvite(role, given));
    return endSentBy(tx, { workspaceId, userId, roles: lost });
  };
}
