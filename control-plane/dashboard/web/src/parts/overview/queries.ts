import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { Page, TimelineLine } from '../../api/types.ts';
import { recentOf } from './recent.ts';

const DAY_MS = 86_400_000;
const REFRESH_MS = 60_000;
const PAGE_ROWS = 100;

/** What happened in the last 24 hours, the newest lines of it. */
export const recentQuery = queryOptions({
  queryKey: ['timeline'],
  queryFn: ({ signal }) => {
    const from = new Date(Date.now() - DAY_MS).toISOString();
    return recentOf((cursor) =>
      read<Page<TimelineLine>>('/v1/timeline', { from, limit: String(PAGE_ROWS), cursor }, signal),
    );
  },
  refetchInterval: REFRESH_MS,
});
