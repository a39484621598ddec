import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { notFound } from '../errors.js';
import { authorizeOperator } from './authenticate.js';
import { allow, methodNotAllowed } from './mount.js';
import type { Route } from './route.js';

export type Dispatch = (ctx: Context, params: Record<string, string>) => Promise<void>;

/**
 * Returns the middleware that finds the route of a request. Every route is served under `/v1` and `/api/v1`, whichever
 * of the two is documented. The path decides first, then the method. Of two matching paths, the one with fewer
 * parameters wins, so `export` in `/v1/monitors/export` is never read as an id.
 */
export function serveRoutes(routes: readonly Route[], dispatchOf: (route: Route) => Dispatch): Middleware[] {
  const router = new Router({ exclusive: 'specificity', sensitive: true, strict: true });
  for (const [path, ofPath] of byPath(routes)) {
    const dispatches = new Map(ofPath.map((route): [string, Dispatch] => [route.method, dispatchOf(route)]));
    const read = dispatches.get('GET');
    if (read !== undefined) dispatches.set('HEAD', read);
    router.all(servedPaths(path), async (ctx) => {
      ctx.state['routePath'] = path;
      const dispatch = dispatches.get(ctx.method);
      if (dispatch !== undefined) return dispatch(ctx, ctx.params);
      ctx.state['methodRefused'] = true;
      // The methods of a path would tell others that it exists.
      if (ofPath.every(({ access }) => access === 'operator')) await authorizeOperator(ctx);
      return refuseMethod(ctx, [...dispatches.keys()].sort());
    });
  }
  return [router.routes() as Middleware, refusePath];
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

function refuseMethod(ctx: Context, allowed: readonly string[]): void {
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, allowed);
  allow(ctx, allowed);
}

function refusePath(): never {
  throw notFound('path');
}

/** Returns the router's patterns for `/v1/monitors/{id}`, with both prefixes. */
function servedPaths(path: string): [string, string] {
  const rest = path.replace(/^(?:\/api)?\/v1\//, '').replaceAll(/\{(\w+)\}/g, ':$1');
  return [`/v1/${rest}`, `/api/v1/${rest}`];
}
