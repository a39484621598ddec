import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

export function RemoveProvider() {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => confirmedCall('DELETE', '/v1/single-sign-on'),
    onSuccess() {
      toast({ text: texts.sso.removed, undo: null });
      void queries.invalidateQueries({ queryKey: ['team'] });
    },
  });
  return (
    <ConfirmButton label={texts.sso.remove} title={texts.sso.removeTitle} action={remove}>
      {texts.sso.removeText}
    </ConfirmButton>
  );
}
