import { type Actor, hasScope, type Scope, type SessionRestriction } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import { ROLE_RIGHTS, ROLES, type Role, type RoleRight, rightOfScope } from '../roles.js';
import type { Access, Route } from './route.js';

/** What the role of the actor must include for each access that is no scope. */
const NEEDED: Record<Exclude<Access, Scope | 'public'>, RoleRight> = {
  any: 'read',
  session: 'read',
  person: 'read',
  view: 'read',
  self: 'read',
  full: 'manage',
  owner: 'own',
  owner_session: 'own',
  operator: 'manage',
};

/** Returns the roles that may use a route of this access; for `operator`, in the workspace of the operators. */
export function rolesFor(access: Exclude<Access, 'public'>): Role[] {
  const right = isScope(access) ? rightOfScope(access) : NEEDED[access];
  return ROLES.filter((role) => ROLE_RIGHTS[role][right]);
}

function isScope(access: Access): access is Scope {
  return access.includes(':');
}

/** The `detail` of `email_not_confirmed`. */
export const EMAIL_NOT_CONFIRMED =
  'Confirm your e-mail address first: open the link in the e-mail from Picket, or send it again with POST /v1/auth/email/confirm/resend.';

/** For this long after a person proved who they are, a session may do what needs a fresh confirmation. */
const CONFIRMED_MS = 600_000;

/** Throws unless the actor may use a route of this access with this method. */
export function requireAccess(actor: Actor, access: Exclude<Access, 'public'>, method: string): void {
  refuseRestricted(actor, access, method);
  switch (access) {
    case 'any':
      return;
    case 'session':
      requireSession(actor);
      return;
    case 'person':
      requireSession(actor);
      requireOwnSignIn(actor);
      return;
    case 'view':
    case 'self':
    case 'full':
    case 'owner':
      requireRight(actor, NEEDED[access]);
      return;
    case 'owner_session':
      requireOwnerSession(actor);
      return;
    case 'operator':
      // Other callers must not learn that the path exists.
      if (!actor.operator || !hasRight(actor, NEEDED[access])) throw notFound('path');
      return;
    default:
      requireScope(actor, access);
  }
}

/**
 * Throws 403 if the workspace of the actor is stopped and the route cannot be used then. The workspace of the operators is
 * never stopped, and the others must not learn that the routes for operators exist.
 */
export function refuseStopped(actor: Actor, access: Access, whileStopped: Route['whileStopped']): void {
  const { stopped } = actor;
  if (stopped === null || access === 'operator' || whileStopped === 'always') return;
  if (stopped.why === 'deleted' && whileStopped === 'deleted') return;
  throw new AppError('forbidden', stopped.reason);
}

function requireSession({ kind }: Actor): void {
  if (kind === 'session') return;
  throw new AppError('forbidden', 'This needs a person who is logged in, not an API key.', {
    missing_right: true,
  });
}

/**
 * Throws for a session that the identity provider of a workspace opened. The owners of the workspace control the
 * provider, so it could open a session of any member: none of those may reach the rest of the person's account.
 */
function requireOwnSignIn({ session }: Actor): void {
  if (session?.providerWorkspaceId === undefined) return;
  const detail =
    'The identity provider of a workspace opened this session. Log in with a password or a passkey for this.';
  throw new AppError('forbidden', detail, { missing_right: true });
}

/** Throws 403 unless the actor has the scope. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (hasScope(actor, scope)) return;
  if (actor.kind === 'key' && !actor.scopes.includes('*') && !actor.scopes.includes(scope)) throw missingScope(scope);
  throw roleTooLow(actor, rightOfScope(scope));
}

/**
 * Throws `forbidden` for a key with an expiry. `what` would give people rights, or send them what the workspace has, after the key
 * has ended: whoever has such a key for a day could otherwise keep its rights for ever.
 */
export function refuseKeyWithExpiry({ key }: Pick<Actor, 'key'>, what: string): void {
  if (key === null || key.expiresAt === null) return;
  const why = 'because that would not end with the key. Use a session, or a key without an expiry.';
  throw new AppError('forbidden', `An API key with an expiry cannot ${what}, ${why}`, { missing_right: true });
}

/**
 * Throws `forbidden` unless an owner asks in a session. For the rules of log-in: with a key, which is kept in programs, they
 * would let in whom its thief wants.
 */
export function requireOwnerSession(actor: Actor): void {
  requireSession(actor);
  requireRight(actor, 'own');
}

/** Throws `confirmation_required` for a session whose person has not proved who they are within `CONFIRMED_MS`. */
export function requireFresh({ session }: Actor, nowMs: number): void {
  if (session === null || nowMs - session.confirmedAtMs <= CONFIRMED_MS) return;
  throw new AppError('confirmation_required', 'Confirm that it is you first: POST /v1/auth/confirm.');
}

/**
 * Throws `email_not_confirmed` for a person, or the key of one, whose e-mail address is not confirmed. It may be that of
 * somebody else, who would take the account over with everything that was prepared in it.
 */
export function requireConfirmedEmail({ emailUnconfirmed }: Pick<Actor, 'emailUnconfirmed'>): void {
  if (emailUnconfirmed === true) throw new AppError('email_not_confirmed', EMAIL_NOT_CONFIRMED);
}

function requireRight(actor: Actor, right: RoleRight): void {
  if (hasRight(actor, right)) return;
  throw actor.kind === 'key' && !actor.scopes.includes('*') ? missingScope('*') : roleTooLow(actor, right);
}

/** Whether the actor has a right of its role. A key needs the scope `*` for it. */
export function hasRight(actor: Actor, right: RoleRight): boolean {
  return ROLE_RIGHTS[actor.role][right] && (actor.kind !== 'key' || actor.scopes.includes('*'));
}

const RESTRICTIONS: Record<SessionRestriction, string> = {
  second_factor_setup_required: 'This workspace requires a second factor. Set one up first.',
  single_sign_on_required: 'This workspace requires single sign-on. Log in again with it.',
};

function refuseRestricted({ session }: Actor, access: Access, method: string): void {
  const restriction = session?.restriction ?? null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (restriction === null || access === 'person' || access === 'session' || (access === 'any' && isRead)) return;
  throw new AppError(restriction, RESTRICTIONS[restriction]);
}

function roleTooLow({ kind, role }: Actor, right: RoleRight): AppError {
  const required_roles = ROLES.filter((candidate) => ROLE_RIGHTS[candidate][right]);
  const needed = required_roles.join(', ');
  const has = kind === 'key' ? `The person who created this key has the role ${role}.` : `Your role is ${role}.`;
  return new AppError('forbidden', `${has} This needs the role ${needed.replace(/, (\w+)$/, ' or $1')}.`, {
    required_roles,
    missing_right: true,
  });
}

function missingScope(scope: string): AppError {
  const detail = scope === '*' ? 'This needs a key with full access.' : `This key does not have the scope ${scope}.`;
  return new AppError('insufficient_scope', detail, { required_scope: scope });
}
