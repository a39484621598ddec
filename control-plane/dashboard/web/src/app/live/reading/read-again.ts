import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads a list again, and lets a request for its next page end first: in the client of queries, a reading ends such a request,
 * and such a request ends a reading.
 */

/** Reads all pages of a query, after the next page if that was requested. */
export async function readWhole(queries: QueryClient, query: Query): Promise<void> {
  await nextPageRead(queries, query);
  const before = query.state.fetchMeta;
  await queries.invalidateQueries({ predicate: (one) => one === query });
  if (endedByNextPage(query, before)) await readWhole(queries, query);
}

/** Reads a part of a query with `read`, after the next page if that was requested. */
export async function readPart(queries: QueryClient, query: Query, read: () => Promise<void>): Promise<void> {
  await nextPageRead(queries, query);
  await read();
  // A next page that was requested meanwhile will come with the other rows as they were before.
  if (isReadingNextPage(queries, query)) await readPart(queries, query, read);
}

/** Returns whether the next page of a list is being read. A query that was removed stays as it was, and reads nothing. */
export function isReadingNextPage(queries: QueryClient, query: Query): boolean {
  const { fetchMeta, fetchStatus } = query.state;
  const isReading = fetchMeta?.fetchMore !== undefined && fetchStatus !== 'idle';
  return isReading && queries.getQueryCache().get(query.queryHash) === query;
}

/** Returns whether a request for the next page ended the reading of a list. `before`: its `fetchMeta` before the reading. */
export function endedByNextPage({ state: { fetchMeta } }: Query, before: unknown): boolean {
  return fetchMeta?.fetchMore !== undefined && fetchMeta !== before;
}

/** Resolves when no next page of a list is being read. Never rejects. */
async function nextPageRead(queries: QueryClient, query: Query): Promise<void> {
  if (!isReadingNextPage(queries, query)) return;
  await new Promise<void>((resolve) => {
    const leave = queries.getQueryCache().subscribe(() => {
      if (isReadingNextPage(queries, query)) return;
      leave();
      resolve();
    });
  });
}
