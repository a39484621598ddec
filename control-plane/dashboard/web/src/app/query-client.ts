import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { noteAnswer } from './live.ts';

const RETRY_MS_MAX = 10_000;

/** Returns the cache of what was read. Without a session it opens the log-in page. */
export function createQueryClient(): QueryClient {
  const failed = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) return toLogIn();
    if (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500) noteAnswer(false);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onSuccess: () => noteAnswer(true), onError: failed }),
    mutationCache: new MutationCache({ onError: failed }),
    defaultOptions: {
      queries: {
        // The interval reads again anyway; what is shown stays, with its time.
        retry: (count, error) => count < 1 && (!(error instanceof ApiProblem) || error.status === 0),
        retryDelay: (count) => Math.min(1_000 * 2 ** count, RETRY_MS_MAX),
        networkMode: 'always',
        refetchOnReconnect: 'always',
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
