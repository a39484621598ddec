import { useQueryClient } from '@tanstack/react-query';
import { ApiProblem, send } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Monitor, One, UpdateMonitor } from '../../../api/types.ts';
import type { Versioned } from '../../../components/editing/use-editable.ts';
import { isUncertain, problemText } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { words } from './texts/texts.ts';
import { undoOf } from './undo.ts';

interface SavedChange {
  before: Monitor;
  after: Versioned<Monitor>;
  patch: UpdateMonitor;
  /** What was done, in words. */
  text: string;
}

/** Returns a function that shows a change which was saved: the pages follow, and a message has the way back. */
export function useSaved(id: string): (change: SavedChange) => void {
  const queries = useQueryClient();
  const show = (monitor: Monitor) => {
    queries.setQueryData(['monitor', id], monitor);
    void queries.invalidateQueries({ queryKey: ['monitor', id, 'edit'] });
    void queries.invalidateQueries({ queryKey: ['monitors'] });
  };
  const undo = async ({ before, after, patch }: SavedChange) => {
    try {
      const body = undoOf(before, patch);
      const answer = await send<One<Monitor>>('PATCH', apiPath`/v1/monitors/${id}`, { body, ifMatch: after.etag });
      show(answer.body.data);
      toast({ text: words.restored(before.name), undo: null });
    } catch (error) {
      toast({ text: notRestored(before.name, error), undo: null });
    }
  };
  return (change) => {
    show(change.after.thing);
    toast({ text: change.text, undo: () => void undo(change) });
  };
}

/** Returns what is known of the earlier settings of a monitor. The message has no way to try again; the form has. */
function notRestored(name: string, error: unknown): string {
  if (error instanceof ApiProblem && error.status === 412) return words.changedMeanwhile(name);
  return isUncertain(error) ? words.mayBeAsSaved(name) : `${words.notRestored(name)} ${problemText(error)}`;
}
