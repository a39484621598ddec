import type { Middleware } from 'koa';

/**
 * Returns the middleware that removes the path of the public URL from requests, so that Picket works behind proxies
 * that pass it on and behind those that remove it.
 */
export function removeBasePath(publicUrl: string): Middleware {
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '');
  return (ctx, next) => {
    if (base !== '' && (ctx.path === base || ctx.path.startsWith(`${base}/`))) {
      ctx.path = ctx.path.slice(base.length) || '/';
    }
    return next();
  };
}
