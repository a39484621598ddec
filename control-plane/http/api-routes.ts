import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { notFound } from '../errors.js';
import { allow, methodNotAllowed } from './mount.js';
import type { Route } from './route.js';

export type Dispatch = (ctx: Context, params: Record<string, string>) => Promise<void>;

/**
 * Finds the route of a request. Each is served under `/v1` and `/api/v1` whichever of them is documented; of two
 * that match, the one with fewer parameters answers, so `/v1/monitors/export` is not taken for an id.
 */
export function serveRoutes(routes: readonly Route[], dispatchOf: (route: Route) => Dispatch): Middleware[] {
  const router = new Router({ exclusive: 'specificity', sensitive: true, strict: true });
  for (const route of routes) {
    const dispatch = dispatchOf(route);
    router.register(servedPaths(route.path), [route.method], (ctx) => {
      ctx.state['routePath'] = route.path;
      return dispatch(ctx, ctx.params);
    });
  }
  return [router.routes() as Middleware, refuseUnmatched];
}

/** What no route has answered: 405 where the path exists for other methods, else 404. */
function refuseUnmatched(ctx: Context): void {
  const matched: { methods: string[] }[] = ctx['matched'] ?? [];
  const allowed = [...new Set(matched.flatMap((layer) => layer.methods))].sort();
  if (allowed.length === 0) throw notFound('path');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(ctx.method, allowed);
  allow(ctx, allowed);
}

/** `/v1/monitors/{id}` as the router's patterns under both prefixes. */
export function servedPaths(path: string): [string, string] {
  const rest = path.replace(/^(?:\/api)?\/v1\//, '').replaceAll(/\{(\w+)\}/g, ':$1');
  return [`/v1/${rest}`, `/api/v1/${rest}`];
}
