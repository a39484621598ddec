import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type IncidentFilter, incidentsQuery } from '../../../api/queries.ts';
import type { Incident } from '../../../api/types.ts';
import { inOrder } from './search.ts';

/** A part of the list: its incidents, and how to read on. */
export interface IncidentList {
  /** null: the list has no heading, because it is the whole one. */
  status: 'firing' | 'silenced' | 'resolved' | null;
  rows: Incident[];
  /** Up to when a search has looked; null when it is complete. */
  searchedTo: string | null;
  hasMore: boolean;
  isReading: boolean;
  readMore(): void;
}

/**
 * Returns what is firing, silenced and resolved as lists of their own, so that thousands of resolved incidents do not
 * hide one that fires. A filter by status, and a search, have one list.
 */
export function useLists(filter: IncidentFilter): { lists: IncidentList[] | null; error: unknown; retry(): void } {
  const isOne = filter.status !== undefined || filter.q !== undefined;
  const whole = useList(filter, null, isOne);
  const firing = useList({ ...filter, status: 'firing' }, 'firing', !isOne);
  const silenced = useList({ ...filter, status: 'silenced' }, 'silenced', !isOne);
  const resolved = useList({ ...filter, status: 'resolved' }, 'resolved', !isOne);
  const shown = isOne ? [whole] : [firing, silenced, resolved];
  const lists = shown.flatMap(({ list }) => list ?? []);
  return {
    lists: lists.length < shown.length ? null : lists,
    error: shown.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { retry } of shown) retry();
    },
  };
}

function useList(filter: IncidentFilter, status: IncidentList['status'], enabled: boolean) {
  const query = useInfiniteQuery({ ...incidentsQuery(filter), placeholderData: keepPreviousData, enabled });
  const { data, error } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const list: IncidentList | null =
    data === undefined
      ? null
      : {
          status,
          // Further pages must not move what somebody is reading.
          rows: status === 'firing' && !query.hasNextPage ? inOrder(rows) : rows,
          searchedTo: data.pages.at(-1)?.searched_to ?? null,
          hasMore: query.hasNextPage,
          isReading: query.isFetchingNextPage,
          readMore: () => void query.fetchNextPage(),
        };
  return { list, error, retry: () => void query.refetch() };
}
