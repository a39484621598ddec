import { infiniteQueryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { ClientReport, Page } from '../../api/types.ts';

export const reportsPath = '/api/v1/client-reports';

const PAGE_ROWS = 50;
const LIST_MS = 60_000;
/** While a report is generated, which takes seconds. */
const GENERATING_MS = 2_000;

/** All reports, newest first. */
export const reportsQuery = infiniteQueryOptions({
  queryKey: ['reports', 'list'],
  queryFn: ({ pageParam, signal }) =>
    read<Page<ClientReport>>(reportsPath, { limit: String(PAGE_ROWS), cursor: pageParam }, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some((page) => page.data.some(({ status }) => status === 'generating')) === true
      ? GENERATING_MS
      : LIST_MS,
});
