import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useAccount } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Said } from '../../components/said.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

const words = texts.deletion;

/** Deletes the account after a week, or takes that back until then. */
export function Deletion() {
  const { email, deleted_at: deletedAt } = useAccount();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['account'] });
  const remove = useMutation({ mutationFn: () => confirmedCall('POST', '/v1/auth/me/delete'), onSuccess: refresh });
  const restore = useMutation({
    mutationFn: () => call('POST', '/v1/auth/me/restore'),
    async onSuccess() {
      await refresh();
      toast({ text: words.restored, undo: null });
    },
  });
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {deletedAt === null ? (
        <div className="stack">
          <p>{words.text}</p>
          <div className="page-actions">
            <ConfirmButton label={words.delete} title={words.confirmTitle(email)} action={remove}>
              {words.confirmText}
            </ConfirmButton>
          </div>
        </div>
      ) : (
        <div className="stack">
          <p>
            <Said words={(time) => words.planned(time(deletedAt, 'long'))} />
          </p>
          <ActionProblem error={restore.error} />
          <div className="page-actions">
            <Button onClick={() => restore.mutate()} loading={restore.isPending}>
              {words.restore}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
