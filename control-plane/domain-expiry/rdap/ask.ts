import type { Clock } from '../../../kernel/clock.js';
import { GuardedFetchError } from '../../../kernel/fetch-failure.js';
import type { GuardedDownload } from '../../../kernel/guard/guarded-download.js';
import { fetchText } from './fetch-text.js';
import { ANSWER_BYTES_MAX } from './limits.js';
import { Problem } from './problem.js';
import { createDomainReader, type ReadDomain } from './read-domain.js';
import { retryAfterMs } from './retry-after.js';

/** What became of a question. */
export type Answer =
  | { kind: 'found'; domain: ReadDomain }
  /** The registry has no such domain. */
  | { kind: 'not_registered' }
  /** The answer about this domain cannot be used; others may be good. */
  | { kind: 'unreadable'; problem: string }
  /** The server wants to be left alone. `retryAfterMs` is for how long; null if it does not say. */
  | { kind: 'server_busy'; problem: string; retryAfterMs: number | null }
  /** The server failed: for all domains, or for this one only. */
  | { kind: 'server_failed'; problem: string };

/** Too many questions, out of order, or the installation is blocked. */
const BUSY_STATUSES: readonly number[] = [401, 403, 429, 503];

/** Asks a server about a domain, RFC 9082 section 3.1.3. `server` ends with a slash. An aborted question resolves to `server_failed`. */
export type AskRdap = (server: string, domain: string, signal: AbortSignal) => Promise<Answer>;

export function createAskRdap({ download, clock }: { download: GuardedDownload; clock: Clock }): AskRdap {
  const read = createDomainReader();
  return async (server, domain, signal) => {
    const options = { accept: 'application/rdap+json', bytesMax: ANSWER_BYTES_MAX, signal };
    try {
      const { status, text, retryAfter, isRedirected } = await fetchText(
        download,
        `${server}domain/${domain}`,
        options,
      );
      if (status === 200) return { kind: 'found', domain: read(text, domain, clock.now()) };
      if (status === 404) return { kind: 'not_registered' };
      const problem = `the server answers with HTTP ${status}`;
      // Another server says so, to which this domain alone was sent.
      if (isRedirected) return { kind: 'unreadable', problem };
      if (BUSY_STATUSES.includes(status)) {
        return { kind: 'server_busy', problem, retryAfterMs: retryAfterMs(retryAfter, clock.now()) };
      }
      return { kind: status < 500 ? 'unreadable' : 'server_failed', problem };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'unreadable', problem: error.message };
      if (!(error instanceof GuardedFetchError)) throw error;
      return { kind: 'server_failed', problem: error.message };
    }
  };
}
