import type { Context, Middleware } from 'koa';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { requireAccess } from './access.js';
import type { Access } from './route.js';
import { type Identity, requestIdOf } from './state.js';

/** What of a request can hold a credential. */
export interface Credentials {
  authorization: string | undefined;
  cookie: string | undefined;
  origin: string | undefined;
  method: string;
  ip: string | null;
  requestId: string;
}

/** One way to prove who asks. API keys are one, sessions will be another. */
export interface Authenticator {
  /** null when the request carries no credential of this kind; throws when it carries one that is no good. */
  authenticate(credentials: Credentials): Promise<Actor | null>;
}

/**
 * Finds out who asks, for every request, so that rate limits go by key; whether anybody has to be known is the
 * route's to say. The first authenticator that recognizes its kind decides.
 */
export function identify(authenticators: readonly Authenticator[]): Middleware {
  return async (ctx, next) => {
    const identity: Identity = await identityOf(ctx, authenticators);
    ctx.state['identity'] = identity;
    return next();
  };
}

/** Who asks, for what stands outside the API: throws as the API would where nobody does or the access is missing. */
export async function authorize(
  ctx: Context,
  authenticators: readonly Authenticator[],
  access: Exclude<Access, 'public'>,
): Promise<Actor> {
  const { actor, error } = await identityOf(ctx, authenticators);
  if (actor === null) throw error;
  requireAccess(actor, access);
  return actor;
}

async function identityOf(ctx: Context, authenticators: readonly Authenticator[]): Promise<Identity> {
  const credentials: Credentials = {
    authorization: ctx.req.headers.authorization,
    cookie: ctx.req.headers.cookie,
    origin: ctx.req.headers.origin,
    method: ctx.method,
    ip: clientAddress(ctx),
    requestId: requestIdOf(ctx),
  };
  try {
    for (const authenticator of authenticators) {
      const actor = await authenticator.authenticate(credentials);
      if (actor !== null) return { actor, error: null };
    }
  } catch (error) {
    return { actor: null, error };
  }
  const detail = 'Send an API key: Authorization: Bearer pk_live_...';
  return { actor: null, error: new AppError('unauthenticated', detail) };
}

/** The peer's address; an IPv4 peer of a dual-stack socket in its own notation. */
export function clientAddress(ctx: Context): string | null {
  return ctx.req.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
