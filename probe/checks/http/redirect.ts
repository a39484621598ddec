import { quoted } from '../format.js';
import type { ResponseHead } from './head.js';
import { protocolError } from './head.js';
import type { HopRequest } from './request.js';

export const REDIRECTS_MAX = 10;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that describe the body. They are removed together with it. */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'content-language',
  'content-location',
]);
/**
 * The only headers of the monitor that are sent to another origin. The others may be credentials (`Authorization`,
 * `Cookie`, `X-Api-Key`), and `Host` belongs to the first origin.
 */
const CROSS_ORIGIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'user-agent',
  ...BODY_HEADERS,
]);

/** Returns the request that follows a redirect, like in browsers (Fetch, HTTP-redirect fetch); null if it is none. */
export function redirectedHop(hop: HopRequest, head: ResponseHead): HopRequest | null {
  const location = head.headers.get('location');
  if (!REDIRECTS.has(head.status) || location === undefined) return null;
  const url = locationUrl(location, hop.url);
  const toGet = head.status === 303 ? hop.method !== 'HEAD' : head.status <= 302 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const headers = new Map(
    [...hop.headers].filter(
      ([name]) => (sameOrigin || CROSS_ORIGIN_HEADERS.has(name)) && !(toGet && BODY_HEADERS.has(name)),
    ),
  );
  return { url, method: toGet ? 'GET' : hop.method, headers, body: toGet ? null : hop.body };
}

function locationUrl(location: string, base: URL): URL {
  // Headers are decoded as latin1, but browsers decode a Location as UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  if (!URL.canParse(text, base.href)) throw protocolError(`the redirect leads to an invalid URL: ${quoted(text)}`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw protocolError(`the redirect leads to ${quoted(url.protocol)}, only http and https are followed`);
  }
  return url;
}
