import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { printable } from '../../printable.js';
import { fitted } from './fitted.js';
import { STYLE } from './style.js';

const TITLE_CHARS_MAX = 100;
const TITLE_BYTES_MAX = 400;

/** Allows the style of the page and its own form, and no script, picture or frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns a whole page. `main` is HTML. */
export function framed(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${fitted(printable(title, TITLE_CHARS_MAX), TITLE_BYTES_MAX)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

/** Sends a page that no cache, search engine or other site may learn of. */
export function sendPage(ctx: Context, status: number, html: string): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Robots-Tag', 'noindex, nofollow');
  ctx.type = 'html';
  ctx.body = html;
}
