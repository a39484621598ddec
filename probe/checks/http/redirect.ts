import { quoted } from '../words.js';
import type { ResponseHead } from './head.js';
import { protocolError } from './head.js';
import type { HopRequest } from './request.js';

export const REDIRECTS_MAX = 10;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** They describe a body, and go when it goes. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'content-language',
  'content-location',
]);
/**
 * The only headers of the user that another origin gets to see. Everything else may be a credential
 * (`Authorization`, `Cookie`, `X-Api-Key`), and `Host` was meant for the first origin.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'user-agent',
  ...OF_THE_BODY,
]);

/** The request that follows a redirect as browsers do it (Fetch, HTTP-redirect fetch); null when the answer is none. */
export function redirectedHop(hop: HopRequest, head: ResponseHead): HopRequest | null {
  const location = head.headers.get('location');
  if (!REDIRECTS.has(head.status) || location === undefined) return null;
  const url = locationUrl(location, hop.url);
  const toGet = head.status === 303 ? hop.method !== 'HEAD' : head.status <= 302 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const headers = new Map(
    [...hop.headers].filter(([name]) => (sameOrigin || HARMLESS.has(name)) && !(toGet && OF_THE_BODY.has(name))),
  );
  return { url, method: toGet ? 'GET' : hop.method, headers, body: toGet ? null : hop.body };
}

function locationUrl(location: string, base: URL): URL {
  // Headers are read as latin1; browsers take the bytes of a Location for UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  if (!URL.canParse(text, base.href)) throw protocolError(`the redirect leads to an unusable address: ${quoted(text)}`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw protocolError(`the redirect leads to ${quoted(url.protocol)}, only http and https are followed`);
  }
  return url;
}
