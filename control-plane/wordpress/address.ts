import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import { urlRefusal } from '../../kernel/guard/url-refusal.js';
import { invalidField } from '../errors.js';

/** Returns the address of a site in one form: without a query, a fragment and a slash at the end. Throws 422 for any other. */
export function readSiteUrl(text: string, guard: TargetGuard): string {
  const refusal = urlRefusal(text, guard);
  if (refusal !== null) {
    throw invalidField('/url', refusal.message, refusal.code === 'blocked_target' ? 'private_address' : 'web_address');
  }
  const url = new URL(text);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Returns whether two URLs are of the same host, port and path, with or without `www.` and a slash at the end. A copy of a
 * site may be in a folder of it.
 */
export function isSameSite(one: string, other: string): boolean {
  if (!isSameHost(one, other)) return false;
  const [path, otherPath] = [one, other].map((text) => new URL(text).pathname.replace(/\/+$/, ''));
  return path === otherPath;
}

/** Returns whether two URLs are of the same host and port, with or without `www.`. */
export function isSameHost(one: string, other: string): boolean {
  const hosts = [one, other].map((text) => (URL.canParse(text) ? new URL(text).host.replace(/^www\./, '') : null));
  return hosts[0] !== null && hosts[0] === hosts[1];
}
