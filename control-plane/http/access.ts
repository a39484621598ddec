import { type Actor, hasScope, type Scope } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import type { Access } from './route.js';

/** Throws unless the actor may use a route of this access. */
export function requireAccess(actor: Actor, access: Exclude<Access, 'public'>): void {
  switch (access) {
    case 'any':
      return;
    case 'full':
      requireFull(actor);
      return;
    case 'operator':
      // Other callers must not learn that the path exists.
      if (!actor.operator || !hasFull(actor)) throw notFound('path');
      return;
    default:
      requireScope(actor, access);
  }
}

function requireFull(actor: Actor): void {
  if (hasFull(actor)) return;
  if (actor.kind === 'key') throw missingScope('*');
  throw new AppError('forbidden', 'This needs the role owner or admin.');
}

/** Throws 403 unless the actor has the scope. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (hasScope(actor, scope)) return;
  if (actor.kind === 'key') throw missingScope(scope);
  throw new AppError('forbidden', `The role ${actor.role} does not allow this.`);
}

function hasFull(actor: Actor): boolean {
  return actor.kind === 'key' ? actor.scopes.includes('*') : actor.role === 'owner' || actor.role === 'admin';
}

function missingScope(scope: string): AppError {
  const detail = scope === '*' ? 'This needs a key with full access.' : `This key does not have the scope ${scope}.`;
  return new AppError('insufficient_scope', detail, { required_scope: scope });
}
