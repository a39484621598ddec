import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { read } from '../../../api/read.ts';
import type { MonitorSteps, MonitorSummary, Page } from '../../../api/types.ts';
import { type Listed, listed } from './listed.ts';
import { paced } from './paced.ts';
import { withChanged } from './with-changed.ts';

const REFETCH_MS = 60_000;
const SUMMARY_KEY = ['monitors', 'summary'];

const readSummary = paced(async (signal) => {
  const rows: MonitorSummary[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<MonitorSummary> = await read('/v1/monitors/summary', { cursor }, signal);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows.map(listed);
});

/** All monitors of the workspace, one short row each, so that the browser filters and sorts them without waiting. */
export const summaryQuery = queryOptions({
  queryKey: SUMMARY_KEY,
  queryFn: ({ signal }) => readSummary(signal),
  refetchInterval: REFETCH_MS,
  // Comparing ten thousand rows with those before takes longer than showing them.
  structuralSharing: false,
  meta: { readSome },
});

/** Reads the monitors that events named. The others are as they were. */
async function readSome(ids: readonly string[], queries: QueryClient): Promise<void> {
  const { data } = await call<Page<MonitorSummary>>('GET', `/v1/monitors/summary?ids=${ids.join(',')}`);
  queries.setQueryData<Listed[]>(SUMMARY_KEY, (rows) => rows && withChanged(rows, ids, data.map(listed)));
}

/** Leaves a monitor out of the list that will not exist in a moment. */
export function leaveOut(queries: QueryClient, id: string): void {
  queries.setQueryData<Listed[]>(SUMMARY_KEY, (rows) => rows && withChanged(rows, [id], []));
}

export async function readSteps(
  ids: readonly string[],
  window: '24h' | '30d',
  signal: AbortSignal,
): Promise<MonitorSteps[]> {
  const { data } = await read<Page<MonitorSteps>>('/v1/monitors/history', { ids: ids.join(','), window }, signal);
  return data;
}
