import type { QueryClient } from '@tanstack/react-query';
import type { BulkChange } from '../../../../api/types.ts';
import { changeQuery, isRunning } from './queries.ts';

/** A change of one monitor takes a moment, one of ten thousand most of a minute. */
const POLL_MS_MIN = 150;
const POLL_MS_MAX = 1_000;

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Reads a change that was started until it has ended. When its state cannot be read, it tries again. */
export async function whenEnded(queries: QueryClient, started: BulkChange): Promise<BulkChange> {
  const query = changeQuery(started.id);
  // A reading that began before an undo says that there is none, and nothing would read again.
  await queries.cancelQueries({ queryKey: query.queryKey });
  queries.setQueryData(query.queryKey, started);
  let change = started;
  for (let waitMs = POLL_MS_MIN; isRunning(change); waitMs = Math.min(2 * waitMs, POLL_MS_MAX)) {
    await sleep(waitMs);
    change = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => change);
    // The list of monitors shows how far it is, unless it ends before anybody could read that.
    if (waitMs < POLL_MS_MAX && 2 * waitMs >= POLL_MS_MAX)
      void queries.invalidateQueries({ queryKey: ['monitor-bulks'] });
  }
  return change;
}
