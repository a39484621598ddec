import type { Context } from 'koa';
import type { LogosStore } from '../logo/logos-store.js';
import type { GuardedPage } from './gate.js';

/** The picture above the title of a page. */
export const LOGO_VIEW = '/logo';
/** Its address has a hash of it, which changes with it. */
const CACHE_CONTROL = 'public, max-age=86400';

/** Sends the logo of a page to somebody who may see the page. Resolves to false if the page has none. */
export async function sendLogo(
  { logos }: { logos: Pick<LogosStore, 'find'> },
  ctx: Context,
  { workspace_id, _id, visibility }: GuardedPage,
): Promise<boolean> {
  const logo = await logos.find(workspace_id, _id);
  if (logo === null) return false;
  ctx.status = 200;
  ctx.set('Cache-Control', visibility === 'public' ? CACHE_CONTROL : 'private, no-store');
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.set('Content-Type', `image/${logo.type}`);
  ctx.body = logo.bytes;
  return true;
}
