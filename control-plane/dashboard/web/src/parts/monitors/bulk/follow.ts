import type { QueryClient } from '@tanstack/react-query';
import type { BulkChange } from '../../../api/types.ts';
import { toast } from '../../../components/toasts.tsx';
import { changeQuery, isRunning, undoBulk } from './queries.ts';
import { texts } from './texts/texts.ts';

const POLL_MS = 1_000;

/**
 * Waits until a change has ended, wherever the person is by then, and says so with the way back. When its state cannot be
 * read, it tries again.
 */
export async function follow(queries: QueryClient, started: BulkChange): Promise<void> {
  let change = started;
  queries.setQueryData(changeQuery(started.id).queryKey, started);
  while (isRunning(change)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    change = await queries.fetchQuery({ ...changeQuery(started.id), staleTime: 0 }).catch(() => change);
  }
  for (const key of [['monitors'], ['monitor'], ['monitor-bulks'], ['billing'], ['incidents']]) {
    void queries.invalidateQueries({ queryKey: key });
  }
  const count = change.total - change.skipped;
  if (change.state === 'undone') toast({ text: texts.progress.undone(count - change.kept), undo: null });
  else if (change.undo_until === null) toast({ text: texts.progress.done[change.operation](count), undo: null });
  else toast({ text: texts.progress.done[change.operation](count), undo: () => void undo(queries, change) });
}

async function undo(queries: QueryClient, { id }: BulkChange): Promise<void> {
  try {
    await follow(queries, await undoBulk(id, 'refuse'));
  } catch (error) {
    toast({ text: texts.progress.undoFailed(error instanceof Error ? error.message : ''), undo: null });
  }
}
