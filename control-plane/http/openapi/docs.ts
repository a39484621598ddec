import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context } from 'koa';
import { notFound } from '../../errors.js';
import type { Mount } from '../mount.js';
import { DOCS_PAGE, DOCS_SCRIPT, DOCS_STYLE } from './docs-page.js';

interface Asset {
  type: string;
  body: Buffer;
  etag: string;
}

const LIBRARY_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** Allows nothing from other origins. Inline styles are allowed because Swagger UI sets some on its elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns `GET /docs`, the API reference as a page. All its files come from this server and are read once, here. */
export async function createDocsMount(): Promise<Mount> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const assets = new Map<string, Asset>([
    ['/docs', asset('page.html', Buffer.from(DOCS_PAGE))],
    ['/docs/page.css', asset('page.css', Buffer.from(DOCS_STYLE))],
    ['/docs/page.js', asset('page.js', Buffer.from(DOCS_SCRIPT))],
  ]);
  for (const file of LIBRARY_FILES) assets.set(`/docs/${file}`, asset(file, await readFile(join(folder, file))));
  return {
    path: '/docs',
    below: true,
    handle(ctx) {
      if (ctx.path === '/docs/') return toPage(ctx);
      const found = assets.get(ctx.path);
      if (found === undefined) throw notFound('path');
      ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      ctx.set('Cache-Control', 'no-cache');
      ctx.set('ETag', found.etag);
      ctx.set('Content-Type', found.type);
      ctx.status = 200;
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = found.body;
    },
  };
}

/** The relative URLs of the page count from its path without a slash at the end. */
function toPage(ctx: Context): void {
  ctx.status = 302;
  ctx.set('Location', '../docs');
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

function asset(name: string, body: Buffer): Asset {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', body, etag };
}
