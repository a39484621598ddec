import type { PlanName } from './plans/plans.js';

/** What an API key can be limited to. `:write` does not imply `:read`. Each slice declares its own. */
export type Scope = `${string}:${'read' | 'write'}`;

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who asks, in which workspace, with what rights. Made by authentication, passed to every operation. */
export interface Actor {
  /** `key`: API key. `session`: a person in the dashboard. `system`: Picket itself. */
  kind: 'key' | 'session' | 'system';
  workspaceId: string;
  workspaceName: string;
  plan: PlanName;
  /** null for the system. */
  userId: string | null;
  /** `system` for the system. */
  email: string;
  ip: string | null;
  /** `['*']` is full access. */
  scopes: readonly (Scope | '*')[];
  role: Role;
  /** May use `/v1/admin/...`. */
  operator: boolean;
  key: { id: string; name: string; lastUsedAt: number | null; expiresAt: number | null } | null;
  requestId: string;
}

/** Returns whether the actor may use what needs this scope: a key by its scopes, a person by their role. */
export function hasScope(actor: Actor, scope: Scope): boolean {
  if (actor.kind === 'key') return actor.scopes.includes('*') || actor.scopes.includes(scope);
  return actor.role !== 'viewer' || scope.endsWith(':read');
}

/** The actor of what Picket does by itself in a workspace: votes, schedules, retention. */
export function systemActor(workspace: { id: string; name: string; plan: PlanName }, requestId: string): Actor {
  return {
    kind: 'system',
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    userId: null,
    email: 'system',
    ip: null,
    scopes: ['*'],
    role: 'owner',
    operator: false,
    key: null,
    requestId,
  };
}

/** Returns Picket itself as an actor in a workspace whose name and plan do not matter. */
export function platformActor(workspaceId: string): Actor {
  return systemActor({ id: workspaceId, name: '', plan: 'Enterprise' }, 'system');
}
