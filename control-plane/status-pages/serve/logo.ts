import type { Context } from 'koa';
import type { LogosStore } from '../logo/logos-store.js';
import type { CompiledPage } from './pages.js';

/** The picture above the title of a page. */
export const LOGO_VIEW = '/logo';
/** As short as that of the page: a page that gets a password takes its logo along. The `ETag` spares sending it again. */
const CACHE_CONTROL = 'public, max-age=1';

/** Sends the logo of a page to somebody who may see the page. Resolves to false if the page has none. */
export async function sendLogo(
  { logos }: { logos: Pick<LogosStore, 'find'> },
  ctx: Context,
  page: CompiledPage,
): Promise<boolean> {
  const { guard, model } = page;
  const { v: asked = model.logo } = ctx.query;
  // The page in memory may be older than the logo, which the dashboard shows as soon as it is saved.
  const isKnown = asked === model.logo;
  if (isKnown && model.logo === null) return false;
  const etag = isKnown ? `"${model.logo}"` : null;
  if (etag !== null && ctx.get('If-None-Match') === etag) {
    ctx.status = 304;
    ctx.set('ETag', etag);
    return true;
  }
  // Readers at the same time share one reading of the database.
  page.logoReading ??= logos.find(guard.workspace_id, guard._id).finally(() => {
    page.logoReading = undefined;
  });
  const logo = await page.logoReading;
  if (logo === null) return false;
  ctx.status = 200;
  if (etag !== null) ctx.set('ETag', etag);
  ctx.set('Cache-Control', etag !== null && guard.visibility === 'public' ? CACHE_CONTROL : 'private, no-store');
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.set('Content-Type', `image/${logo.type}`);
  ctx.body = logo.bytes;
  return true;
}
