import type { Clock } from '../../../kernel/clock.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import type { Join } from '../../accounts/join.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import { memberActor } from '../../accounts/person-actor.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { Actor, Role } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
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
  join: Join;
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
  const user = (await needs.users.findByEmail(email)) ?? (await createMember(needs, email, client));
  // Somebody else could have signed up with the address of a colleague, and would know the password of the account.
  if (user.email_confirmed_at_ms === null && user.password_hash !== null) {
    throw new AppError(
      'unauthenticated',
      'The account with this address was never confirmed. Reset its password by e-mail first.',
    );
  }
  const membership = await needs.memberships.lastOf(user);
  const workspace = membership === null ? null : await needs.workspaces.findDocument(membership.workspace_id);
  if (membership === null || workspace === null) {
    throw new AppError('unauthenticated', 'You are not a member of any workspace.');
  }
  return { user, membership, workspace };
}

async function createMember(needs: HeaderPersonNeeds, email: string, client: Client): Promise<UserDocument> {
  const workspace = await needs.workspaces.operators();
  if (workspace === null) throw new AppError('unauthenticated', 'There is no workspace yet.');
  const { users, ids, clock, audit, join, role } = needs;
  const nowMs = clock.now();
  const user: UserDocument = {
    _id: ids.next('usr'),
    email,
    password_hash: null,
    operator: false,
    created_at_ms: nowMs,
    email_confirmed_at_ms: nowMs,
  };
  const create = async (tx: Transaction) => {
    await users.insert(tx, user);
    const membership = await join(tx, { workspaceId: workspace.id, userId: user._id, role });
    const document = await needs.workspaces.document(tx, workspace.id);
    if (document === null) throw new Error('the first workspace was deleted within a transaction');
    const actor = headerActor({ user, membership, workspace: document }, client, nowMs);
    const resource = { type: 'member', id: user._id, name: email };
    const metadata = { role, method: 'header' };
    await audit.record(tx, actor, { action: 'team.member_joined', resource, metadata });
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
    operator: user.operator,
    session: {
      id: 'header',
      confirmedAtMs: nowMs,
      secondFactor: true,
      restriction: requiresSingleSignOn(workspace, origin) ? 'single_sign_on_required' : null,
    },
  };
}
