import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import type { CreatedForwarder, One } from '../../../api/types.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts as auditTexts } from '../texts/texts.ts';
import { creationOf, type ForwarderValues, NEW_FORWARDER } from './form-values.ts';
import { ForwarderForm } from './forwarder-form.tsx';

const texts = auditTexts.forwarders;

/** Adds a forwarder. That of a webhook has a signing secret, which is shown until the person has stored it. */
export function NewForwarder({ close }: { close(): void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async (values: ForwarderValues) =>
      (await call<One<CreatedForwarder>>('POST', '/v1/audit-logs/forwarders', creationOf(values))).data,
    async onSuccess({ name, secret }) {
      await queries.invalidateQueries({ queryKey: ['forwarders'] });
      toast({ text: texts.created(name), undo: null });
      if (secret === undefined) close();
    },
  });
  const secret = create.data?.secret;
  return (
    <section className="panel" aria-label={texts.add}>
      <h2>{secret === undefined ? texts.add : texts.secret}</h2>
      {secret === undefined ? (
        <ForwarderForm
          {...{ initial: NEW_FORWARDER, hasAuth: false, isNew: true, close }}
          {...{ isBusy: create.isPending, error: create.error, save: create.mutate }}
        />
      ) : (
        <div className="stack" role="status">
          <p>{texts.secretText}</p>
          <CopyField label={texts.secret} value={secret} />
          <div className="page-actions">
            <Button onClick={close}>{texts.secretDone}</Button>
          </div>
        </div>
      )}
    </section>
  );
}
