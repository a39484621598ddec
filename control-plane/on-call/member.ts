import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { ActNeeds } from './act.js';

/** Returns the function that finds a member of a workspace by address. */
export function createMember(needs: {
  users: Pick<UsersStore, 'findByEmailIn'>;
  memberships: Pick<MembershipsStore, 'find'>;
}): ActNeeds['member'] {
  return async (tx, workspaceId, email) => {
    const user = await needs.users.findByEmailIn(tx, canonicalEmail(email));
    if (user === null || (await needs.memberships.find(tx, workspaceId, user._id)) === null) return null;
    return { id: user._id, email: user.email };
  };
}
