import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../../../api/client.ts';
import type { BulkChange } from '../../../../api/types.ts';
import { Dialog } from '../../../../components/dialog.tsx';
import { ActionProblem } from '../../../../components/problem-note.tsx';
import { texts } from '../texts/texts.ts';
import { follow } from './follow.ts';
import { undoBulk } from './queries.ts';
import { useTurn } from './use-turn.ts';
import { Waiting } from './waiting.tsx';

/**
 * Undoes at once. It asks before it deletes what was added, which nothing brings back; and when somebody has changed
 * monitors since, what becomes of those changes.
 */
export function UndoButton({ change }: { change: BulkChange }) {
  const queries = useQueryClient();
  const turn = useTurn();
  const [conflict, setConflict] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const undo = useMutation({
    mutationFn: (onConflict: 'refuse' | 'skip' | 'overwrite') => turn.take(() => undoBulk(change.id, onConflict)),
    onSettled: () => setAsking(false),
    onSuccess(started) {
      setConflict(null);
      void queries.invalidateQueries({ queryKey: ['monitor-bulks'] });
      void follow(queries, started);
    },
    onError(error) {
      const isConflict = error instanceof ApiProblem && error.status === 409;
      if (isConflict && Object.keys(error.fields).length > 0) setConflict(error.message);
      // Somebody else may have undone it meanwhile.
      else if (isConflict) void queries.invalidateQueries({ queryKey: ['monitor-bulks'] });
    },
  });
  return (
    <>
      <Button
        variant="default"
        onClick={() => (change.operation === 'add' ? setAsking(true) : undo.mutate('refuse'))}
        loading={undo.isPending}
      >
        {texts.list.undo}
      </Button>
      <Waiting isWaiting={turn.isWaiting} text={texts.waiting.undo} />
      {conflict === null ? <ActionProblem error={undo.error} /> : null}
      <Dialog
        title={texts.list.undoAdd.title(change.total - change.skipped)}
        isOpen={isAsking}
        close={() => setAsking(false)}
      >
        <p>{texts.list.undoAdd.help}</p>
        <div className="page-actions">
          <Button color="red" onClick={() => undo.mutate('refuse')} loading={undo.isPending}>
            {texts.list.undoAdd.delete}
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            {texts.progress.close}
          </Button>
        </div>
      </Dialog>
      <Dialog title={texts.list.conflict} isOpen={conflict !== null} close={() => setConflict(null)}>
        <p className="wrap">{conflict}</p>
        <div className="page-actions">
          <Button onClick={() => undo.mutate('skip')} loading={undo.isPending}>
            {texts.list.skip}
          </Button>
          <Button color="red" onClick={() => undo.mutate('overwrite')} loading={undo.isPending}>
            {texts.list.overwrite}
          </Button>
          <Button variant="default" onClick={() => setConflict(null)}>
            {texts.progress.close}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
