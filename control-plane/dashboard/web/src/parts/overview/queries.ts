import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { Incident, Page, TimelineLine } from '../../api/types.ts';
import { type Changes, changesOf, outagesOf, type Recent } from './recent.ts';

const DAY_MS = 86_400_000;
const REFRESH_MS = 60_000;
/** As many as a page has. */
const PAGE_ROWS = 200;

/** What happened in the last 24 hours, the newest of it. */
export const recentQuery = queryOptions({
  queryKey: ['timeline'],
  queryFn: async ({ client, queryKey, signal }): Promise<Recent> => {
    const fromMs = Date.now() - DAY_MS;
    const page = { from: new Date(fromMs).toISOString(), limit: String(PAGE_ROWS) };
    const reading = read<Page<Incident>>('/v1/alerts', { limit: String(PAGE_ROWS) }, signal);
    // Awaited when changes have arrived; until then nobody hears of its failure.
    reading.catch(() => {});
    const show = async (changes: Changes) => {
      const { outages, hasMore } = outagesOf(await reading, fromMs);
      return { outages, changes: changes.changes, hasMore: hasMore || changes.hasMore };
    };
    const readPage = (cursor: string) => read<Page<TimelineLine>>('/v1/timeline', { ...page, cursor }, signal);
    const changes = await changesOf(readPage, async (first) => {
      // Who opens the page need not wait for older changes. What is shown already stays until all have arrived.
      const recent = await show(first);
      // Written again, it would count as read now.
      if (!signal.aborted && client.getQueryData(queryKey) === undefined) client.setQueryData<Recent>(queryKey, recent);
    });
    return show(changes);
  },
  refetchInterval: REFRESH_MS,
});
