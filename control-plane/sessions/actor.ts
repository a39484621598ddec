import { retentionPlanOf, stopOf } from '../accounts/standing/standing.js';
import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import { actorSessionOf, type NeedsSingleSignOn, type SessionWithOwner } from './validity.js';

/** Returns the person of a session. Throws when they are not a member of its workspace. */
export function personOf(
  found: SessionWithOwner,
  client: Client,
  needsSingleSignOn: NeedsSingleSignOn,
  nowMs: number,
): Actor {
  const { user, workspace, membership } = found;
  if (membership === null) throw new Error(`the session ${found.session._id} has no membership`);
  return {
    kind: 'session',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: retentionPlanOf(workspace, nowMs),
    stopped: stopOf(workspace),
    userId: user._id,
    email: user.email,
    ip: client.ip,
    userAgent: client.userAgent,
    scopes: ['*'],
    role: membership.role,
    // The owners of one workspace must not get at the whole installation through their identity provider.
    operator: user.operator && found.session.provider_workspace_id === undefined,
    key: null,
    session: actorSessionOf(found, needsSingleSignOn),
    requestId: client.requestId,
  };
}
