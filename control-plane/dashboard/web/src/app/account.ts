import { useSuspenseQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/queries.ts';
import type { Account } from '../api/types.ts';

/** Returns the person who is logged in. The frame has loaded them before any page. */
export function useAccount(): Account {
  return useSuspenseQuery(accountQuery).data;
}

/** Whether the person may change what the workspace watches; the API decides in the end. */
export function useMayWrite(): boolean {
  return mayWrite(useAccount());
}

/** Whether a role may change what the workspace watches. */
export function mayWrite({ role }: Pick<Account, 'role'>): boolean {
  return role !== 'viewer';
}

/** Whether a role may change members, API keys and other things of the workspace that are not watched. */
export function mayManage({ role }: Pick<Account, 'role'>): boolean {
  return role === 'owner' || role === 'admin';
}
