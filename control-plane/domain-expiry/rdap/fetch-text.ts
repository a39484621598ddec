import { GuardedFetchError } from '../../../kernel/fetch-failure.js';
import type { GuardedDownload } from '../../../kernel/guard/guarded-download.js';
import { REDIRECTS_MAX, REQUEST_TIMEOUT_MS } from './limits.js';
import { Problem } from './problem.js';

/** A response, after its redirects. */
export interface FetchedText {
  status: number;
  /** The value of the header, or empty. */
  retryAfter: string;
  /** Empty unless the status is 200. */
  text: string;
  /** Whether another address than the given one answered. */
  isRedirected: boolean;
}

interface FetchOptions {
  accept: string;
  bytesMax: number;
  signal: AbortSignal;
}

/**
 * Sends a GET and follows redirects, each through the guard. Throws `Problem` for a response that is too large or redirects too
 * often, and for a redirect that fails; GuardedFetchError if there is no response at all.
 */
export async function fetchText(
  download: GuardedDownload,
  url: string,
  { accept, bytesMax, signal }: FetchOptions,
): Promise<FetchedText> {
  let current = url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const request = { headers: { accept }, timeoutMs: REQUEST_TIMEOUT_MS, signal };
    const response = await download
      .get(current, request, async ({ status, headers, body }) => ({
        ...{ status, location: headers['location'] ?? '', retryAfter: headers['retry-after'] ?? '' },
        text: status === 200 ? await readBounded(body, bytesMax) : '',
        isRedirected: redirects > 0,
      }))
      .catch((error: unknown) => {
        // Not the given server failed, but the one that it names for this address.
        throw redirects > 0 && error instanceof GuardedFetchError ? new Problem(error.message) : error;
      });
    if (response.status < 300 || response.status > 399) return response;
    current = redirected(current, response.location);
  }
  throw new Problem(`the server redirects more than ${REDIRECTS_MAX} times`);
}

function redirected(from: string, location: string): string {
  if (location === '' || !URL.canParse(location, from)) throw new Problem('the server redirects to no URL');
  const to = new URL(location, from);
  if (to.protocol !== 'https:' && to.protocol !== new URL(from).protocol) {
    throw new Problem('the server redirects to an address without encryption');
  }
  return to.href;
}

async function readBounded(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Problem(`the answer is larger than ${bytesMax / 1_024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
