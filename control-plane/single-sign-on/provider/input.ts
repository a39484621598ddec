import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import { urlRefusal } from '../../../kernel/guard/url-refusal.js';
import type { Role } from '../../actor.js';
import { invalidField } from '../../errors.js';
import type { ProviderDocument } from '../documents.js';
import { DEFAULT_SCOPES, type SaveProvider } from '../schema.js';
import type { SingleSignOnPolicy } from '../sign-in/policy.js';
import type { RoleRule } from '../sign-in/role.js';

/** The settings in a request, with their defaults. */
export interface ProviderInput extends RoleRule, SingleSignOnPolicy {
  issuer: string;
  client_id: string;
  /** null: keep the stored one. */
  clientSecret: string | null;
  scopes: string[];
}

/** Throws 422 for settings that contradict each other, and for an issuer that Picket must not or cannot ask. */
export function providerInput(
  body: SaveProvider,
  before: ProviderDocument | null,
  { guard, allowHttp }: { guard: TargetGuard; allowHttp: boolean },
): ProviderInput {
  const problem = issuerProblem(body.issuer, guard, allowHttp);
  if (problem !== null) throw invalidField('/issuer', problem, 'issuer', { reason: problem });
  const scopes = body.scopes ?? DEFAULT_SCOPES;
  if (!scopes.includes('openid')) throw invalidField('/scopes', 'must contain openid', 'needs_openid');
  refuseMissingSecret(body, before);
  const mapping = Object.entries(body.role_mapping ?? {}).map(([value, role]): { value: string; role: Role } => ({
    value,
    role,
  }));
  const owner_by_claim = body.owner_by_claim ?? false;
  const role_claim = body.role_claim ?? null;
  if (!owner_by_claim && mapping.some(({ role }) => role === 'owner')) {
    throw invalidField('/role_mapping', 'must not map to owner unless owner_by_claim is true', 'maps_to_owner');
  }
  if (role_claim === null && mapping.length > 0)
    throw invalidField('/role_claim', 'is missing, but there is a role_mapping', 'required');
  const enforced = body.enforced ?? false;
  const break_glass_user_id = body.break_glass_user_id ?? null;
  if (enforced && break_glass_user_id === null) {
    throw invalidField(
      '/break_glass_user_id',
      'is required with enforced: the owner who can log in when the provider is down',
      'needs_break_glass',
    );
  }
  return {
    issuer: body.issuer,
    client_id: body.client_id,
    clientSecret: body.client_secret ?? null,
    scopes,
    ...{ role_claim, role_mapping: mapping, owner_by_claim, enforced, break_glass_user_id },
    default_role: body.default_role === undefined ? 'viewer' : body.default_role,
  };
}

/** Returns why the issuer cannot be used; null when it can be asked. */
function issuerProblem(issuer: string, guard: TargetGuard, allowHttp: boolean): string | null {
  const refusal = urlRefusal(issuer, guard);
  if (refusal !== null) return refusal.message;
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !allowHttp) return 'must start with https://';
  if (url.search !== '' || url.hash !== '') return 'must not have a query or a fragment';
  if (url.pathname.includes('/.well-known/')) return 'must be the issuer, not the address of its metadata';
  return null;
}

/** Throws 422 if the stored secret would be sent to another provider: who may change a provider may not read its secret. */
function refuseMissingSecret(
  { issuer, client_id, client_secret }: SaveProvider,
  before: ProviderDocument | null,
): void {
  if (client_secret !== undefined) return;
  if (before === null) throw invalidField('/client_secret', 'is required', 'required');
  if (before.issuer !== issuer)
    throw invalidField('/client_secret', 'must be sent again, because issuer is another one', 'send_again');
  if (before.client_id !== client_id)
    throw invalidField('/client_secret', 'must be sent again, because client_id is another one', 'send_again');
}
