import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Monitor } from '../../../api/types.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { forgetEdit } from '../../../components/form/use-draft.ts';
import { ActionProblem, isUncertain, problemText } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { follow } from '../bulk/job/follow.ts';
import { applyBulk } from '../bulk/job/queries.ts';
import { useTurn } from '../bulk/job/use-turn.ts';
import { Waiting } from '../bulk/job/waiting.tsx';
import { texts as bulk } from '../bulk/texts/texts.ts';
import { leaveOut } from '../list/queries.ts';
import { words } from './texts/texts.ts';

/**
 * Deletes at once, as a bulk change of one monitor: its message and the list of bulk changes have the way back. Only if the
 * workspace can keep no more for undoing, it asks.
 */
export function DeleteButton({ monitor: { id, name } }: { monitor: Monitor }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const turn = useTurn();
  const isHere = useIsMounted();
  const [isAsking, setAsking] = useState(false);
  const path = apiPath`/v1/monitors/${id}`;
  const leave = async () => {
    leaveOut(queries, id);
    if (isHere()) await navigate({ to: '/monitors' });
    forgetEdit(queries, path);
    queries.removeQueries({ queryKey: ['monitor', id] });
  };
  const remove = useMutation({
    mutationFn: () => turn.take(() => applyBulk({ operation: 'delete', ids: [id] })),
    async onSuccess(started) {
      // From here on it will be deleted. Whoever waited on this page would see that it does not exist.
      await leave();
      void follow(queries, started);
    },
    onError(error) {
      if (keepsNoMore(error)) setAsking(true);
      // It may have waited for long.
      else if (!isHere())
        toast({ text: `${words.notDeleted(name, isUncertain(error))} ${problemText(error)}`, undo: null });
    },
  });
  const removeForGood = useMutation({
    mutationFn: () => call('DELETE', `${path}?detach=true`),
    async onSuccess() {
      toast({ text: words.deleted(name), undo: null });
      await leave();
      for (const key of ['monitors', 'billing']) void queries.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => remove.mutate()} loading={remove.isPending}>
        {texts.monitor.delete}
      </Button>
      <Waiting isWaiting={turn.isWaiting} text={bulk.waiting.remove(name)} />
      {isAsking ? null : <ActionProblem error={remove.error} />}
      <Dialog title={texts.monitor.deleteTitle(name)} isOpen={isAsking} close={() => setAsking(false)}>
        <p>{words.deleteForGood}</p>
        <ActionProblem error={removeForGood.error} />
        <div className="page-actions">
          <Button color="red" onClick={() => removeForGood.mutate()} loading={removeForGood.isPending}>
            {texts.monitor.delete}
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            {texts.dialog.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

/** The limit of requests lasts for a minute at most. */
const LIMIT_S_MAX = 60;

/** What remains after waiting in turn: the workspace keeps too much for undoing, or has made too many changes today. */
const keepsNoMore = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  (error.status === 409 ? error.retryAfterS === null : error.status === 429 && (error.retryAfterS ?? 0) > LIMIT_S_MAX);

/** Returns a function that says whether the person is still on the page. */
function useIsMounted(): () => boolean {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}
