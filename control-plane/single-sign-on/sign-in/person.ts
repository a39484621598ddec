import type { Clock } from '../../../kernel/clock.js';
import type { MembershipDocument, UserDocument } from '../../accounts/documents.js';
import type { JoinTeam } from '../../accounts/join.js';
import type { Ended } from '../../accounts/member-access.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { Operators } from '../../accounts/operators.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { Role } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
import { isAddressProved, type ProveAddress } from '../../own-account/prove-address.js';
import type { SecondFactorCheck } from '../../sessions/second-factor-check.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import type { DomainStore } from '../domains/store.js';
import type { Identity } from '../oidc/claims.js';
import { accountForInstallation, accountForWorkspace, type KnownPerson } from './account.js';
import type { IdentitiesStore } from './identities-store.js';
import { type ActiveProvider, INSTALLATION } from './providers.js';
import { SignInRefused } from './refusal.js';
import { roleOf } from './role.js';

export interface PersonNeeds {
  users: UsersStore;
  memberships: MembershipsStore;
  operators: Operators;
  identities: IdentitiesStore;
  domains: DomainStore;
  factors: Pick<SecondFactorCheck, 'factorsOf'>;
  join: JoinTeam;
  proveAddress: ProveAddress;
  ids: Ids;
  clock: Clock;
}

/** The person whom the provider vouches for. */
export interface Person {
  user: UserDocument;
  /** null for somebody who is a member of other workspaces only. */
  membership: MembershipDocument | null;
  /** What ended when this log-in made them a member, for the audit entry; null if it did not. */
  joined: Ended | null;
  /** The role that the provider's claims give. */
  claimedRole: Role;
}

/**
 * Resolves to the person of an identity, after creating the account and the membership at the first log-in. From then
 * on the subject decides who somebody is, not the e-mail address. Rejects with SignInRefused.
 */
export async function personOf(
  needs: PersonNeeds,
  tx: Transaction,
  { provider, identity, client }: { provider: ActiveProvider; identity: Identity; client: Client },
): Promise<Person> {
  const claimedRole = roleOf(provider.rule, identity.claims);
  if (claimedRole === null) throw new SignInRefused('no_access');
  await requireOwnAddress(needs, tx, provider, identity);
  const known = await knownPerson(needs, tx, provider, identity);
  const decide = provider.id === INSTALLATION ? accountForInstallation : accountForWorkspace;
  const decision = decide(known);
  if (decision.kind === 'refuse') throw new SignInRefused(decision.reason);
  const isFirst = decision.kind !== 'sign_in';
  const user =
    decision.kind === 'create' ? await createUser(needs, tx, identity) : await needs.users.findIn(tx, decision.userId);
  if (user === null) throw new Error('the user of a log-in was deleted within its transaction');
  if (isFirst) await remember(needs, tx, provider, identity, user._id);
  const present = await needs.memberships.find(tx, provider.workspace.id, user._id);
  // Owners of a workspace chose its provider, so it must not take an account from anybody.
  const isTaken = provider.id === INSTALLATION && decision.kind === 'link' && !isAddressProved(user);
  const joining = present === null && isFirst ? join(needs, tx, provider, user, claimedRole) : null;
  const joined = await (isTaken ? joining?.catch(nullIfFull) : joining);
  const membership = present ?? joined?.membership ?? null;
  const by = { method: 'single_sign_on', client, leavesPlanted: membership === null } as const;
  const owned = isTaken ? await needs.proveAddress(tx, user._id, by) : user;
  return { user: owned, membership, joined: joined?.ended ?? null, claimedRole };
}

/** Whoever made the account could have seen to it that it cannot join; then its owner gets it without the membership. */
function nullIfFull(error: unknown): null {
  if (error instanceof SignInRefused && error.reason === 'workspace_full') return null;
  throw error;
}

/**
 * The provider of a workspace speaks only for the domains that the workspace has proved to own. That of the
 * installation speaks for everybody, so it must have verified the address.
 */
async function requireOwnAddress(
  { domains }: PersonNeeds,
  tx: Transaction,
  provider: ActiveProvider,
  { address, emailVerified }: Identity,
): Promise<void> {
  if (provider.id === INSTALLATION) {
    if (emailVerified !== 'verified') throw new SignInRefused('email_unverified', 'email_verified is not true');
    return;
  }
  const domain = await domains.verifiedIn(tx, address.domain);
  if (domain?.workspace_id !== provider.id) throw new SignInRefused('domain_not_verified');
}

async function knownPerson(
  needs: PersonNeeds,
  tx: Transaction,
  provider: ActiveProvider,
  { issuer, subject, address }: Identity,
): Promise<KnownPerson> {
  const { users, identities, memberships, operators, factors, clock } = needs;
  const workspaceId = provider.workspace.id;
  const isMember = async (userId: string) => (await memberships.find(tx, workspaceId, userId)) !== null;
  const isOfOperators = (await operators.workspaceId()) === workspaceId;
  const isOperatorElsewhere = async (userId: string) => !isOfOperators && (await operators.includes(tx, userId));
  const identity = await identities.find(tx, provider.id, issuer, subject);
  if (identity !== null) {
    const { user_id: userId } = identity;
    const user = await users.findIn(tx, userId);
    if (user !== null) {
      await identities.touch(tx, identity._id, clock.now());
      const hasOtherWorkspace = await memberships.hasOtherWorkspace(tx, userId, workspaceId);
      const standing = { isMember: await isMember(userId), isOperatorElsewhere: await isOperatorElsewhere(userId) };
      return { linked: { userId, hasOtherWorkspace, ...standing }, byEmail: null };
    }
    // The account was deleted, so this is a first log-in again.
    await identities.remove(tx, identity._id);
  }
  const user = await users.findByEmailIn(tx, address.email);
  if (user === null) return { linked: null, byEmail: null };
  const byEmail = {
    userId: user._id,
    isMember: await isMember(user._id),
    hasOtherWorkspace: await memberships.hasOtherWorkspace(tx, user._id, workspaceId),
    hasOwnSignIn: user.password_hash !== null || (await factors.factorsOf(user)).length > 0,
    isOperatorElsewhere: await isOperatorElsewhere(user._id),
    isProved: isAddressProved(user),
    hasOtherSubject: (await identities.ofUser(tx, provider.id, issuer, user._id)) !== null,
  };
  return { linked: null, byEmail };
}

async function createUser(
  { users, ids, clock }: PersonNeeds,
  tx: Transaction,
  identity: Identity,
): Promise<UserDocument> {
  const user: UserDocument = {
    _id: ids.next('usr'),
    email: identity.address.email,
    password_hash: null,
    created_at_ms: clock.now(),
    email_confirmed_at_ms: clock.now(),
  };
  await users.insert(tx, user);
  return user;
}

async function remember(
  { identities, clock }: PersonNeeds,
  tx: Transaction,
  { id: provider }: ActiveProvider,
  { issuer, subject }: Identity,
  user_id: string,
): Promise<void> {
  const nowMs = clock.now();
  await identities.insert(tx, { provider, issuer, subject, user_id, created_at_ms: nowMs, last_used_at_ms: nowMs });
}

async function join(
  needs: PersonNeeds,
  tx: Transaction,
  { workspace }: ActiveProvider,
  { _id: userId, email }: UserDocument,
  role: Role,
): ReturnType<JoinTeam> {
  try {
    return await needs.join(tx, { workspaceId: workspace.id, userId, email, role });
  } catch (error) {
    if (error instanceof AppError) throw new SignInRefused('workspace_full', error.message, error);
    throw error;
  }
}
