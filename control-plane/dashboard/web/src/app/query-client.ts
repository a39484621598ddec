import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { LOG_OUT } from './log-out.ts';

const RETRY_MS_MAX = 10_000;
const FRESH_MS = 10_000;

/** Returns the cache of what was read. Without a session it opens the log-in page. */
export function createQueryClient(): QueryClient {
  const failed = (error: unknown) => {
    const isLeaving = mutationCache.findAll({ mutationKey: LOG_OUT }).some(({ state }) => state.status !== 'error');
    if (error instanceof ApiProblem && error.status === 401 && !isLeaving) toLogIn();
  };
  const mutationCache: MutationCache = new MutationCache({ onError: failed });
  return new QueryClient({
    queryCache: new QueryCache({ onError: failed }),
    mutationCache,
    defaultOptions: {
      queries: {
        // Whoever goes back to a page sees it at once. An event makes it old before that.
        staleTime: FRESH_MS,
        // What is shown stays, with its time, and is read again when the connection is back.
        retry: (count, error) => count < 1 && (!(error instanceof ApiProblem) || error.status === 0),
        retryDelay: (count) => Math.min(1_000 * 2 ** count, RETRY_MS_MAX),
        networkMode: 'always',
        // The stream of events says what has changed, also while the tab was hidden.
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Opens the log-in page, which comes back here. */
function toLogIn(): void {
  const base = new URL(document.baseURI).pathname;
  const here = location.pathname.slice(base.length - 1) + location.search;
  location.assign(new URL(`login?next=${encodeURIComponent(here)}`, document.baseURI));
}
