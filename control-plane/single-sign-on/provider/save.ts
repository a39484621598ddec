import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { UsersStore } from '../../accounts/users-store.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, invalidField } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { requirePlanFeature } from '../../plans/quota.js';
import type { Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { ProviderDocument } from '../documents.js';
import { type EndSessionsNeeds, endedSessions } from '../domains/end-sessions.js';
import type { DomainStore } from '../domains/store.js';
import type { ProviderClient } from '../oidc/provider-client.js';
import type { SaveProvider } from '../schema.js';
import type { SingleSignOnPolicy } from '../sign-in/policy.js';
import { SignInRefused } from '../sign-in/refusal.js';
import { type ProviderInput, providerInput } from './input.js';
import { resourceOf, sealSecret } from './secret.js';
import type { ProviderStore } from './store.js';

export interface SaveProviderNeeds {
  providers: ProviderStore;
  domains: DomainStore;
  users: UsersStore;
  memberships: MembershipsStore;
  sessions: EndSessionsNeeds['sessions'];
  client: Pick<ProviderClient, 'discover'>;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  allowHttp: boolean;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
}

export interface SavedProvider {
  document: ProviderDocument;
  policy: SingleSignOnPolicy;
}

/**
 * Saves the identity provider of the actor's workspace. It asks a new issuer for its metadata first, outside the
 * transaction; an issuer that stays is not asked, so that `enforced` can be taken back while the provider is down.
 * Throws 422 for metadata that Picket cannot use and 409 when the issuer does not answer.
 */
export async function saveProvider(
  needs: SaveProviderNeeds,
  actor: Actor,
  { body, ifVersion }: { body: SaveProvider; ifVersion: number | null },
): Promise<SavedProvider> {
  requirePlanFeature(actor.plan, 'singleSignOn', 'Identity providers');
  const before = await needs.providers.find(actor.workspaceId);
  const input = providerInput(body, before, needs);
  if (before?.issuer !== input.issuer) await requireUsable(needs, input.issuer);
  try {
    return await needs.runTransaction((tx) => write(needs, tx, actor, { input, ifVersion, before }));
  } catch (error) {
    if (isDuplicateKey(error)) throw changedMeanwhile();
    throw error;
  }
}

async function requireUsable({ client }: SaveProviderNeeds, issuer: string): Promise<void> {
  try {
    await client.discover(issuer);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    if (error.reason !== 'provider_unavailable')
      throw invalidField('/issuer', `cannot be used: ${error.message}`, 'issuer', { reason: error.message });
    throw new AppError('conflict', `The identity provider could not be asked for its metadata: ${error.message}.`);
  }
}

async function write(
  needs: SaveProviderNeeds,
  tx: Transaction,
  actor: Actor,
  request: { input: ProviderInput; ifVersion: number | null; before: ProviderDocument | null },
): Promise<SavedProvider> {
  const { providers, clock } = needs;
  const { input, ifVersion } = request;
  const before = await providers.findIn(tx, actor.workspaceId);
  if (before?.version !== request.before?.version) throw changedMeanwhile();
  if (before !== null) requireVersion(ifVersion, before.version);
  if (input.enforced) await requireEnforceable(needs, tx, actor.workspaceId, input.break_glass_user_id ?? '');
  const { enforced, break_glass_user_id, clientSecret, ...settings } = input;
  const policy: SingleSignOnPolicy = { enforced, break_glass_user_id };
  const document: ProviderDocument = {
    _id: actor.workspaceId,
    provider_id: before?.provider_id ?? needs.ids.next('sso'),
    ...settings,
    client_secret:
      clientSecret === null ? (before?.client_secret ?? '') : sealSecret(clientSecret, needs.box, actor.workspaceId),
    created_at_ms: before?.created_at_ms ?? clock.now(),
    updated_at_ms: clock.now(),
    version: (before?.version ?? 0) + 1,
  };
  const policyBefore = await providers.policyIn(tx, actor.workspaceId);
  if (before === null) await providers.insert(tx, document);
  else if (!(await providers.replace(tx, document))) throw changedMeanwhile();
  await providers.setPolicy(tx, actor.workspaceId, policy);
  // Whom the previous issuer vouched for is nobody that this one knows.
  const isOther = before !== null && before.issuer !== document.issuer;
  const sessionsEnded = isOther ? await needs.sessions.endOfProvider(tx, actor.workspaceId) : 0;
  const saved = { before, policyBefore, document, policy, isRotated: clientSecret !== null, sessionsEnded };
  await record(needs, tx, actor, saved);
  return { document, policy };
}

/** Throws when nobody could log in any more once the provider is required. */
async function requireEnforceable(
  { domains, users, memberships }: SaveProviderNeeds,
  tx: Transaction,
  workspaceId: string,
  userId: string,
): Promise<void> {
  // Until the commit, nobody removes or demotes the owner.
  await memberships.lockWorkspace(tx, workspaceId);
  const [membership, user] = [await memberships.find(tx, workspaceId, userId), await users.findIn(tx, userId)];
  if (membership?.role !== 'owner')
    throw invalidField('/break_glass_user_id', 'must be an owner of this workspace', 'break_glass');
  if (user === null || user.password_hash === null)
    throw invalidField('/break_glass_user_id', 'must be an owner who has a password', 'break_glass');
  if (user.deletion != null)
    throw invalidField(
      '/break_glass_user_id',
      'must be an owner whose account is not about to be deleted',
      'break_glass',
    );
  if ((await domains.countVerified(tx, workspaceId)) > 0) return;
  throw new AppError(
    'conflict',
    'Verify a domain first: without one, nobody can log in through the identity provider.',
  );
}

type Audited = Omit<ProviderDocument, 'client_secret' | 'updated_at_ms' | 'created_at_ms' | 'version'> &
  SingleSignOnPolicy;

const AUDITED: readonly (keyof Audited)[] = [
  ...(['issuer', 'client_id', 'scopes', 'role_claim', 'role_mapping', 'owner_by_claim', 'default_role'] as const),
  ...(['enforced', 'break_glass_user_id'] as const),
];

async function record(
  { audit }: SaveProviderNeeds,
  tx: Transaction,
  actor: Actor,
  saved: {
    before: ProviderDocument | null;
    policyBefore: SingleSignOnPolicy | null;
    document: ProviderDocument;
    policy: SingleSignOnPolicy;
    isRotated: boolean;
    sessionsEnded: number;
  },
): Promise<void> {
  const { before, policyBefore, document, policy, isRotated, sessionsEnded } = saved;
  const resource = resourceOf(document);
  if (before === null) {
    const metadata = { issuer: document.issuer, client_id: document.client_id, enforced: policy.enforced };
    await audit.record(tx, actor, { action: 'integration.connected', resource, metadata });
    return;
  }
  const [old, now]: [Audited, Audited] = [
    { ...before, enforced: false, break_glass_user_id: null, ...policyBefore },
    { ...document, ...policy },
  ];
  const changed = AUDITED.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  if (changed.length > 0) {
    const changes = Object.fromEntries(changed.map((name) => [name, { from: old[name], to: now[name] }]));
    const metadata = { changes, ...endedSessions(sessionsEnded) };
    await audit.record(tx, actor, { action: 'integration.updated', resource, metadata });
  }
  if (isRotated) {
    const metadata = { fields: ['client_secret'] };
    await audit.record(tx, actor, { action: 'integration.credential_rotated', resource, metadata });
  }
}

function changedMeanwhile(): AppError {
  return new AppError('precondition_failed', 'The identity provider was changed since it was read.');
}
