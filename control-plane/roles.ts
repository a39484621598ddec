/** What a person may do in a workspace, the most first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

interface RoleRights {
  /** Everything in the workspace, except secrets. */
  read: boolean;
  /** What the workspace watches and whom it notifies: monitors, servers, channels, rules, incidents. */
  write: boolean;
  /** Members, API keys, the audit log's forwarders and everything else without a scope of its own. */
  manage: boolean;
  /** The workspace itself: its name, sign-in rules, plan and deletion. */
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
