import type { Clock } from '../../kernel/clock.js';
import type { Role } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument } from './documents.js';
import type { Ended, EndOnJoin } from './member-access.js';
import { type MembershipsStore, membershipId } from './memberships-store.js';

export const MEMBERS_PER_WORKSPACE_MAX = 1_000;
export const WORKSPACES_PER_PERSON_MAX = 100;

/**
 * Makes a person a member of a workspace. Throws `conflict` when they are one already, when the workspace has 1,000
 * members, or when the person is in 100 workspaces. Joining, leaving and changes of roles take turns per workspace.
 */
export type Join = (
  tx: Transaction,
  input: { workspaceId: string; userId: string; role: Role },
) => Promise<MembershipDocument>;

export function createJoin(needs: { memberships: MembershipsStore; clock: Clock }): Join {
  const { memberships, clock } = needs;
  return async (tx, { workspaceId, userId, role }) => {
    await memberships.lockWorkspace(tx, workspaceId);
    await memberships.lockPerson(tx, userId);
    if ((await memberships.find(tx, workspaceId, userId)) !== null)
      throw new AppError('conflict', 'This person is already a member of the workspace.');
    if ((await memberships.countMembers(tx, workspaceId, MEMBERS_PER_WORKSPACE_MAX)) >= MEMBERS_PER_WORKSPACE_MAX)
      throw workspaceIsFull();
    if ((await memberships.countWorkspaces(tx, userId, WORKSPACES_PER_PERSON_MAX)) >= WORKSPACES_PER_PERSON_MAX)
      throw new AppError('conflict', `A person can be a member of at most ${WORKSPACES_PER_PERSON_MAX} workspaces.`);
    const membership: MembershipDocument = {
      _id: membershipId(workspaceId, userId),
      workspace_id: workspaceId,
      user_id: userId,
      role,
      created_at_ms: clock.now(),
    };
    await memberships.insert(tx, membership);
    return membership;
  };
}

export function workspaceIsFull(): AppError {
  return new AppError('conflict', `A workspace has at most ${MEMBERS_PER_WORKSPACE_MAX.toLocaleString('en')} members.`);
}

/**
 * Makes somebody a member of a workspace of others, and ends what would let them in another time: an invitation to their address
 * that they have not used would otherwise survive their removal. `ended` is for the audit entry.
 */
export type JoinTeam = (
  tx: Transaction,
  input: { workspaceId: string; userId: string; email: string; role: Role },
) => Promise<{ membership: MembershipDocument; ended: Ended }>;

export function createJoinTeam(join: Join, endOnJoin: EndOnJoin): JoinTeam {
  return async (tx, { email, ...input }) => {
    const membership = await join(tx, input);
    return { membership, ended: await endOnJoin(tx, { workspaceId: input.workspaceId, email }) };
  };
}
