import { ROLES, type Role } from '../../roles.js';

/** Values of a claim that are read; directories put people into hundreds of groups. */
const CLAIM_VALUES_MAX = 1_000;
const CLAIM_DEPTH_MAX = 5;

/** How a workspace turns a claim of its identity provider into a role. */
export interface RoleRule {
  /** The name of the claim; null: members keep the role that they have in Picket. */
  role_claim: string | null;
  /** The role by value of the claim. A list, because a value can be any text, also `__proto__` or one with dots. */
  role_mapping: readonly { value: string; role: Role }[];
  /** Without a mapped value; null: no access. */
  default_role: Exclude<Role, 'owner'> | null;
  /** Whether the claim may make somebody an owner, and take that role away. */
  owner_by_claim: boolean;
}

/**
 * Returns the role that the rule gives to a person: the one with the most rights of all mapped values. null: the
 * person has no access. Never `owner` unless `owner_by_claim` is set, whatever the mapping contains.
 */
export function roleOf(rule: RoleRule, claims: Readonly<Record<string, unknown>>): Role | null {
  if (rule.role_claim === null) return rule.default_role;
  const values = new Set(claimValues(claims, rule.role_claim));
  const mapped = rule.role_mapping.filter(({ value }) => values.has(value)).map(({ role }) => role);
  const allowed = ROLES.filter((role) => role !== 'owner' || rule.owner_by_claim);
  return allowed.find((role) => mapped.includes(role)) ?? rule.default_role;
}

/**
 * Returns the role after a log-in of somebody who is a member already. Without a claim, Picket's own settings decide.
 * An owner stays one unless the claim governs owners and somebody else (`keepsOwner` is false) can still be one.
 */
export function roleAfterSignIn(
  rule: RoleRule,
  { current, claimed, keepsOwner }: { current: Role; claimed: Role; keepsOwner: boolean },
): Role {
  if (rule.role_claim === null) return current;
  if (current === 'owner' && (!rule.owner_by_claim || keepsOwner)) return 'owner';
  return claimed;
}

/** Returns the claim's texts. A claim is a text or a list of texts; anything else has no values. */
function claimValues(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = claimNamed(claims, name);
  const values = Array.isArray(value) ? value.slice(0, CLAIM_VALUES_MAX) : [value];
  return values.filter((one) => typeof one === 'string');
}

/** Returns a claim by its name, or by its path: Keycloak sends `realm_access.roles` as objects in each other. */
export function claimNamed(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const path = name.split('.');
  if (path.length > CLAIM_DEPTH_MAX) return undefined;
  let value: unknown = claims;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
