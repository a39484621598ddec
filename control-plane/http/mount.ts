import type { Context, Middleware } from 'koa';
import { AppError } from '../errors.js';

/** A path outside the API routes: health, metrics, documentation, install scripts. */
export interface Mount {
  /** `/docs` serves exactly that path. */
  path: string;
  /** Whether it also serves every path below `path`. */
  below?: boolean;
  /** Accepted methods other than GET and HEAD. */
  methods?: readonly string[];
  /**
   * `none`: no request is refused with 429 or waits for authentication, because orchestrators and monitoring act on the
   * response. Defaults to the limits of API routes.
   */
  limit?: 'none';
  handle(ctx: Context): void | Promise<void>;
}

/** Returns the middleware that serves the first mount that matches the path. Other requests go on. */
export function serveMounts(mounts: readonly Mount[]): Middleware {
  return async (ctx, next) => {
    const mount = mounts.find((candidate) => matches(candidate, ctx.path));
    if (mount === undefined) return next();
    ctx.state['routePath'] = mount.path;
    const allowed = ['GET', 'HEAD', ...(mount.methods ?? [])];
    if (ctx.method === 'OPTIONS') return allow(ctx, allowed);
    if (!allowed.includes(ctx.method)) {
      ctx.state['methodRefused'] = true;
      throw methodNotAllowed(ctx.method, allowed);
    }
    await mount.handle(ctx);
  };
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
