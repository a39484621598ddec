import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Forwarder } from '../../../api/types.ts';
import { toast } from '../../../components/toasts.tsx';
import { texts as auditTexts } from '../texts/texts.ts';
import { changeOf, type ForwarderValues, valuesOf } from './form-values.ts';
import { ForwarderForm } from './forwarder-form.tsx';

/** Changes an existing forwarder. */
export function EditForwarder({ forwarder, close }: { forwarder: Forwarder; close(): void }) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (values: ForwarderValues) =>
      call('PATCH', apiPath`/v1/audit-logs/forwarders/${forwarder.id}`, changeOf(forwarder, values)),
    async onSuccess(_answer, { name }) {
      await queries.invalidateQueries({ queryKey: ['forwarders'] });
      toast({ text: auditTexts.forwarders.saved(name.trim()), undo: null });
      close();
    },
  });
  return (
    <ForwarderForm
      {...{ initial: valuesOf(forwarder), hasAuth: forwarder.auth_set, isNew: false, close }}
      {...{ isBusy: save.isPending, error: save.error, save: save.mutate }}
    />
  );
}
