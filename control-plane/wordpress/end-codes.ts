import type { MemberAccess } from '../accounts/member-access.js';
import { ROLE_RIGHTS } from '../roles.js';
import type { SiteStore } from './store.js';

/** Returns the function that ends the activation codes of a member who may not create them any more. */
export function createEndCodes({ endCodesOf }: Pick<SiteStore, 'endCodesOf'>): MemberAccess['end'] {
  return async (tx, { workspaceId, userId, role }) =>
    role !== null && ROLE_RIGHTS[role].write ? 0 : endCodesOf(tx, workspaceId, userId);
}
