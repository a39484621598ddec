import { isOperator } from '../accounts/operators.js';
import { memberActor } from '../accounts/person-actor.js';
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
  const { session, user, workspace, membership } = found;
  if (membership === null) throw new Error(`the session ${session._id} has no membership`);
  return {
    ...memberActor({ user, workspace, role: membership.role }, client, nowMs),
    scopes: ['*'],
    // A session that the identity provider of a workspace opened acts only there, so the owners of one workspace cannot get
    // at the whole installation through their provider.
    operator: isOperator(workspace, membership.role),
    session: actorSessionOf(found, needsSingleSignOn),
  };
}
