import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { notFound } from '../errors.js';
import type { Mount } from './mount.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
pre { padding: 1rem; border: 1px solid #8888; border-radius: 6px; overflow-x: auto; font-size: .85rem; }
small { opacity: .7; }
`;
const ID = /^(inc|chn)_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Returns the pages for people who open the address in a browser or follow the link of a notification. They need no
 * sign-in, so they show no data of a workspace.
 */
export function homeMounts(about: { version: string; publicUrl: string }): Mount[] {
  const send = createSend();
  const linked = (path: string, title: string, endpoint: string): Mount => ({
    path,
    below: true,
    handle(ctx) {
      const id = ctx.path.slice(path.length + 1);
      if (!ID.test(id)) throw notFound('path');
      send(ctx, title, linkedPage(title, `${about.publicUrl}${endpoint}/${id}`));
    },
  });
  return [
    { path: '/', handle: (ctx) => send(ctx, 'Picket', home(about.version)) },
    linked('/incidents', 'Incident', '/v1/alerts'),
    linked('/channels', 'Notification channel', '/v1/channels'),
  ];
}

function createSend(): (ctx: Context, title: string, body: string) => void {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`;
  return (ctx, title, body) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
  };
}

function home(version: string): string {
  return `<h1>Picket</h1>
<p>Monitoring that wakes you only when it is sure, and can say why.</p>
<dl>
<dt><a href="/docs">API reference</a></dt>
<dd>Every endpoint, with examples. It is generated from the schemas that validate the requests.</dd>
<dt><a href="/v1/openapi.json">OpenAPI document</a></dt>
<dd>The same reference for programs.</dd>
<dt><a href="/readyz">Readiness</a></dt>
<dd>Whether the database answers, and whether probes and agents can connect.</dd>
</dl>
<p><small>Version ${version}</small></p>`;
}

/** The id in `url` was validated, so `url` needs no escaping. */
function linkedPage(title: string, url: string): string {
  return `<h1>${title}</h1>
<p>To read it, use an API key of its workspace:</p>
<pre>curl -s ${url} \\
  -H "Authorization: Bearer $KEY"</pre>
<p>For other actions, see the <a href="/docs">API reference</a>.</p>`;
}
