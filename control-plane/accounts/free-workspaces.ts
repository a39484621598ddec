import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipsStore } from './memberships-store.js';
import type { WorkspacesStore } from './workspaces-store.js';

/** A person has at most this many workspaces on the Free plan of which they are an owner. */
const FREE_OWNED_MAX = 5;

/**
 * Throws `conflict` when the person owns five workspaces on the Free plan. Call it before they become an owner of another one: until
 * the commit, no other transaction that calls it makes them one.
 */
type RequireRoomForFreeWorkspace = (tx: Transaction, userId: string) => Promise<void>;

export function createRequireRoomForFreeWorkspace(needs: {
  memberships: Pick<MembershipsStore, 'lockPerson' | 'of'>;
  workspaces: Pick<WorkspacesStore, 'plans'>;
}): RequireRoomForFreeWorkspace {
  const { memberships, workspaces } = needs;
  return async (tx, userId) => {
    await memberships.lockPerson(tx, userId);
    const owned = (await memberships.of(tx, userId)).filter(({ role }) => role === 'owner');
    const plans = await workspaces.plans(owned.map(({ workspace_id }) => workspace_id));
    if ([...plans.values()].filter((plan) => plan === 'Free').length >= FREE_OWNED_MAX)
      throw new AppError('conflict', `A person owns at most ${FREE_OWNED_MAX} workspaces on the Free plan.`);
  };
}
