import type { Context } from 'koa';
import { requestIdOf } from '../state.js';
import { clientAddress } from './client-address.js';

/** Browsers send 100 to 200 characters. */
const USER_AGENT_CHARS_MAX = 300;
/** Longer values of these headers are refused by every browser and proxy. */
const HEADER_CHARS_MAX = 1_000;

/** What a request says about the program that sent it. All of it is sent by the client, except `ip` and `requestId`. */
export interface Client {
  /** After `PICKET_TRUSTED_PROXIES`; null when the connection has already been closed. */
  ip: string | null;
  /** At most 300 characters, without control characters; null when the client sends none. */
  userAgent: string | null;
  requestId: string;
  /** The header `Host`. Never build a link from it: a client chooses it. */
  host: string | null;
  origin: string | null;
  /** The header `Sec-Fetch-Site`. */
  fetchSite: string | null;
  /** The header `Cookie`. Secret. */
  cookie: string | null;
  /** The address of the other end of the connection, a client or a proxy; null when it has already been closed. */
  peer: string | null;
  /** Returns the header with this name, which is in lower case. Values of a repeated header are joined with commas. */
  header(name: string): string | null;
}

export function clientOf(ctx: Context): Client {
  const { headers } = ctx.req;
  return {
    ip: clientAddress(ctx),
    userAgent: userAgentOf(headers['user-agent']),
    requestId: requestIdOf(ctx),
    host: bounded(headers.host),
    origin: bounded(headers.origin),
    fetchSite: bounded(headers['sec-fetch-site']),
    cookie: headers.cookie ?? null,
    peer: ctx.req.socket.remoteAddress ?? null,
    header(name) {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
  };
}

function userAgentOf(header: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach logs and mails.
  const text = (header ?? '').replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
  return text === '' ? null : text.slice(0, USER_AGENT_CHARS_MAX);
}

function bounded(header: string | string[] | undefined): string | null {
  return header === undefined ? null : String(header).slice(0, HEADER_CHARS_MAX);
}
