import { type Actor, hasScope, type Scope } from '../actor.js';
import { AppError } from '../errors.js';
import { requireAccess } from '../http/access.js';
import { addressBucket } from '../http/limits/address-bucket.js';
import { EVENT_SCOPES } from './event.js';
import type { StreamOwner } from './streams/limits.js';

/** Returns the scopes whose events the actor may see. Throws 403 if there are none, or the session may not read yet. */
export function readableScopes(actor: Actor): ReadonlySet<Scope> {
  const scopes = EVENT_SCOPES.filter((scope) => hasScope(actor, scope));
  const [first = EVENT_SCOPES[0]] = scopes;
  if (first === undefined) throw new AppError('forbidden', 'There are no events.');
  requireAccess(actor, first, 'GET');
  return new Set(scopes);
}

/** Returns whose stream an actor opens, for limits. */
export function ownerOf({ workspaceId, plan, key, session, userId, ip }: Actor): StreamOwner {
  return { workspaceId, plan, userId, credential: key?.id ?? `${session?.id} ${userId}`, address: addressBucket(ip) };
}
