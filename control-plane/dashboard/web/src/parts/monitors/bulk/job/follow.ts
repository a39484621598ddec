import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../../../api/client.ts';
import type { BulkChange } from '../../../../api/types.ts';
import { problemText } from '../../../../components/problem-note.tsx';
import { toast } from '../../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { inTurn } from './in-turn.ts';
import { leftOutOf, outcomeOf } from './outcome.ts';
import { undoBulk } from './queries.ts';
import { sleep, whenEnded } from './when-ended.ts';

/** Waits until a change has ended, wherever the person is by then, and says so with the way back. Resolves to the change as it ended. */
export async function follow(queries: QueryClient, started: BulkChange): Promise<BulkChange> {
  const change = await whenEnded(queries, started);
  for (const key of [['monitors'], ['monitor'], ['monitor-bulks'], ['billing'], ['incidents']]) {
    void queries.invalidateQueries({ queryKey: key });
  }
  const isDeletedByUndo = change.operation === 'add' && change.undo_until !== null;
  const warning = isDeletedByUndo ? [texts.progress.undoDeletes(change.total - change.skipped)] : [];
  const text = [outcomeOf(change), ...leftOutOf(change), ...warning].join(' ');
  toast({ text, undo: change.undo_until === null ? null : () => void undo(queries, change) });
  return change;
}

async function undo(queries: QueryClient, { id }: BulkChange): Promise<void> {
  const waits = () => toast({ text: texts.waiting.undo, undo: null });
  try {
    await follow(queries, await inTurn(() => undoBulk(id, 'refuse'), { waits, nowMs: Date.now, sleep }));
  } catch (error) {
    const isConflict = error instanceof ApiProblem && error.status === 409;
    toast({ text: texts.progress.undoFailed(problemText(error), isConflict), undo: null });
  }
}
