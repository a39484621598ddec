import type { PlanName } from './plans/plans.js';
import { ROLE_RIGHTS, type Role, rightOfScope } from './roles.js';

export type { Role } from './roles.js';

/** What an API key can be limited to. `:write` does not imply `:read`. Each slice declares its own. */
export type Scope = `${string}:${'read' | 'write'}`;

/** Why a session may only use routes with access `person`, and read routes with access `any`. */
export type SessionRestriction = 'second_factor_setup_required' | 'single_sign_on_required';

export interface ActorSession {
  id: string;
  /** When the person last proved who they are: at log-in, or later with `POST /v1/auth/confirm`. */
  confirmedAtMs: number;
  /** Whether a second factor was part of the log-in, or was set up during the session. */
  secondFactor: boolean;
  restriction: SessionRestriction | null;
  /**
   * The workspace whose identity provider opened the session. Such a session may not change the account of the person,
   * nor open another workspace. Missing for every other way to log in.
   */
  providerWorkspaceId?: string;
}

/** Who asks, in which workspace, with what rights. Made by authentication, passed to every operation. */
export interface Actor {
  /** `key`: API key. `session`: a person who is logged in. `link`: whoever has the link of a notification. `system`: Picket itself. */
  kind: 'key' | 'session' | 'link' | 'system';
  workspaceId: string;
  workspaceName: string;
  plan: PlanName;
  /** The plan by which history is shown: after a downgrade, the previous one for some days. */
  retentionPlan: PlanName;
  /** Why the workspace is stopped; null while it works. Then only routes with `whileStopped` can be used. */
  stopped: { why: 'suspended' | 'deleted'; reason: string } | null;
  /** null for the system and for links. */
  userId: string | null;
  /** `system` for the system; for a link, words that name its channel. */
  email: string;
  /** Nobody has confirmed the address of the person, or of the creator of the key. Missing for all others. */
  emailUnconfirmed?: true;
  ip: string | null;
  /** At most 300 characters without control characters; null for the system and when the client sends none. */
  userAgent: string | null;
  /** `['*']` is full access, as far as the role allows it. */
  scopes: readonly (Scope | '*')[];
  /** Of the person; for a key, of the person who created it. */
  role: Role;
  /** An owner or admin of the workspace of the operators acts in it, and may use `/v1/admin/...`. */
  operator: boolean;
  key: { id: string; name: string; lastUsedAt: number | null; expiresAt: number | null } | null;
  /** null for all others than `session`. */
  session: ActorSession | null;
  /**
   * The channel that the notification with the link went to, and the address of the only person whom it went to; null if
   * others got it too. Missing for all others than `link`.
   */
  link?: { channelId: string; channelName: string; person: string | null };
  /** The bulk change that is being written; missing for all others. */
  bulkId?: string;
  requestId: string;
}

/**
 * Returns whether the actor may use what needs this scope. A person may by their role. A key also needs the scope, and
 * never has more rights than the role of its creator.
 */
export function hasScope(actor: Actor, scope: Scope): boolean {
  if (!ROLE_RIGHTS[actor.role][rightOfScope(scope)]) return false;
  return actor.kind !== 'key' || actor.scopes.includes('*') || actor.scopes.includes(scope);
}

/** The actor of what Picket does by itself in a workspace: votes, schedules, retention. */
export function systemActor(workspace: { id: string; name: string; plan: PlanName }, requestId: string): Actor {
  return {
    kind: 'system',
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: null,
    email: 'system',
    ip: null,
    userAgent: null,
    scopes: ['*'],
    role: 'owner',
    operator: false,
    key: null,
    session: null,
    requestId,
  };
}

/** Returns Picket itself as an actor in a workspace whose name and plan do not matter. */
export function platformActor(workspaceId: string): Actor {
  return systemActor({ id: workspaceId, name: '', plan: 'Enterprise' }, 'system');
}
