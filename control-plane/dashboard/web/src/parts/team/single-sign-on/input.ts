import type { SingleSignOn } from '../../../api/types.ts';
import type { Role } from '../rights.ts';

/** What the form has. An empty `client_secret` keeps the stored one. */
export interface ProviderInput {
  issuer: string;
  client_id: string;
  client_secret: string;
  role_claim: string;
  mapping: { value: string; role: Role }[];
  owner_by_claim: boolean;
  /** Empty: no access. */
  default_role: 'admin' | 'member' | 'viewer' | '';
  enforced: boolean;
  /** Empty: nobody. */
  break_glass_user_id: string;
}

/** Returns the form of the stored settings, or of a new provider. */
export function inputOf(stored: SingleSignOn | null): ProviderInput {
  return {
    issuer: stored?.issuer ?? '',
    client_id: stored?.client_id ?? '',
    client_secret: '',
    role_claim: stored?.role_claim ?? '',
    mapping: Object.entries(stored?.role_mapping ?? {}).map(([value, role]) => ({ value, role })),
    owner_by_claim: stored?.owner_by_claim ?? false,
    default_role: stored === null ? 'viewer' : (stored.default_role ?? ''),
    enforced: stored?.enforced ?? false,
    break_glass_user_id: stored?.break_glass_user_id ?? '',
  };
}

/** Returns the body that saves the form. It replaces all settings, so it repeats those that the form does not have. */
export function providerBody(stored: SingleSignOn | null, input: ProviderInput) {
  const claim = input.role_claim.trim();
  const mapped = input.mapping.map(({ value, role }): [string, Role] => [value.trim(), role]);
  return {
    issuer: input.issuer.trim(),
    client_id: input.client_id.trim(),
    ...(input.client_secret === '' ? {} : { client_secret: input.client_secret }),
    ...(stored === null ? {} : { scopes: stored.scopes }),
    role_claim: claim === '' ? null : claim,
    role_mapping: claim === '' ? {} : Object.fromEntries(mapped.filter(([value]) => value !== '')),
    owner_by_claim: claim !== '' && input.owner_by_claim,
    default_role: input.default_role === '' ? null : input.default_role,
    enforced: input.enforced,
    break_glass_user_id: input.break_glass_user_id === '' ? null : input.break_glass_user_id,
  };
}
