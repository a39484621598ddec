import type { TokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import type { Ended, EndMemberAccess } from '../../accounts/member-access.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { Actor, Role } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Client } from '../../http/client/client.js';
import type { ReferenceLock } from '../../references/lock.js';
import type { SignIn } from '../../sessions/sign-in.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { Identity } from '../oidc/claims.js';
import type { Flow } from '../oidc/flow.js';
import { type ProviderStore, providerLockId } from '../provider/store.js';
import { type AnswerNeeds, flowOfAnswer, identityOfAnswer, providerOfFlow } from './answer.js';
import { failureRecorder } from './failure.js';
import { type Person, type PersonNeeds, personOf } from './person.js';
import { type ActiveProvider, INSTALLATION } from './providers.js';
import { SignInRefused } from './refusal.js';
import { roleAfterSignIn } from './role.js';
import { CONFIRM_MAX_AGE_S } from './start.js';

export interface FinishNeeds extends AnswerNeeds, PersonNeeds {
  providerStore: ProviderStore;
  providerLock: ReferenceLock;
  memberships: MembershipsStore;
  endAccess: EndMemberAccess;
  signIn: SignIn;
  /** Limits what strangers write to the audit log. */
  strangers: TokenBuckets;
  audit: AuditLog;
  runTransaction: RunTransaction;
}

/** The request that a provider sends the browser back with. */
export interface CallbackRequest {
  state: string | null;
  /** As it came, because openid-client reads it too. */
  query: string;
  client: Client;
}

/**
 * Finishes a log-in and resolves to where the browser goes, with the session cookie. Rejects with SignInRefused, which
 * is on the audit log of the workspace when it is known whose log-in failed.
 */
export async function finishSignIn(
  needs: FinishNeeds,
  request: CallbackRequest,
): Promise<{ next: string; cookies: string[] }> {
  const { state, query, client } = request;
  const flow = await flowOfAnswer(needs, state, client.cookie);
  const provider = await providerOfFlow(needs, flow);
  const failed = failureRecorder(needs, provider, client);
  const identity = await identityOfAnswer(needs, { flow, provider, query }).catch(failed(null));
  const cookies = await openSession(needs, { flow, provider, identity, client }).catch(failed(identity.address.email));
  return { next: flow.next, cookies: [...cookies, needs.cookie.clear()] };
}

interface Proven {
  flow: Flow;
  provider: ActiveProvider;
  identity: Identity;
  client: Client;
}

async function openSession(needs: FinishNeeds, proven: Proven): Promise<string[]> {
  const open = () => needs.runTransaction((tx) => openIn(needs, tx, proven));
  try {
    return await open();
  } catch (error) {
    // Two first log-ins of one person at once: the second now finds the account.
    if (!isDuplicateKey(error)) throw error;
    return open();
  }
}

async function openIn(
  needs: FinishNeeds,
  tx: Transaction,
  { flow, provider, identity, client }: Proven,
): Promise<string[]> {
  const { id, workspace } = provider;
  if (id !== INSTALLATION) await requireProvider(needs, tx, provider);
  const person = await personOf(needs, tx, { provider, identity, client });
  const change = await applyRole(needs, tx, provider, person);
  const { actor, cookies } = await needs.signIn(tx, {
    user: person.user,
    client,
    method: 'single_sign_on',
    // The provider decides whether it asks for a second factor.
    secondFactor: true,
    confirmedAtMs: confirmedAtMs(flow, identity, needs.clock.now()),
    ...(id === INSTALLATION ? {} : { providerWorkspaceId: id }),
    ...(person.membership === null ? {} : { workspaceId: workspace.id }),
  });
  await recordChanges(needs, tx, actor, person, change);
  return cookies;
}

/**
 * Throws when the provider has been removed or replaced since the log-in began: its removal ends the sessions that it finds, and a later one would
 * stay. Until the commit, a removal waits, or this transaction runs again.
 */
async function requireProvider(
  { providerLock, providerStore }: FinishNeeds,
  tx: Transaction,
  { id: workspaceId, settings }: ActiveProvider,
): Promise<void> {
  await providerLock.refer(tx, [providerLockId(workspaceId)]);
  const stored = await providerStore.findIn(tx, workspaceId);
  if (stored?.issuer !== settings.issuer) throw new SignInRefused('provider_changed');
}

/**
 * Returns when the person proved who they are. A provider that still knew the browser did not ask, so a log-in counts
 * as a fresh confirmation only with the time that the provider names.
 */
function confirmedAtMs(flow: Flow, { authenticatedAtMs }: Identity, nowMs: number): number {
  if (flow.maxAgeS !== null && authenticatedAtMs === null) throw new SignInRefused('not_confirmed');
  if (
    flow.maxAgeS !== null &&
    authenticatedAtMs !== null &&
    nowMs - authenticatedAtMs > (CONFIRM_MAX_AGE_S + SKEW_S) * 1_000
  )
    throw new SignInRefused('not_confirmed');
  return Math.min(authenticatedAtMs ?? 0, nowMs);
}

/** How far the clock of the provider may be from ours; the limit of openid-client. */
const SKEW_S = 30;

/** A role that a claim has changed, and what ended with the previous one. */
interface RoleChange {
  role: { from: Role; to: Role };
  ended: Ended;
}

/** Changes the role of a member to the claimed one. Resolves to the change; null when there is none. */
async function applyRole(
  needs: FinishNeeds,
  tx: Transaction,
  { rule, workspace }: ActiveProvider,
  { user, membership, joined, claimedRole }: Person,
): Promise<RoleChange | null> {
  if (membership === null || joined !== null || rule.role_claim === null) return null;
  await needs.memberships.lockWorkspace(tx, workspace.id);
  const from = membership.role;
  const keepsOwner = from === 'owner' && (await mustStayOwner(needs, tx, workspace.id, user._id));
  const to = roleAfterSignIn(rule, { current: from, claimed: claimedRole, keepsOwner });
  if (to === from) return null;
  await needs.memberships.setRole(tx, workspace.id, user._id, to);
  const member = { workspaceId: workspace.id, userId: user._id, email: user.email, role: to };
  return { role: { from, to }, ended: await needs.endAccess(tx, member) };
}

async function mustStayOwner(
  needs: FinishNeeds,
  tx: Transaction,
  workspaceId: string,
  userId: string,
): Promise<boolean> {
  const policy = await needs.providerStore.policyIn(tx, workspaceId);
  if (policy?.break_glass_user_id === userId) return true;
  return !(await needs.memberships.hasOtherOwner(tx, workspaceId, userId));
}

async function recordChanges(
  { audit }: FinishNeeds,
  tx: Transaction,
  actor: Actor,
  { user, membership, joined }: Person,
  change: RoleChange | null,
): Promise<void> {
  const resource = { type: 'member', id: user._id, name: user.email };
  const how = { method: 'single_sign_on' };
  if (joined !== null) {
    await audit.record(tx, actor, {
      action: 'team.member_joined',
      resource,
      metadata: { role: membership?.role ?? null, ...how, ...joined },
    });
  }
  if (change !== null) {
    await audit.record(tx, actor, {
      action: 'team.role_changed',
      resource,
      metadata: { changes: { role: change.role }, ...how, ...change.ended },
    });
  }
}
