import type { Context, Middleware } from 'koa';
import { AppError } from '../errors.js';

/** Something outside the API that answers a path: health, metrics, documentation, install scripts, status pages. */
export interface Mount {
  /** `/docs`: answers exactly that path. */
  path: string;
  /** Answers everything below `path`, too. */
  below?: boolean;
  /** Methods other than GET and HEAD that it takes. */
  methods?: readonly string[];
  handle(ctx: Context): void | Promise<void>;
}

/** Serves the mounts; what belongs to none of them goes on to the API. The first one that fits answers. */
export function serveMounts(mounts: readonly Mount[], before: Middleware): Middleware {
  return async (ctx, next) => {
    const mount = mounts.find((candidate) => fits(candidate, ctx.path));
    if (mount === undefined) return next();
    ctx.state['routePath'] = mount.path;
    const allowed = ['GET', 'HEAD', ...(mount.methods ?? [])];
    await before(ctx, async () => {
      if (ctx.method === 'OPTIONS') return allow(ctx, allowed);
      if (!allowed.includes(ctx.method)) throw methodNotAllowed(ctx.method, allowed);
      await mount.handle(ctx);
    });
  };
}

function fits(mount: Mount, path: string): boolean {
  if (path === mount.path) return true;
  return mount.below === true && path.startsWith(mount.path.endsWith('/') ? mount.path : `${mount.path}/`);
}

/** The answer to OPTIONS: what may be done here, and nothing else. */
export function allow(ctx: Context, methods: readonly string[]): void {
  ctx.status = 204;
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
}

export function methodNotAllowed(method: string, allowed: readonly string[]): AppError {
  return new AppError('method_not_allowed', `${method.slice(0, 20)} is not possible here.`, {
    headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
  });
}
