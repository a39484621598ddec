import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import type { BlacklistCheck, BlacklistMonitor, BlacklistProvider, One, Page } from '../../api/types.ts';
import { worstFirstQuery } from '../../api/worst-first.ts';
import { type BlacklistFilter, STATUSES } from './filter.ts';

const PATH = '/api/v1/blacklist';
const SLOW_MS = 60_000;
/** A check has the answers of all lists, so the pages are small. */
const PAGE_ROWS = 50;
const CHECKS_SHOWN = 10;
/** A week of hourly checks. */
const SCORES_SHOWN = 168;
/** The answers of a check are the same for as long as it is the newest one. */
const TREND_STALE_MS = 600_000;

export const monitorsPath = `${PATH}/monitors`;
export const instantCheckPath = `${PATH}/instant-check`;

export const blacklistMonitorsQuery = ({ q, status }: BlacklistFilter) =>
  worstFirstQuery<BlacklistMonitor>({
    queryKey: ['blacklist-monitors', 'list', { q, status }],
    path: monitorsPath,
    statuses: status === undefined ? STATUSES : [status],
    query: { q },
    limit: PAGE_ROWS,
  });

/** Returns how many rows the first page of a list has. */
export const countOf = ({ data, next_cursor }: Page<unknown>) => ({
  count: data.length,
  hasMore: next_cursor !== null,
});

/** What has this status now, for sentences that count. */
const countedQuery = (status: 'listed' | 'unknown') =>
  queryOptions({
    queryKey: ['blacklist-monitors', status],
    queryFn: ({ signal }) => read<Page<BlacklistMonitor>>(monitorsPath, { status, limit: String(PAGE_ROWS) }, signal),
    refetchInterval: SLOW_MS,
  });

export const listedQuery = countedQuery('listed');
/** Of these no list has answered, so they count neither as listed nor as clean. */
export const unknownQuery = countedQuery('unknown');

export const blacklistMonitorQuery = (id: string) =>
  queryOptions({
    queryKey: ['blacklist-monitor', id],
    queryFn: async ({ signal }) =>
      (await read<One<BlacklistMonitor>>(apiPath`/api/v1/blacklist/monitors/${id}`, {}, signal)).data,
    // The first check answers within seconds.
    refetchInterval: ({ state: { data } }) => (data?.last_checked_at === null ? SLOW_MS / 20 : SLOW_MS),
  });

/** The newest check that found a change. */
export const lastChangeQuery = (id: string) =>
  queryOptions({
    queryKey: ['blacklist-monitor', id, 'last-change'],
    queryFn: async ({ signal }) =>
      (
        await read<Page<BlacklistCheck>>(
          apiPath`/api/v1/blacklist/monitors/${id}/history`,
          { changed: 'true', limit: '1' },
          signal,
        )
      ).data,
    staleTime: TREND_STALE_MS,
  });

/** The score of one check; null if no list answered. */
export interface Score {
  at: string;
  score: number | null;
}

/** The scores of the newest checks, oldest first. */
export const scoresQuery = (id: string) =>
  queryOptions({
    queryKey: ['blacklist-monitor', id, 'scores'],
    queryFn: async ({ signal }): Promise<Score[]> => {
      const query = { limit: String(SCORES_SHOWN) };
      const { data } = await read<Page<BlacklistCheck>>(
        apiPath`/api/v1/blacklist/monitors/${id}/history`,
        query,
        signal,
      );
      return data.map(({ checked_at, score }) => ({ at: checked_at, score })).reverse();
    },
    staleTime: TREND_STALE_MS,
  });

/** The checks that found a change, newest first. */
export const changesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['blacklist-monitor', id, 'changes'],
    queryFn: ({ pageParam, signal }) =>
      read<Page<BlacklistCheck>>(
        apiPath`/api/v1/blacklist/monitors/${id}/history`,
        { changed: 'true', limit: String(CHECKS_SHOWN), cursor: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const providersQuery = queryOptions({
  queryKey: ['blacklist-providers'],
  queryFn: async ({ signal }) =>
    (await read<Page<BlacklistProvider>>(`${PATH}/providers`, { limit: '50' }, signal)).data,
  staleTime: TREND_STALE_MS,
});
