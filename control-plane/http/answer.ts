import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { etagOf } from './etag.js';
import type { Reply, Route } from './route.js';

/** A complete answer, ready to go out or to be kept for a repeat of the request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer | Readable | null;
}

export function answerOf(route: Route, reply: Reply): Answer {
  const headers: Record<string, string> = {};
  if (reply.location !== undefined) headers['Location'] = reply.location;
  if (reply.version !== undefined) headers['ETag'] = etagOf(reply.version);
  if (reply.raw !== undefined) {
    headers['Content-Type'] = reply.raw.type;
    if (reply.raw.filename !== undefined) headers['Content-Disposition'] = attachment(reply.raw.filename);
    return { status: reply.status, headers, body: reply.raw.body };
  }
  if (reply.data === undefined) return { status: reply.status, headers, body: null };
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const envelope =
    route.list === true ? { data: reply.data, next_cursor: reply.nextCursor ?? null } : { data: reply.data };
  return { status: reply.status, headers, body: JSON.stringify(envelope) };
}

export function send(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set(answer.headers);
  ctx.body = answer.body;
  // What compresses an answer would wait forever for the rest of a stream that broke: the connection is cut instead,
  // so that nobody takes what has arrived for the whole.
  if (answer.body instanceof Readable) answer.body.once('error', () => ctx.res.destroy());
  // Koa makes a 204 of an empty body; the route's status stands.
  ctx.status = answer.status;
}

/** RFC 6266: a plain name for old clients, the exact one beside it. */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(filename).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
