import type { Context } from 'koa';
import type { Actor } from '../actor.js';

/** What the credential of a request came to. Only a route that needs one looks at `error`. */
export type Identity = { actor: Actor; error: null } | { actor: null; error: unknown };

/** What middleware leaves on `ctx.state` for those after it. */
export interface HttpState {
  requestId: string;
  identity: Identity;
  /** The documented path of the route or mount, for metrics and logs; `unmatched` without one. */
  routePath: string;
}

/** `ctx.state` with its type; Koa itself knows it as anything. */
export function stateOf(ctx: Pick<Context, 'state'>): Partial<HttpState> {
  return ctx.state;
}

export function requestIdOf(ctx: Pick<Context, 'state'>): string {
  return stateOf(ctx).requestId ?? '';
}
