import type { Clock } from '../../../kernel/clock.js';
import type { GuardedFetch, GuardedRequest, GuardedResponse } from '../../../kernel/guard/guarded-fetch.js';
import { isSameHost } from '../address.js';
import type { SiteDocument } from '../documents.js';

const REQUEST_TIMEOUT_MS = 15_000;
/** With the last request, shorter than the lease of the visits. */
const VISIT_MS_MAX = 60_000;
/** From http to https, and to the name with or without `www.`. */
const REDIRECTS_MAX = 2;

/** An answer, or why there is none. `isCircle`: its redirects come back to where they began, so no visitor gets any. */
export type Seen =
  | { answer: GuardedResponse; reason: null; isCircle: false }
  | { answer: null; reason: string; isCircle: boolean };

/** Requests of one look at a site, as a stranger sends them. None throws. */
export interface Visitor {
  /** Gets a page, once in each look. A redirect within the site is followed. */
  page(url: string): Promise<Seen>;
  /** Sends a request. A redirect within the site is followed with the same request. */
  send(method: 'GET' | 'POST', url: string, request?: { headers: Record<string, string>; body: string }): Promise<Seen>;
  /** Sends a GET request, and follows no redirect. */
  once(url: string): Promise<Seen>;
}

export function createVisitor(
  { fetch, clock }: { fetch: GuardedFetch; clock: Pick<Clock, 'monotonic'> },
  site: Pick<SiteDocument, 'url'>,
  signal: AbortSignal,
): Visitor {
  const startedAtMs = clock.monotonic();
  const pages = new Map<string, Promise<Seen>>();

  async function request(url: string, options: Pick<GuardedRequest, 'method' | 'headers' | 'body'>): Promise<Seen> {
    if (clock.monotonic() - startedAtMs > VISIT_MS_MAX) return missing('the site answers too slowly');
    try {
      return {
        answer: await fetch.request(url, { ...options, timeoutMs: REQUEST_TIMEOUT_MS, signal }),
        reason: null,
        isCircle: false,
      };
    } catch (error) {
      return missing(error instanceof Error ? error.message : String(error));
    }
  }

  const visitor: Visitor = {
    page(url) {
      const known = pages.get(url);
      if (known !== undefined) return known;
      const page = visitor.send('GET', url);
      pages.set(url, page);
      return page;
    },
    async send(method, first, { headers, body } = { headers: {}, body: '' }) {
      let url = first;
      const asked = new Set<string>();
      for (let redirects = 0; ; redirects++) {
        asked.add(url);
        const seen = await request(url, { method, headers, body: method === 'GET' ? null : body });
        if (seen.answer === null) return seen;
        const next = redirectOf(url, seen.answer);
        if (next === null) return seen;
        if (asked.has(next)) return { answer: null, reason: 'its redirects go in a circle', isCircle: true };
        if (redirects === REDIRECTS_MAX) return missing(`more than ${REDIRECTS_MAX} redirects`);
        if (!isSameHost(next, site.url)) return missing('it redirects to another host');
        url = next;
      }
    },
    once: (url) => request(url, { method: 'GET', headers: {}, body: null }),
  };
  return visitor;
}

function missing(reason: string): Seen {
  return { answer: null, reason, isCircle: false };
}

function redirectOf(url: string, { status, headers }: GuardedResponse): string | null {
  const to = headers['location'] ?? '';
  return status >= 300 && status < 400 && URL.canParse(to, url) ? new URL(to, url).href : null;
}
