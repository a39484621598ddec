import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { BackupJob, BackupJobBeginnings, BackupRun, One, Page } from '../../api/types.ts';

export const jobsPath = '/v1/backup-jobs';
/** Pings come without an event. */
const SOON_MS = 20_000;
/** All that a plan allows. */
const PAGES_MAX = 5;
const RUNS = '20';

export const jobsQuery = queryOptions({
  queryKey: ['backup-jobs', 'list'],
  queryFn: ({ signal }) => readAll<BackupJob>(jobsPath, {}, PAGES_MAX, signal),
  refetchInterval: SOON_MS,
});

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['backup-job', id],
    queryFn: async ({ signal }) => (await read<One<BackupJob>>(apiPath`/v1/backup-jobs/${id}`, {}, signal)).data,
    refetchInterval: SOON_MS,
  });

/** All runs, newest first. */
export const runsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['backup-job', id, 'runs'],
    queryFn: ({ pageParam, signal }) =>
      read<Page<BackupRun>>(apiPath`/v1/backup-jobs/${id}/runs`, { limit: RUNS, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: SOON_MS,
  });

/** What a schedule means, as the API computes it. */
export const previewQuery = (schedule: BackupJob['schedule']) =>
  queryOptions({
    queryKey: ['backup-job-preview', schedule],
    queryFn: async () =>
      (await call<One<BackupJobBeginnings>>('POST', `${jobsPath}/preview`, { schedule })).data.beginnings,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** The ping URL that this browser has just got. The API has it only in the answer to its creation. */
export const urlKey = (id: string) => ['backup-job', id, 'url'];
