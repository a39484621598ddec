import type { Account, Member } from '../../api/types.ts';

export type Role = Member['role'];

/** The most rights first. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** Returns the roles that a person may give. Only owners make owners. */
export function givenBy({ role }: Pick<Account, 'role'>): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((one) => one !== 'owner') : [];
}

/** Whether a person may change or remove a member. Nobody changes their own role here: the way back would be gone. */
export function mayChange(account: Pick<Account, 'id' | 'role'>, member: Pick<Member, 'id' | 'role'>): boolean {
  return account.id !== member.id && givenBy(account).includes(member.role);
}
