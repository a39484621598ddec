import type { Context } from 'koa';
import type { Actor } from '../actor.js';

/** The result of authentication. Only routes that need an actor throw `error`. */
export type Identity = { actor: Actor; error: null } | { actor: null; error: unknown };

/** The values that middleware stores in `ctx.state` for later middleware. */
export interface HttpState {
  requestId: string;
  /** The client's address, after `PICKET_TRUSTED_PROXIES`; null when the connection has already been closed. */
  clientAddress: string | null;
  identity: Identity;
  /** Authenticates the request again, for a response that lasts. */
  recheck: () => Promise<Identity>;
  /** Takes back the count of the request for its address. Without it, the request was not counted before authentication. */
  takeBackAddress: () => void;
  /** The documented path of the route or mount, for metrics and logs; `unmatched` without one. */
  routePath: string;
  /** The route or mount does not have the method of the request. */
  methodRefused: true;
}

/** Returns `ctx.state` with its type, which Koa declares as any. */
export function stateOf(ctx: Pick<Context, 'state'>): Partial<HttpState> {
  return ctx.state;
}

export function requestIdOf(ctx: Pick<Context, 'state'>): string {
  return stateOf(ctx).requestId ?? '';
}
