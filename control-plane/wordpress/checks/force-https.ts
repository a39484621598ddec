import type { Judgement } from './judgement.js';

/**
 * Returns what the answer of a page without TLS means. The plugin has the same function; `test/helpers/wordpress/vectors.json`
 * has examples of both.
 */
export function judgePlainAnswer(page: string, { status, location }: { status: number; location: string }): Judgement {
  if (status >= 300 && status < 400 && /^https:\/\//i.test(location)) {
    return { status: 'passing', evidence: `${page} redirects to HTTPS with HTTP ${status}` };
  }
  if (status >= 200 && status < 400) {
    return { status: 'failing', evidence: `${page} answers without TLS (HTTP ${status})` };
  }
  return { status: 'unknown', evidence: `${page} answers without TLS with HTTP ${status}` };
}

/** Returns the address of a site without TLS; null if it cannot be known, because the site has a port of its own. */
export function plainUrlOf(url: string): string | null {
  if (!url.startsWith('https://')) return url;
  return new URL(url).port === '' ? `http://${url.slice('https://'.length)}` : null;
}
