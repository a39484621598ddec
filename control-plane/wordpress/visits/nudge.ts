import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Random } from '../../../kernel/random.js';
import type { SiteDocument } from '../documents.js';
import { isSignature, nudgedSignature, nudgeSignature, undoSignature } from '../protocol/signature.js';

/** The site fetches and does its jobs before it answers. */
const NUDGE_TIMEOUT_MS = 45_000;
/** The site may be fatal or hang, and somebody waits for an undo job: the other way must be taken within a minute. */
const NUDGE_BEFORE_UNDO_TIMEOUT_MS = 20_000;
/** The site sends two requests to Picket, and changes some files. */
const UNDO_TIMEOUT_MS = 30_000;
const TIMEOUTS_MS = {
  ...{ jobs: NUDGE_TIMEOUT_MS, undo: UNDO_TIMEOUT_MS },
  'jobs-with-undo': NUDGE_BEFORE_UNDO_TIMEOUT_MS,
} as const;
const NONCE_BYTES = 16;

interface Nudge {
  secret: string;
  /** Later than that of all before. */
  timeMs: number;
  signal: AbortSignal;
  /** `jobs`: fetch and do all. `jobs-with-undo`: the same, and an undo job is among them. `undo`: before plugins and theme. */
  what: 'jobs' | 'jobs-with-undo' | 'undo';
}

/**
 * Tells a site to fetch its jobs now. The request contains nothing else, so nobody can make a site do anything with it. Of `undo`,
 * the must-use plugin of the site fetches the undo jobs alone, before a plugin or the theme can fail.
 * Resolves to whether the site has answered with its secret. Throws when there is no response.
 */
export async function nudge(
  { fetch, random }: { fetch: GuardedFetch; random: Random },
  site: Pick<SiteDocument, '_id' | 'url'>,
  { secret, timeMs, signal, what }: Nudge,
): Promise<boolean> {
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  const of = { siteId: site._id, timeMs, nonce };
  const response = await fetch.request(`${site.url}/?rest_route=/picket-bridge/v1/nudge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ site_id: site._id, time_ms: timeMs, nonce },
      ...(what === 'undo'
        ? { undo: true, signature: undoSignature(secret, of) }
        : { signature: nudgeSignature(secret, of) }),
    }),
    ...{ timeoutMs: TIMEOUTS_MS[what], signal },
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
