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
  if (model.logo === null) return false;
  const etag = `"${model.logo}"`;
  ctx.set('Cache-Control', guard.visibility === 'public' ? CACHE_CONTROL : 'private, no-store');
  ctx.set('ETag', etag);
  if (ctx.get('If-None-Match') === etag) {
    ctx.status = 304;
    return true;
  }
  // Readers at the same time share one reading of the database.
  page.logoReading ??= logos.find(guard.workspace_id, guard._id).finally(() => {
    page.logoReading = undefined;
  });
  const logo = await page.logoReading;
  if (logo === null) return false;
  ctx.status = 200;
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.set('Content-Type', `image/${logo.type}`);
  ctx.body = logo.bytes;
  return true;
}
