import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { etagOf } from './etag.js';
import { listEnvelope } from './paging.js';
import type { Reply, Route } from './route.js';

/** A complete response, to send or to store for a repeat of the request. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
  body: string | Buffer | Readable | null;
  /** The body as gzip, for clients that accept it. */
  compressed?: Buffer;
}

/** Returns the response to send for the reply of a route's handler. */
export function responseOf(route: Route, reply: Reply): HttpResponse {
  const response = withoutCookies(route, reply);
  return reply.cookies === undefined ? response : { ...response, cookies: reply.cookies };
}

function withoutCookies(route: Route, reply: Reply): HttpResponse {
  const headers: Record<string, string> = {};
  if (reply.location !== undefined) headers['Location'] = reply.location;
  if (reply.version !== undefined) headers['ETag'] = etagOf(reply.version);
  if (reply.redirect !== undefined) headers['Location'] = requireWebUrl(reply.redirect);
  if (reply.raw !== undefined) {
    headers['Content-Type'] = reply.raw.type;
    if (reply.raw.filename !== undefined) headers['Content-Disposition'] = attachmentHeader(reply.raw.filename);
    const { body, compressed, range, policy } = reply.raw;
    if (policy !== undefined) headers['Content-Security-Policy'] = policy;
    if (range !== undefined) {
      headers['Accept-Ranges'] = 'bytes';
      headers['Content-Length'] = String(range.last + 1 - range.first);
      if (reply.status === 206) headers['Content-Range'] = `bytes ${range.first}-${range.last}/${range.totalBytes}`;
    }
    return { status: reply.status, headers, body, ...(compressed === undefined ? {} : { compressed }) };
  }
  if (reply.data === undefined) return { status: reply.status, headers, body: null };
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const envelope = route.list === true ? listEnvelope(reply) : objectEnvelope(reply);
  return { status: reply.status, headers, body: JSON.stringify(envelope) };
}

function objectEnvelope({ data, warnings = [] }: Pick<Reply, 'data' | 'warnings'>) {
  return warnings.length === 0 ? { data } : { data, warnings };
}

export function send(ctx: Context, response: HttpResponse): void {
  ctx.status = response.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set(response.headers);
  if (response.cookies !== undefined) ctx.set('Set-Cookie', [...response.cookies]);
  ctx.body = response.body;
  if (response.compressed !== undefined) sendCompressed(ctx, response.compressed);
  // After a failed stream the compression would wait forever for the rest. Closing the connection also shows the client
  // that the response is incomplete.
  if (response.body instanceof Readable) response.body.once('error', () => ctx.res.destroy());
  // Koa changes the status to 204 for an empty body; the route decides the status.
  ctx.status = response.status;
}

/** Sends what is compressed already, if the client accepts it. The header keeps the middleware from doing it again. */
function sendCompressed(ctx: Context, gzip: Buffer): void {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = gzip;
}

/** A relative URL or another scheme would mean that input of a client reached the header. */
function requireWebUrl(url: string): string {
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return url;
  throw new Error('a redirect must be an absolute http or https URL');
}

/** Returns a Content-Disposition value after RFC 6266: an ASCII name for old clients, and the exact name. */
export function attachmentHeader(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(filename).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
