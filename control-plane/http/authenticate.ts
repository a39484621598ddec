import type { Context, Middleware } from 'koa';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { refuseStopped, requireAccess } from './access.js';
import { type Client, clientOf } from './client/client.js';
import { answerForPage, LOADED_FOR } from './client/loaded-for.js';
import type { Access, Route } from './route.js';
import { type Identity, stateOf } from './state.js';

/** The parts of a request that can carry a credential, and facts for the actor. */
export interface Credentials {
  authorization: string | undefined;
  method: string;
  client: Client;
}

/** One way to authenticate, for example API keys. */
export interface Authenticator {
  /** Resolves to null when the request has no credential of this kind. Throws when its credential is invalid. */
  authenticate(credentials: Credentials): Promise<Actor | null>;
  /**
   * The same for a response that lasts: reads the credential from the database now, and does not count as a use of it, so
   * that a page that was left open does not keep its session alive.
   */
  recheck(credentials: Credentials): Promise<Actor | null>;
  /**
   * Returns whether this credential is known to exist or is being looked up, so that it cannot be used to cause many
   * queries. It says nothing about whether the credential is still valid.
   */
  recognizes(credentials: Credentials): boolean;
}

/**
 * Returns the middleware that authenticates every request, because rate limits are per key. The route or mount decides
 * later whether it needs an actor. The first authenticator that finds a credential of its kind decides.
 */
export function identify(authenticators: readonly Authenticator[]): Middleware {
  return async (ctx, next) => {
    const credentials = credentialsOf(ctx);
    const authenticate = async (by: Authenticator) => {
      const actor = await by.authenticate(credentials);
      const name = actor === null ? null : answerForPage(actor, credentials.client.header(LOADED_FOR.toLowerCase()));
      if (name !== null) ctx.set(LOADED_FOR, name);
      return actor;
    };
    const identity: Identity = await identityOf(authenticators, authenticate);
    ctx.state['identity'] = identity;
    ctx.state['recheck'] = () => identityOf(authenticators, (by) => by.recheck(credentials));
    return next();
  };
}

/**
 * Resolves to the person of a request to a public route, with the rights of now; null when the request has no credential of
 * this kind, or one that does not work. An API key names no person, so it is left out.
 */
export async function personBy({ authenticate }: Authenticator, client: Client): Promise<Actor | null> {
  try {
    return await authenticate({ authorization: undefined, method: 'POST', client });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return null;
    throw error;
  }
}

/** Returns the actor of a request that `identify` has authenticated. Throws when there is none, or its access is not enough. */
export function authorize(
  ctx: Context,
  access: Exclude<Access, 'public'>,
  whileStopped?: Route['whileStopped'],
): Actor {
  return admitted(stateOf(ctx).identity, { access, whileStopped, method: ctx.method });
}

/** The same for a response that lasts, with the rights of now. */
export async function authorizeAgain(ctx: Context, access: Exclude<Access, 'public'>): Promise<Actor> {
  return admitted(await stateOf(ctx).recheck?.(), { access, whileStopped: undefined, method: ctx.method });
}

/**
 * The same for a route for operators, with the rights of now: whoever has just been removed must not operate the installation
 * for as long as this control plane caches their rights.
 */
export async function authorizeOperator(ctx: Context): Promise<Actor> {
  // First from the cache, so that credentials that do not work cannot cause more queries here.
  authorize(ctx, 'any', 'always');
  return authorizeAgain(ctx, 'operator');
}

function admitted(
  identity: Identity | undefined,
  to: { access: Exclude<Access, 'public'>; whileStopped: Route['whileStopped'] | undefined; method: string },
): Actor {
  if (identity === undefined || identity.actor === null) throw identity?.error;
  refuseStopped(identity.actor, to.access, to.whileStopped);
  requireAccess(identity.actor, to.access, to.method);
  return identity.actor;
}

export function credentialsOf(ctx: Context): Credentials {
  return {
    authorization: ctx.req.headers.authorization,
    method: ctx.method,
    client: clientOf(ctx),
  };
}

async function identityOf(
  authenticators: readonly Authenticator[],
  actorBy: (authenticator: Authenticator) => Promise<Actor | null>,
): Promise<Identity> {
  try {
    for (const authenticator of authenticators) {
      const actor = await actorBy(authenticator);
      if (actor !== null) return { actor, error: null };
    }
  } catch (error) {
    return { actor: null, error };
  }
  const detail = 'Log in, or send an API key: Authorization: Bearer pk_live_...';
  return { actor: null, error: new AppError('unauthenticated', detail) };
}
