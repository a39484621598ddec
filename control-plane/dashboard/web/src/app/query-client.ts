import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/client.ts';
import { leaveFor, loadedFor } from '../api/loaded-for.ts';
import { logInUrl } from '../api/log-in-url.ts';

const RETRY_MS_MAX = 10_000;
const FRESH_MS = 10_000;

/**
 * Returns the cache of what was read. Without a session it opens the log-in page, unless the page is there already: then
 * the request itself has asked the person.
 */
export function createQueryClient(): QueryClient {
  const failed = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401 && loadedFor() === null)
      leaveFor(logInUrl('session_ended'));
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: failed }),
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
