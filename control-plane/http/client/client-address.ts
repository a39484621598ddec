import type { Context, Middleware } from 'koa';
import type { Networks } from '../../../kernel/guard/networks.js';
import { stateOf } from '../state.js';
import { clientAddressOf } from './forwarded-for.js';

/**
 * Returns the middleware that finds the address of the client for everything that depends on it: the audit log, rate
 * limits and limits of guesses. Only proxies of the operator are believed about who sent a request.
 */
export function findClientAddress(trustedProxies: Networks): Middleware {
  return (ctx, next) => {
    const peer = ctx.req.socket.remoteAddress;
    const forwardedFor = ctx.req.headers['x-forwarded-for'];
    ctx.state['clientAddress'] =
      peer === undefined ? null : clientAddressOf(peer, String(forwardedFor ?? ''), trustedProxies);
    return next();
  };
}

/** Returns the address of the client. It is null only when the connection has already been closed. */
export function clientAddress(ctx: Pick<Context, 'state'>): string | null {
  return stateOf(ctx).clientAddress ?? null;
}
