import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { MaintenanceWindow, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { toast } from '../../components/toasts.tsx';
import { emptyWindow, type WindowInput, windowBody } from './input.ts';
import { texts } from './texts/texts.ts';
import { WindowFields } from './window-form.tsx';
import './maintenance.css';

export function NewWindowPage() {
  const { form, forget } = useKeptForm<WindowInput>('maintenance-window', emptyWindow(Date.now()), false);
  const mayWrite = useMayWrite();
  useForgotten(mayWrite ? null : 'maintenance-window');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<MaintenanceWindow>>('POST', '/v1/maintenance-windows', windowBody(form.values))).data,
    async onSuccess(window) {
      forget();
      toast({ text: texts.created(window.name), undo: null });
      void queries.invalidateQueries({ queryKey: ['maintenance-windows'] });
      await navigate({ to: '/maintenance' });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  if (!mayWrite) return <NotAllowed title={texts.add} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <FormPanel
        {...{ label: texts.add, submit: texts.create, action: create, cancel: '/maintenance' }}
        cancelled={forget}
        onSubmit={() => create.mutate()}
      >
        <WindowFields form={form} isNew />
      </FormPanel>
    </>
  );
}
