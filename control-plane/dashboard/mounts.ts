import type { Context } from 'koa';
import { notFound } from '../errors.js';
import { clientOf } from '../http/client/client.js';
import { sessionCookieName } from '../http/client/session-cookie.js';
import type { Mount } from '../http/mount.js';
import type { DashboardFile, DashboardFiles } from './files.js';
import { basePath, type PageFacts, pageOf, pagesOf } from './pages.js';
import { PAGE_POLICY } from './security-policy.js';

const YEAR_S = 31_536_000;
const IMMUTABLE = `public, max-age=${YEAR_S}, immutable`;
const REVALIDATE = 'no-cache';

interface MountsNeeds extends PageFacts {
  files: DashboardFiles;
  /** Whether a proxy in front signs people in, so that they have no session cookie. */
  signedInByProxy: boolean;
}

/**
 * Returns the mounts of the dashboard: its files, and its pages on every path that nothing else serves. They need no
 * database, so people see what is wrong while it is away.
 */
export function dashboardMounts(needs: MountsNeeds): Mount[] {
  const { files, publicUrl, signedInByProxy } = needs;
  const pages = pagesOf(files, needs);
  const base = basePath(publicUrl);
  const cookie = `${sessionCookieName(publicUrl)}=`;
  return [
    {
      path: '/assets',
      below: true,
      limit: 'none',
      handle(ctx) {
        const file = files.assets.get(ctx.path.slice('/assets/'.length));
        if (file === undefined) throw notFound('path');
        send(ctx, file, IMMUTABLE);
      },
    },
    {
      path: '/',
      rest: (path) => pageOf(path) !== null,
      limit: 'none',
      handle(ctx) {
        const page = pageOf(ctx.path);
        if (page === null || ctx.accepts('html') === false) throw notFound('path');
        const mayBeSignedIn = signedInByProxy || (clientOf(ctx).cookie ?? '').includes(cookie);
        if (page === 'app' && !mayBeSignedIn) return toLogIn(ctx, base);
        ctx.set('Content-Security-Policy', PAGE_POLICY);
        send(ctx, pages[page], REVALIDATE);
      },
    },
  ];
}

/** Redirects a request without a session to the log-in page, which then opens the page that was asked for. */
function toLogIn(ctx: Context, base: string): void {
  const wanted = ctx.path.slice(1) + ctx.search;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(`${base}login${wanted === '' ? '' : `?next=${encodeURIComponent(`/${wanted}`)}`}`);
  ctx.body = null;
  ctx.status = 302;
}

function send(ctx: Context, file: DashboardFile, cacheControl: string): void {
  ctx.set('Cache-Control', cacheControl);
  ctx.set('ETag', file.etag);
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', file.type);
  // Without a copy, the file is too small or compressed already.
  ctx.compress = false;
  const copy = file.copies.find(({ encoding }) => ctx.acceptsEncodings(encoding, 'identity') === encoding);
  if (copy !== undefined) ctx.set('Content-Encoding', copy.encoding);
  ctx.body = copy?.body ?? file.body;
}
