import type { Clock } from '../../kernel/clock.js';
import type { MembershipDocument, UserDocument } from '../accounts/documents.js';
import { WORKSPACES_PER_PERSON_MAX } from '../accounts/join.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';
import { actorInLastWorkspace } from './actor-in-last-workspace.js';

/** The same as after a log-in without any workspace. */
const WORKSPACE_NAME = 'My workspace';

export interface LeavePlantedNeeds {
  users: Pick<UsersStore, 'setLastWorkspace'>;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  newFreeWorkspace: NewFreeWorkspace;
  audit: AuditLog;
  clock: Clock;
}

/**
 * Has an account open another workspace at its next log-in if that would be one with other members, after the first proof of
 * its address: whoever made the account could have invited themselves there, and would see what the owner of the address
 * adds. Opens the first workspace, which is that of the installation, if the person is a member, else one without others,
 * else a new one. Takes no membership away, because it could be colleagues who invited the person. Resolves to the account
 * as it is then.
 */
export async function leavePlantedWorkspace(
  needs: LeavePlantedNeeds,
  tx: Transaction,
  user: UserDocument,
  client: Client,
): Promise<UserDocument> {
  const { users, memberships, workspaces, audit } = needs;
  const first = (await workspaces.operators())?.id;
  const isSafe = async ({ workspace_id: id }: Pick<MembershipDocument, 'workspace_id'>) =>
    id === first || (await memberships.countMembers(tx, id, 2)) === 1;
  const last = await memberships.lastOf(user, tx);
  if (last === null || (await isSafe(last))) return user;
  const all = await memberships.newest(tx, user._id, WORKSPACES_PER_PERSON_MAX);
  const opened = all.find(({ workspace_id: id }) => id === first) ?? (await firstOf(all, isSafe));
  // A person who is in as many workspaces as possible gets no new one.
  if (opened === null && all.length >= WORKSPACES_PER_PERSON_MAX) return user;
  const { workspace_id } = opened ?? (await needs.newFreeWorkspace(tx, user, WORKSPACE_NAME)).membership;
  await users.setLastWorkspace(tx, user._id, workspace_id);
  const moved = { ...user, last_workspace_id: workspace_id };
  const actor = await actorInLastWorkspace(needs, tx, moved, client);
  if (actor === null) return moved;
  const resource = { type: 'user', id: user._id, name: user.email };
  const metadata = { first_proof_of_address: true };
  await audit.record(tx, actor, { action: 'auth.workspace_switched', resource, metadata });
  return moved;
}

async function firstOf<Item>(items: readonly Item[], fits: (item: Item) => Promise<boolean>): Promise<Item | null> {
  for (const item of items) if (await fits(item)) return item;
  return null;
}
