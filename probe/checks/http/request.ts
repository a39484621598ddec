import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import { quoted } from '../format.js';
import { protocolError } from './head.js';

/** The request of one hop. */
export interface HopRequest {
  url: URL;
  method: string;
  /** The headers that the monitor sets, by lower-case name. A redirect to another origin removes some of them. */
  headers: ReadonlyMap<string, string>;
  body: string | null;
}

/** Headers that a monitor cannot set, because they determine the end of the request and of the connection. */
const RESERVED: ReadonlySet<string> = new Set([
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
/** A control character in a value could start another header, especially a line end. */
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\u0080-\u{10ffff}]/u;

/** Returns the first hop of a check. Credentials in the URL become an `Authorization` header, unless one is set. */
export function firstHop(url: URL, options: HttpOptions__Output): HopRequest {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(options.headers)) {
    const lower = name.toLowerCase();
    if (!RESERVED.has(lower)) headers.set(lower, value);
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
    // The text contains a percent sign that is not an escape.
    return text;
  }
}

/** Requests with these methods usually have a body. Without one they send a length of 0. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Returns the bytes of a request. Throws CheckFailure if the method or a header is invalid. */
export function requestBytes(hop: HopRequest, userAgent: string): Buffer {
  if (!TOKEN.test(hop.method)) throw protocolError(`the method ${quoted(hop.method)} is invalid`);
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
  if (!TOKEN.test(name)) throw protocolError(`the header name ${quoted(name)} is invalid`);
  if (FORBIDDEN_IN_VALUE.test(value)) throw protocolError(`the header ${quoted(name)} contains a control character`);
  return `${CANONICAL_NAMES.get(name) ?? name}: ${value}\r\n`;
}

/** Some servers violate the standard and accept these names only in the spelling of browsers over HTTP/1.1. */
const CANONICAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['host', 'Host'],
  ['user-agent', 'User-Agent'],
  ['accept', 'Accept'],
  ['accept-encoding', 'Accept-Encoding'],
  ['content-length', 'Content-Length'],
  ['content-type', 'Content-Type'],
  ['authorization', 'Authorization'],
  ['cookie', 'Cookie'],
]);
