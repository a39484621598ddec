import type { Context } from 'koa';
import type { Language } from '../../http/client/language.js';
import { sourceOfInline } from '../../http/html/inline-source.js';
import { printable } from '../../printable.js';
import { fitted } from './fitted.js';
import { STYLE } from './style.js';
import { TIMES_SCRIPT } from './time.js';

const TITLE_CHARS_MAX = 100;
const TITLE_BYTES_MAX = 400;

/** The icon of the dashboard and the name, so that a phone shows at once what this is. The page loads no picture. */
const BRAND = `<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#4f46e5"/><path d="M8 25V12l3-4 3 4v13zM18 25V12l3-4 3 4v13z" fill="#fff"/><path d="M6 15h20v3H6z" fill="#c7c4ff"/></svg>Picket`;

/** Allows the style, the script and the form of the page itself, and no other script, picture or frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOfInline(STYLE)}`,
  `script-src ${sourceOfInline(TIMES_SCRIPT)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns a whole page. `main` is HTML. */
export function framed(language: Language, title: string, main: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${fitted(printable(title, TITLE_CHARS_MAX), TITLE_BYTES_MAX)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>${BRAND}</header>
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
