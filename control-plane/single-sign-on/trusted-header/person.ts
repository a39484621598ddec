import type { Clock } from '../../../kernel/clock.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import type { JoinTeam } from '../../accounts/join.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import { isOperator } from '../../accounts/operators.js';
import { memberActor } from '../../accounts/person-actor.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { Actor, Role } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
import { isAddressProved, type ProveAddress } from '../../own-account/prove-address.js';
import type { Ids } from '../../storage/ids.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import { requiresSingleSignOn } from '../sign-in/policy.js';
import type { TrustedHeaderStore } from './store.js';

/** Requests of one person within this time are one log-in on the audit log. */
export const LOG_IN_MS = 12 * 3_600_000;

/** A person with the workspace that they work in. */
export interface HeaderPerson {
  user: UserDocument;
  membership: MembershipDocument;
  workspace: WorkspaceDocument;
}

export interface HeaderPersonNeeds {
  store: TrustedHeaderStore;
  users: UsersStore;
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  join: JoinTeam;
  proveAddress: ProveAddress;
  audit: AuditLog;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  /** The role of people whom Picket has not seen before. */
  role: Role;
}

/**
 * Resolves to the person with this address. A new one becomes a member of the first workspace. Throws 401 for people
 * without a workspace.
 */
export async function headerPerson(needs: HeaderPersonNeeds, email: string, client: Client): Promise<HeaderPerson> {
  const found = (await needs.users.findByEmail(email)) ?? (await createMember(needs, email, client));
  const user = isAddressProved(found) ? found : await takeOver(needs, found._id, client);
  const membership = await needs.memberships.lastOf(user);
  const workspace = membership === null ? null : await needs.workspaces.findDocument(membership.workspace_id);
  if (membership === null || workspace === null) {
    throw new AppError('unauthenticated', 'You are not a member of any workspace.');
  }
  return { user, membership, workspace };
}

/**
 * Gives an account to the person whom the proxy vouches for. Somebody else could have signed up with the address of a
 * colleague, would know the password, and could be an owner of the workspace that the account opens. So it opens the one that
 * a new person would join; where that is not possible, one without others.
 */
async function takeOver(needs: HeaderPersonNeeds, userId: string, client: Client): Promise<UserDocument> {
  const { users, memberships, proveAddress, role } = needs;
  const first = await needs.workspaces.operators();
  const by = { method: 'header', client } as const;
  const give = async (tx: Transaction) => {
    const user = await proveAddress(tx, userId, { ...by, leavesPlanted: first === null });
    if (first === null) return user;
    if ((await memberships.find(tx, first.id, userId)) === null)
      await joinFirst(needs, tx, { user, first, client, role });
    await users.setLastWorkspace(tx, userId, first.id);
    return { ...user, last_workspace_id: first.id };
  };
  try {
    return await needs.runTransaction(give);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    // The first workspace is full, or the account is in as many as possible, which whoever made it could have seen to.
    return needs.runTransaction((tx) => proveAddress(tx, userId, { ...by, leavesPlanted: true }));
  }
}

async function joinFirst(
  { join, workspaces, audit, clock }: HeaderPersonNeeds,
  tx: Transaction,
  { user, first, client, role }: { user: UserDocument; first: { id: string }; client: Client; role: Role },
): Promise<void> {
  const { membership, ended } = await join(tx, { workspaceId: first.id, userId: user._id, email: user.email, role });
  const document = await workspaces.document(tx, first.id);
  if (document === null) throw new Error('the first workspace was deleted within a transaction');
  const actor = headerActor({ user, membership, workspace: document }, client, clock.now());
  const resource = { type: 'member', id: user._id, name: user.email };
  const metadata = { role, method: 'header', ...ended };
  await audit.record(tx, actor, { action: 'team.member_joined', resource, metadata });
}

async function createMember(needs: HeaderPersonNeeds, email: string, client: Client): Promise<UserDocument> {
  const workspace = await needs.workspaces.operators();
  if (workspace === null) throw new AppError('unauthenticated', 'There is no workspace yet.');
  const { users, ids, clock, role } = needs;
  const nowMs = clock.now();
  const user: UserDocument = {
    _id: ids.next('usr'),
    email,
    password_hash: null,
    created_at_ms: nowMs,
    email_confirmed_at_ms: nowMs,
  };
  const create = async (tx: Transaction) => {
    await users.insert(tx, user);
    await joinFirst(needs, tx, { user, first: workspace, client, role });
  };
  try {
    await needs.runTransaction(create);
    return user;
  } catch (error) {
    if (error instanceof AppError) throw new AppError('unauthenticated', error.message, { cause: error });
    const other = isDuplicateKey(error) ? await users.findByEmail(email) : null;
    if (other === null) throw error;
    return other;
  }
}

/** Records a log-in, at most one in `LOG_IN_MS` for each person. */
export async function recordHeaderLogIn(needs: HeaderPersonNeeds, person: HeaderPerson, client: Client): Promise<void> {
  const { store, audit, clock } = needs;
  const { user } = person;
  await needs.runTransaction(async (tx) => {
    const nowMs = clock.now();
    if (!(await store.noteLogIn(tx, user._id, nowMs, nowMs - LOG_IN_MS))) return;
    await audit.record(tx, headerActor(person, client, nowMs), {
      action: 'auth.login',
      resource: { type: 'user', id: user._id, name: user.email },
      metadata: { method: 'header', second_factor: true },
    });
  });
}

/** Returns the person as an actor. The proxy has just proved who they are, so nothing needs another confirmation. */
export function headerActor({ user, membership, workspace }: HeaderPerson, client: Client, nowMs: number): Actor {
  const { role } = membership;
  const origin = { userId: user._id, role, providerWorkspaceId: null };
  return {
    ...memberActor({ user, workspace, role }, client, nowMs),
    operator: isOperator(workspace, role),
    session: {
      id: 'header',
      confirmedAtMs: nowMs,
      secondFactor: true,
      restriction: requiresSingleSignOn(workspace, origin) ? 'single_sign_on_required' : null,
    },
  };
}
