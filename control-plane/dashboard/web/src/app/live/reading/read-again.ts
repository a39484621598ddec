import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads a list again without taking from anybody the next page that they asked for: to read a list ends a request for more of
 * it, and a request for more ends the reading.
 */

/** Reads all pages of a query, after the one that is on its way. */
export async function readWhole(queries: QueryClient, query: Query): Promise<void> {
  await readingMore(query);
  const before = query.state.fetchMeta;
  await queries.invalidateQueries({ predicate: (one) => one === query });
  if (wasEnded(query, before)) await readWhole(queries, query);
}

/** Reads a part of a query with `read`, after the page that is on its way. */
export async function readPart(query: Query, read: () => Promise<void>): Promise<void> {
  await readingMore(query);
  await read();
  // More that was asked for meanwhile will come with the other rows as they were before.
  if (isReadingMore(query)) await readPart(query, read);
}

/** Returns whether a list is getting the next page that somebody asked for. */
export function isReadingMore({ state: { fetchMeta, fetchStatus } }: Query): boolean {
  return fetchMeta?.fetchMore !== undefined && fetchStatus !== 'idle';
}

/** Returns whether somebody who asked for the next page ended the reading of a list. `before`: its `fetchMeta` before it. */
export function wasEnded({ state: { fetchMeta } }: Query, before: unknown): boolean {
  return fetchMeta?.fetchMore !== undefined && fetchMeta !== before;
}

/** Resolves when a list has the page that somebody asked for. Never rejects. */
async function readingMore(query: Query): Promise<void> {
  while (isReadingMore(query)) await query.promise?.catch(() => undefined);
}
