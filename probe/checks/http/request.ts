import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import { quoted } from '../words.js';
import { protocolError } from './head.js';

/** What one hop sends. */
export interface HopRequest {
  url: URL;
  method: string;
  /** Lower-case name to value, as the monitor sets them; a redirect to another origin takes some away. */
  headers: ReadonlyMap<string, string>;
  body: string | null;
}

/** They decide where the request ends and that its connection is not used again, so they are not the user's. */
const OURS: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'trailer',
]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A control character in a value, a line end above all, would begin a header of its own. */
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\u0080-\u{10ffff}]/u;

/** The first hop of a monitor. Credentials of the URL become an `Authorization` header unless one is set. */
export function firstHop(url: URL, options: HttpOptions__Output): HopRequest {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(options.headers)) {
    const lower = name.toLowerCase();
    if (!OURS.has(lower)) headers.set(lower, value);
  }
  if ((url.username !== '' || url.password !== '') && !headers.has('authorization')) {
    const pair = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  }
  return {
    url,
    method: options.method === '' ? 'GET' : options.method.toUpperCase(),
    headers,
    body: options.body ?? null,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is meant as itself.
    return text;
  }
}

/** Methods whose request is expected to carry a body: without one they say so by a length of 0. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The bytes of a request; throws CheckFailure rather than let a line end through. */
export function requestBytes(hop: HopRequest, userAgent: string): Buffer {
  if (!TOKEN.test(hop.method)) throw protocolError(`the method ${quoted(hop.method)} is not a valid one`);
  const body = hop.body === null ? null : Buffer.from(hop.body, 'utf8');
  const defaults: [string, string][] = [
    ['host', hop.url.host],
    ['user-agent', userAgent],
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, deflate, br'],
  ];
  let text = `${hop.method} ${hop.url.pathname}${hop.url.search} HTTP/1.1\r\n`;
  for (const [name, value] of defaults) {
    if (!hop.headers.has(name)) text += headerLine(name, value);
  }
  for (const [name, value] of hop.headers) text += headerLine(name, value);
  if (body !== null) text += headerLine('content-length', String(body.length));
  else if (WITH_BODY.has(hop.method)) text += headerLine('content-length', '0');
  text += 'connection: close\r\n\r\n';
  const head = Buffer.from(text, 'utf8');
  return body === null ? head : Buffer.concat([head, body]);
}

function headerLine(name: string, value: string): string {
  if (!TOKEN.test(name)) throw protocolError(`the header name ${quoted(name)} is not a valid one`);
  if (FORBIDDEN_IN_VALUE.test(value)) throw protocolError(`the header ${quoted(name)} holds a control character`);
  return `${WELL_KNOWN.get(name) ?? name}: ${value}\r\n`;
}

/** Some servers, against the standard, want these names as browsers over HTTP/1.1 write them. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['host', 'Host'],
  ['user-agent', 'User-Agent'],
  ['accept', 'Accept'],
  ['accept-encoding', 'Accept-Encoding'],
  ['content-length', 'Content-Length'],
  ['content-type', 'Content-Type'],
  ['authorization', 'Authorization'],
  ['cookie', 'Cookie'],
]);
