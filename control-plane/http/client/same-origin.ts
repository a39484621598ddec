import { AppError } from '../../errors.js';
import type { Client } from './client.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws `forbidden` for a request that a page of another site made a browser send, so that no foreign page can act with
 * the cookies of a person who is logged in. Browsers send `Origin` with every request that changes something, and do not
 * let a page change it. A request without `Origin` and `Sec-Fetch-Site` comes from a program, which has no cookies of
 * anybody else.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function refuseForeignOrigin(
  method: string,
  client: Pick<Client, 'origin' | 'host' | 'fetchSite'>,
  publicUrl: string,
): void {
  if (SAFE_METHODS.has(method) || isOwn(client, publicUrl)) return;
  throw new AppError('forbidden', 'This request comes from a page of another site.');
}

function isOwn({ origin, host, fetchSite }: Pick<Client, 'origin' | 'host' | 'fetchSite'>, publicUrl: string): boolean {
  if (origin === null) return fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none';
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin);
  if (sent.origin === new URL(publicUrl).origin) return true;
  // The operator can open Picket under another name than its public URL, for example through a tunnel.
  return host !== null && ['http:', 'https:'].includes(sent.protocol) && sent.host === host.toLowerCase();
}

/** What a name with a port can consist of, so that nothing else of a URL hides in `Host`. */
const HOST_PATTERN = /^[^\s/\\?#@]+$/;

/**
 * For people whom an authenticating proxy names. Throws `unauthenticated` for a request to another name than the public URL's,
 * whatever the method, and `forbidden` for a change from a page of another origin. Their browser sends no cookie that belongs
 * to a name, so a page whose own name was made to lead to the proxy (DNS rebinding) could act as them; its `Origin` is its `Host`.
 */
export function requirePublicOrigin(
  method: string,
  client: Pick<Client, 'origin' | 'host' | 'fetchSite'>,
  publicUrl: string,
): void {
  const { protocol, host, origin } = new URL(publicUrl);
  const asked = `${protocol}//${client.host}`;
  if (!HOST_PATTERN.test(client.host ?? '') || !URL.canParse(asked) || new URL(asked).host !== host) {
    const detail = `Open Picket at ${origin}. The authenticating proxy must pass the header Host on.`;
    throw new AppError('unauthenticated', detail);
  }
  refuseForeignOrigin(method, { ...client, host: null }, publicUrl);
}
