import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { One, Workspace } from '../../api/types.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

/** The way back, until the data are deleted. */
export function RestoreWorkspace({ workspace, isOwner }: { workspace: Workspace; isOwner: boolean }) {
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: async () => (await confirmedCall<One<Workspace>>('POST', '/v1/workspace/restore')).data,
    onSuccess(restored) {
      toast({ text: texts.restored(workspace.name), undo: null });
      queries.setQueryData(['workspace'], restored);
      void queries.invalidateQueries();
    },
  });
  return (
    <section className="panel form-panel">
      <h2>{texts.restoreTitle}</h2>
      <p>{isOwner ? texts.restoreHelp : texts.restoreByOwner}</p>
      <ActionProblem error={restore.error} />
      {isOwner ? (
        <div className="page-actions">
          <Button onClick={() => restore.mutate()} loading={restore.isPending}>
            {texts.restore}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
