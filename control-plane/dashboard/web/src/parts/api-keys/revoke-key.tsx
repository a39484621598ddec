import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import type { ApiKey } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { Since } from '../../components/time/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

/** There is no way back, so it asks, and says when the key was last used. */
export function RevokeKey({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => confirmedCall('DELETE', apiPath`/v1/api-keys/${apiKey.id}`),
    onSuccess() {
      toast({ text: texts.revoked(apiKey.name), undo: null });
      void queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  return (
    <ConfirmButton label={texts.revoke} title={texts.revokeTitle(apiKey.name)} action={revoke}>
      <p>{texts.revokeText}</p>
      <p>
        {apiKey.last_used_at === null ? (
          texts.neverUsed
        ) : (
          <Since at={apiKey.last_used_at} wrap={(ago) => texts.used(ago)} />
        )}
      </p>
    </ConfirmButton>
  );
}
