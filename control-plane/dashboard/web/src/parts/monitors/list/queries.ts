import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../api/read.ts';
import type { MonitorSteps, MonitorSummary, Page } from '../../../api/types.ts';
import { listed } from './listed.ts';

const REFETCH_MS = 60_000;

/** All monitors of the workspace, one short row each, so that the browser filters and sorts them without waiting. */
export const summaryQuery = queryOptions({
  queryKey: ['monitors', 'summary'],
  async queryFn({ signal }) {
    const rows: MonitorSummary[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<MonitorSummary> = await read('/v1/monitors/summary', { cursor }, signal);
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows.map(listed);
  },
  refetchInterval: REFETCH_MS,
  // Comparing ten thousand rows with those before takes longer than showing them.
  structuralSharing: false,
});

export async function readSteps(
  ids: readonly string[],
  window: '24h' | '30d',
  signal: AbortSignal,
): Promise<MonitorSteps[]> {
  const { data } = await read<Page<MonitorSteps>>('/v1/monitors/history', { ids: ids.join(','), window }, signal);
  return data;
}
