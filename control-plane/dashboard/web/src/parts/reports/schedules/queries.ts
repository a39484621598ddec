import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { read } from '../../../api/read.ts';
import { readAll } from '../../../api/read-all.ts';
import type { One, Page, ReportSchedule, ReportSchedulePreview, ReportScheduleRun } from '../../../api/types.ts';
import { reportsPath } from '../queries.ts';

export const schedulesPath = `${reportsPath}/schedules`;
/** All that a plan allows. */
const PAGES_MAX = 5;
/** Reports are made and delivered without an event. */
const SOON_MS = 20_000;
const RUNS = '20';

export const schedulesQuery = queryOptions({
  queryKey: ['report-schedules', 'list'],
  queryFn: ({ signal }) => readAll<ReportSchedule>(schedulesPath, {}, PAGES_MAX, signal),
  refetchInterval: SOON_MS,
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['report-schedule', id],
    queryFn: async ({ signal }) => (await read<One<ReportSchedule>>(pathOfSchedule(id), {}, signal)).data,
    refetchInterval: SOON_MS,
  });

/** All runs, newest first. */
export const runsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['report-schedule', id, 'runs'],
    queryFn: ({ pageParam, signal }) =>
      read<Page<ReportScheduleRun>>(`${pathOfSchedule(id)}/runs`, { limit: RUNS, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: SOON_MS,
  });

/** The times of a schedule. */
export type ScheduleTimes = Pick<ReportSchedule, 'cron' | 'time_zone'>;

/** What the times mean, as the API computes it, and whether some months do not have a chosen day. */
export const previewQuery = (times: ScheduleTimes) =>
  queryOptions({
    queryKey: ['report-schedule-preview', times],
    async queryFn() {
      const answer = await call<One<ReportSchedulePreview> & Warned>('POST', `${schedulesPath}/preview`, times);
      return { times: answer.data.next_occurrences, warnings: answer.warnings ?? [] };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

/** A schedule as the API answers to a change: with what the person may not expect. */
export interface Warned {
  warnings?: string[];
}

/** What the API said to the last change of a schedule in this browser. */
export const warningsKey = (id: string) => ['report-schedule', id, 'warnings'];

/** Keeps for the page of the schedule what the API said to a change, except what the form has explained already. */
export function keepWarnings(queries: QueryClient, { data, warnings = [] }: One<ReportSchedule> & Warned): void {
  const { id, cron, time_zone } = data;
  const explained = queries.getQueryData(previewQuery({ cron, time_zone }).queryKey)?.warnings ?? [];
  queries.setQueryData(
    warningsKey(id),
    warnings.filter((warning) => !explained.includes(warning)),
  );
}

export const pathOfSchedule = (id: string): string => apiPath`/api/v1/client-reports/schedules/${id}`;
