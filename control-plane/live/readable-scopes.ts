import { type Actor, hasScope, type Scope } from '../actor.js';
import { AppError } from '../errors.js';
import { requireAccess } from '../http/access.js';
import { EVENT_SCOPES } from './event.js';

/** Returns the scopes whose events the actor may see. Throws 403 if there are none, or the session may not read yet. */
export function readableScopes(actor: Actor): ReadonlySet<Scope> {
  const scopes = EVENT_SCOPES.filter((scope) => hasScope(actor, scope));
  const [first = EVENT_SCOPES[0]] = scopes;
  if (first === undefined) throw new AppError('forbidden', 'There are no events.');
  requireAccess(actor, first, 'GET');
  return new Set(scopes);
}

/** Returns the name of the credential of an actor, for limits. */
export function credentialOf({ key, session, userId }: Actor): string {
  return key?.id ?? `${session?.id} ${userId}`;
}
