import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/client.ts';
import { apiPath } from '../../../../api/path.ts';
import { read } from '../../../../api/read.ts';
import type { BulkChange, BulkPreview, BulkRequest, One, Page } from '../../../../api/types.ts';

/** How often the progress of a running change is read. */
const PROGRESS_MS = 1_000;
const RARE_MS = 60_000;
const ROWS = 50;

export const isRunning = ({ state }: BulkChange): boolean => state === 'applying' || state === 'undoing';

export const changesQuery = infiniteQueryOptions({
  queryKey: ['monitor-bulks'],
  queryFn: ({ pageParam, signal }) =>
    read<Page<BulkChange>>('/v1/monitors/bulk', { limit: String(ROWS), cursor: pageParam }, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some((page) => page.data.some(isRunning)) === true ? PROGRESS_MS : RARE_MS,
});

/** A change, read until it has ended. */
export const changeQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor-bulk', id],
    queryFn: async ({ signal }) => (await read<One<BulkChange>>(apiPath`/v1/monitors/bulk/${id}`, {}, signal)).data,
    refetchInterval: ({ state: { data } }) => (data === undefined || isRunning(data) ? PROGRESS_MS : false),
  });

/** Rows of the difference that are shown first, and with each "more". */
const PREVIEW_ROWS = 50;

/** The page says that deleted monitors leave maintenance windows and status pages too. */
function detached(request: BulkRequest): BulkRequest {
  return request.operation === 'delete' ? { ...request, detach: true } : request;
}

export async function previewOf(request: BulkRequest, offset: number, signal?: AbortSignal): Promise<BulkPreview> {
  const body = { ...detached(request), dry_run: true, offset, limit: PREVIEW_ROWS };
  return (await call<One<BulkPreview>>('POST', '/v1/monitors/bulk', body, signal)).data;
}

/** `fingerprint`: of the difference that was shown; undefined when none was. */
export async function applyBulk(request: BulkRequest, fingerprint?: string): Promise<BulkChange> {
  return (await call<One<BulkChange>>('POST', '/v1/monitors/bulk', { ...detached(request), fingerprint })).data;
}

export async function undoBulk(id: string, onConflict: 'refuse' | 'skip' | 'overwrite'): Promise<BulkChange> {
  return (await call<One<BulkChange>>('POST', apiPath`/v1/monitors/bulk/${id}/undo`, { on_conflict: onConflict })).data;
}
