import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, isNotFound } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { apiPath } from '../../api/path.ts';
import type { MaintenanceWindow, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { KeptNote } from '../../components/editing/kept-note.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { editOf, forgetEdit, useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { toast } from '../../components/toasts.tsx';
import { WindowActions } from './actions.tsx';
import { changedBody, inputOf } from './input.ts';
import { Occurrences } from './occurrences.tsx';
import { windowQuery } from './queries.ts';
import { stateSentence, targetsSentence } from './sentence.ts';
import { StateMark } from './state-mark.tsx';
import { texts } from './texts/texts.ts';
import { WindowFields } from './window-form.tsx';
import './maintenance.css';

export function WindowPage() {
  const { windowId: id = '' } = useParams({ strict: false }) as { windowId?: string };
  const { data: window, error, refetch } = useQuery(windowQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/maintenance-windows/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (window === undefined) {
    const gone = <Gone text={texts.notFound} to="/maintenance" label={texts.toList} edited={path} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  return (
    <>
      <PageHead
        title={window.name}
        mark={<StateMark state={window.state} />}
        sentence={<Said words={stateSentence(window)} />}
        actions={
          mayWrite ? (
            <>
              <WindowActions window={window} />
              <DeleteWindow window={window} />
            </>
          ) : undefined
        }
      />
      <div className="stack">
        {window.recurrence === null || window.next_occurrences.length === 0 ? null : (
          <section className="panel">
            <h2>{texts.preview}</h2>
            <Occurrences rows={window.next_occurrences} />
          </section>
        )}
        {mayWrite ? (
          <EditWindow key={window.updated_at} window={window} isGone={isNotFound(error)} />
        ) : (
          <section className="panel">
            <p className="wrap">{targetsSentence(window)}</p>
            {window.counts_in_uptime ? null : <p>{texts.leftOut}</p>}
          </section>
        )}
      </div>
    </>
  );
}

/** Only what was changed is sent, so that somebody else's change to another field stays. */
function EditWindow({ window, isGone }: { window: MaintenanceWindow; isGone: boolean }) {
  const path = apiPath`/v1/maintenance-windows/${window.id}`;
  const { form, forget, isKept, discard } = useKeptForm(editOf(path), inputOf(window), isGone);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = changedBody(window, form.values);
      return body === null ? window : (await call<One<MaintenanceWindow>>('PATCH', path, body)).data;
    },
    onSuccess(saved) {
      forget();
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['maintenance-window', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['maintenance-windows'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/maintenance' }}
      cancelled={forget}
      onSubmit={() => save.mutate()}
    >
      <KeptNote isKept={isKept} discard={discard} />
      <WindowFields form={form} isNew={false} />
    </FormPanel>
  );
}

function DeleteWindow({ window }: { window: MaintenanceWindow }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/maintenance-windows/${window.id}`;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: texts.deleted(window.name), undo: null });
      await navigate({ to: '/maintenance' });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['maintenance-window', window.id] });
      void queries.invalidateQueries({ queryKey: ['maintenance-windows'] });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(window.name)} action={remove}>
      <p>{texts.deleteHelp}</p>
    </ConfirmButton>
  );
}
