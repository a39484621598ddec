import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { StatusPage } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { forgetEdit } from '../../../components/form/use-draft.ts';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

/** Says what ends with the page before it is deleted. */
export function DeletePage({ page: { id, title, url } }: { page: StatusPage }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/status-pages/${id}`;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: texts.deleted(title), undo: null });
      await navigate({ to: '/status-pages' });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['status-page', id] });
      for (const queryKey of [['status-pages'], ['billing']]) void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(title)} action={remove}>
      <p className="wrap">{texts.deleteHelp(url)}</p>
    </ConfirmButton>
  );
}
