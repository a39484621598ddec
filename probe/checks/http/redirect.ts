import { quoted } from '../format.js';
import type { ResponseHead } from './head.js';
import { protocolError } from './head.js';
import type { HopRequest } from './request.js';

export const REDIRECTS_MAX = 10;
/** Encoding a host name takes time that grows with its square: 0.4 s for 64 KiB of Chinese characters. */
const LOCATION_BYTES_MAX = 16 * 1024;

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
]);

/**
 * Returns the request that follows a redirect; null if it is none. As in browsers (Fetch, HTTP-redirect fetch), but the body too
 * stays with its origin: it is stored as a secret and may contain credentials.
 */
export function redirectedHop(hop: HopRequest, head: ResponseHead): HopRequest | null {
  const location = head.headers.get('location');
  if (!REDIRECTS.has(head.status) || location === undefined) return null;
  const url = locationUrl(location, hop.url);
  const toGet = head.status === 303 ? hop.method !== 'HEAD' : head.status <= 302 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const keepsBody = sameOrigin && !toGet;
  const headers = new Map(
    [...hop.headers].filter(
      ([name]) => (sameOrigin || CROSS_ORIGIN_HEADERS.has(name)) && (keepsBody || !BODY_HEADERS.has(name)),
    ),
  );
  return { url, method: toGet ? 'GET' : hop.method, headers, body: keepsBody ? hop.body : null };
}

function locationUrl(location: string, base: URL): URL {
  if (location.length > LOCATION_BYTES_MAX) {
    throw protocolError(`the redirect leads to a URL of more than ${LOCATION_BYTES_MAX / 1024} KiB`);
  }
  // Headers are decoded as latin1, but browsers decode a Location as UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  const url = parsed(text, base);
  if (url === null) throw protocolError(`the redirect leads to an invalid URL: ${quoted(text)}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw protocolError(`the redirect leads to ${quoted(url.protocol)}, only http and https are followed`);
  }
  return url;
}

function parsed(text: string, base: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    // The caller reports the text.
    return null;
  }
}
