import type { Context, Middleware } from 'koa';
import { AppError } from '../errors.js';

/** A path outside the API routes: health, metrics, documentation, install scripts. */
export interface Mount {
  /** `/docs` serves exactly that path. */
  path: string;
  /** Whether it also serves every path below `path`. */
  below?: boolean;
  /** The paths below are secrets, and no log has them. */
  secret?: true;
  /**
   * Serves GET on every path for which this returns true, that no other mount serves and that is not of the API. `path`
   * is its name in metrics.
   */
  rest?(path: string): boolean;
  /**
   * Serves every path of the host of a request for which this resolves to true, and nothing else serves a path of them: a customer's host must
   * not show Picket itself. `path` is its name in metrics.
   */
  hosts?(ctx: Context): Promise<boolean>;
  /** Accepted methods other than GET and HEAD. */
  methods?: readonly string[];
  /**
   * `none`: no request is refused with 429 or waits for authentication, because orchestrators and monitoring act on the
   * response. Defaults to the limits of API routes.
   */
  limit?: 'none';
  handle(ctx: Context): void | Promise<void>;
}

/** The prefixes of API routes. */
const API_PATH = /^\/(?:api|v1)(?:\/|$)/;

/** Returns the middleware that serves the first mount that matches the path. Other requests go on. */
export function serveMounts(mounts: readonly Mount[]): Middleware {
  const own = mounts.filter(({ rest, hosts }) => rest === undefined && hosts === undefined);
  return async (ctx, next) => {
    const mount = own.find((candidate) => matches(candidate, ctx.path));
    if (mount === undefined) return next();
    await serveMount(mount, ctx);
  };
}

/** Returns the middleware of the mounts that have hosts of their own. It comes before everything else that serves a path. */
export function serveHosts(mounts: readonly Mount[]): Middleware {
  const own = mounts.filter(({ hosts }) => hosts !== undefined);
  return async (ctx, next) => {
    for (const mount of own) {
      if (await mount.hosts?.(ctx)) return serveMount(mount, ctx);
    }
    return next();
  };
}

async function serveMount(mount: Mount, ctx: Context): Promise<void> {
  ctx.state['routePath'] = mount.path;
  ctx.state['isPathSecret'] = mount.secret === true;
  const allowed = ['GET', 'HEAD', ...(mount.methods ?? [])];
  if (ctx.method === 'OPTIONS') return allow(ctx, allowed);
  if (!allowed.includes(ctx.method)) {
    ctx.state['methodRefused'] = true;
    throw methodNotAllowed(ctx.method, allowed);
  }
  await mount.handle(ctx);
}

/** Returns the middleware of the mount that serves the rest. `mounts` are all mounts. */
export function serveRest(mounts: readonly Mount[]): Middleware {
  const mount = mounts.find(({ rest }) => rest !== undefined);
  const others = mounts.filter((one) => one !== mount && one.hosts === undefined);
  return async (ctx, next) => {
    const isTaken = API_PATH.test(ctx.path) || others.some((other) => matches(other, ctx.path));
    if (isTaken || mount?.rest?.(ctx.path) !== true || !['GET', 'HEAD'].includes(ctx.method)) return next();
    ctx.state['routePath'] = mount.path;
    await mount.handle(ctx);
  };
}

/** Returns the path of a request as logs have it. */
export function loggedPath({ path, state }: Pick<Context, 'path' | 'state'>): string {
  return state['isPathSecret'] === true ? `${state['routePath']}/***` : path;
}

function matches(mount: Mount, path: string): boolean {
  if (path === mount.path) return true;
  return mount.below === true && path.startsWith(mount.path.endsWith('/') ? mount.path : `${mount.path}/`);
}

/** Answers OPTIONS with the allowed methods. */
export function allow(ctx: Context, methods: readonly string[]): void {
  ctx.status = 204;
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
}

export function methodNotAllowed(method: string, allowed: readonly string[]): AppError {
  return new AppError('method_not_allowed', `This path does not support ${method.slice(0, 20)}.`, {
    headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
  });
}
