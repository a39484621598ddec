import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Random } from '../../../kernel/random.js';
import type { SiteDocument } from '../documents.js';
import { isSignature, nudgedSignature, nudgeSignature } from '../protocol/signature.js';

/** The site fetches and does its jobs before it answers. */
const NUDGE_TIMEOUT_MS = 45_000;
const NONCE_BYTES = 16;

/**
 * Tells a site to fetch its jobs now. The request contains nothing else, so nobody can make a site do anything with it.
 * Resolves to whether the site has answered with its secret. Throws when there is no response.
 */
export async function nudge(
  { fetch, random }: { fetch: GuardedFetch; random: Random },
  site: Pick<SiteDocument, '_id' | 'url'>,
  { secret, timeMs, signal }: { secret: string; timeMs: number; signal: AbortSignal },
): Promise<boolean> {
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  const of = { siteId: site._id, timeMs, nonce };
  const response = await fetch.request(`${site.url}/?rest_route=/picket-bridge/v1/nudge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site_id: site._id, time_ms: timeMs, nonce, signature: nudgeSignature(secret, of) }),
    ...{ timeoutMs: NUDGE_TIMEOUT_MS, signal },
  });
  if (response.status !== 200) return false;
  return isSignature(answerOf(response.body), nudgedSignature(secret, of));
}

function answerOf(body: string): string {
  try {
    return String(Object(JSON.parse(body))['answer'] ?? '');
  } catch {
    // A challenge, a log-in page, or a theme.
    return '';
  }
}
