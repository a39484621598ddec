import { type Actor, platformActor, type Role } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { UserDocument, WorkspaceDocument } from './documents.js';
import { retentionPlanOf, stopOf } from './standing/standing.js';

/** From where a person acts. */
type ActingClient = Pick<Client, 'ip' | 'userAgent' | 'requestId'>;

/**
 * Returns a member of a workspace as an actor, for the audit log. It has the rights of no credential: authenticators add
 * what theirs gives.
 */
export function memberActor(
  { user, workspace, role }: { user: UserDocument; workspace: WorkspaceDocument; role: Role },
  { ip, userAgent, requestId }: ActingClient,
  nowMs: number,
): Actor {
  return {
    kind: 'session',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: retentionPlanOf(workspace, nowMs),
    stopped: stopOf(workspace),
    userId: user._id,
    email: user.email,
    ...(user.email_confirmed_at_ms === null ? { emailUnconfirmed: true as const } : {}),
    ip,
    userAgent,
    scopes: [],
    role,
    operator: false,
    key: null,
    session: null,
    requestId,
  };
}

/**
 * Returns somebody who did not prove who they are as an actor, for the audit log of a workspace. `userId` is that of the
 * account which they tried to open; null when there is none.
 */
export function unauthenticatedActor(
  workspaceId: string,
  { userId, email }: { userId: string | null; email: string },
  { ip, userAgent, requestId }: ActingClient,
): Actor {
  return {
    ...platformActor(workspaceId),
    ...{ kind: 'session', userId, email, ip, userAgent, requestId },
    ...{ scopes: [], role: 'viewer' },
  };
}
