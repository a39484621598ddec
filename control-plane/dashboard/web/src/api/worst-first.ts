import { infiniteQueryOptions } from '@tanstack/react-query';
import { read } from './read.ts';
import type { Page } from './types.ts';

const SLOW_MS = 60_000;

/** Where the next page begins: in the rows with this status, after this cursor. */
interface Place {
  status: string;
  cursor: string;
}

interface WorstFirst {
  queryKey: readonly unknown[];
  path: string;
  /** The worst first. */
  statuses: readonly string[];
  query: Record<string, string | undefined>;
  limit: number;
}

/** A list that the API orders by age, the worst first: all rows with the first status, then all with the second. */
export function worstFirstQuery<Row extends { id: string }>({ queryKey, path, statuses, query, limit }: WorstFirst) {
  const [first = ''] = statuses;
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const rows: Row[] = [];
      let next: Place | null = pageParam;
      // A short list comes at once, so that its rows do not appear status by status.
      while (next !== null && rows.length < limit) {
        const page: Page<Row> = await read<Page<Row>>(path, { ...query, ...next, limit: String(limit) }, signal);
        rows.push(...page.data);
        next = nextPlace(statuses, next.status, page.next_cursor);
      }
      return { rows, next };
    },
    initialPageParam: { status: first, cursor: '' } as Place,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => distinct(pages.flatMap(({ rows }) => rows)),
    // A list reads all its pages again: the more there are the less often.
    refetchInterval: ({ state: { data } }) => SLOW_MS * Math.max(1, data?.pages.length ?? 1),
  });
}

function nextPlace(statuses: readonly string[], status: string, cursor: string | null): Place | null {
  if (cursor !== null) return { status, cursor };
  const next = statuses[statuses.indexOf(status) + 1];
  return next === undefined ? null : { status: next, cursor: '' };
}

/** A row whose status changes between two pages is in both. */
function distinct<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
