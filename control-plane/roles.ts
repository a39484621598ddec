/** What a person may do in a workspace, the most first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

interface RoleRights {
  /** Everything in the workspace, except secrets. */
  read: boolean;
  /** What needs a scope that ends with `:write`: monitors, servers, blacklist monitors, WordPress sites, channels, incidents. */
  write: boolean;
  /** Members, settings of the workspace, alert rules, API keys, audit forwarders, and what else needs full access. */
  manage: boolean;
  /** Single sign-on, plan and invoices, and the deletion of the workspace. */
  own: boolean;
}

export type RoleRight = keyof RoleRights;

/** The rights of each role. API checks, the documentation and the tests all read this table. */
export const ROLE_RIGHTS: Readonly<Record<Role, RoleRights>> = {
  owner: { read: true, write: true, manage: true, own: true },
  admin: { read: true, write: true, manage: true, own: false },
  member: { read: true, write: true, manage: false, own: false },
  viewer: { read: true, write: false, manage: false, own: false },
};

/** Returns the right that a role needs for what needs this scope. */
export function rightOfScope(scope: `${string}:${'read' | 'write'}`): RoleRight {
  return scope.endsWith(':read') ? 'read' : 'write';
}
