import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { isSameHost } from '../address.js';
import { type Judgement, judgeXmlrpc, LIST_METHODS, unanswered } from '../checks/xmlrpc.js';
import type { SiteDocument } from '../documents.js';

const LOOK_TIMEOUT_MS = 15_000;
/** From http to https, and to the name with or without `www.`. */
const REDIRECTS_MAX = 2;

/** Measures whether XML-RPC answers to strangers. A redirect within the site is followed with the same call. Never throws. */
export async function lookAtXmlrpc(
  fetch: GuardedFetch,
  site: Pick<SiteDocument, 'url' | 'about'>,
  signal: AbortSignal,
): Promise<Judgement> {
  let url = `${site.about?.site_url ?? site.url}/xmlrpc.php`;
  for (let redirects = 0; ; redirects++) {
    let response: Awaited<ReturnType<GuardedFetch['request']>>;
    try {
      response = await fetch.request(url, {
        ...{ method: 'POST', body: LIST_METHODS, timeoutMs: LOOK_TIMEOUT_MS, signal },
        headers: { 'content-type': 'text/xml' },
      });
    } catch (error) {
      return unanswered(error instanceof Error ? error.message : String(error));
    }
    const next = redirectOf(url, response);
    if (next === null) return judgeXmlrpc(response);
    if (redirects === REDIRECTS_MAX) return unanswered(`more than ${REDIRECTS_MAX} redirects`);
    if (!isSameHost(next, site.url)) return unanswered('it redirects to another host');
    url = next;
  }
}

function redirectOf(
  url: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): string | null {
  const to = headers['location'] ?? '';
  return status >= 300 && status < 400 && URL.canParse(to, url) ? new URL(to, url).href : null;
}
