import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, isNotFound } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { apiPath } from '../../api/path.ts';
import type { BackupJob, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { DeleteButton } from '../../components/deletion/delete-button.tsx';
import { KeptNote } from '../../components/editing/kept-note.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { editOf, forgetEdit, useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { toast } from '../../components/toasts.tsx';
import { Facts } from './facts.tsx';
import { changedBody, inputOf } from './input.ts';
import { JobFields } from './job-fields.tsx';
import { JobMark } from './marks.tsx';
import { PingUrl } from './ping-url.tsx';
import { jobQuery } from './queries.ts';
import { Runs } from './runs.tsx';
import { stateSentence } from './sentence.ts';
import { texts } from './texts/texts.ts';
import './backup-jobs.css';

export function BackupJobPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/backup-jobs/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (job === undefined) {
    const gone = <Gone text={texts.notFound} to="/backup-jobs" label={texts.toList} edited={path} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  return (
    <>
      <PageHead
        title={job.name}
        mark={<JobMark status={job.status} />}
        sentence={<Said words={stateSentence(job)} />}
        tone={job.status === 'failing' ? 'down' : 'idle'}
        actions={mayWrite ? <DeleteJob job={job} /> : undefined}
      />
      <div className="columns">
        <div className="stack">
          <PingUrl job={job} mayWrite={mayWrite} />
          <Runs id={id} />
        </div>
        <div className="stack">
          <Facts job={job} />
          {mayWrite ? <EditJob key={job.updated_at} job={job} isGone={isNotFound(error)} /> : null}
        </div>
      </div>
    </>
  );
}

/** Only what was changed is sent, so that somebody else's change to another field stays. */
function EditJob({ job, isGone }: { job: BackupJob; isGone: boolean }) {
  const path = apiPath`/v1/backup-jobs/${job.id}`;
  const { form, forget, isKept, discard } = useKeptForm(editOf(path), inputOf(job), isGone);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = changedBody(job, form.values);
      return body === null ? job : (await call<One<BackupJob>>('PATCH', path, body)).data;
    },
    onSuccess(saved) {
      forget();
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['backup-job', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['backup-jobs'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/backup-jobs' }}
      cancelled={forget}
      onSubmit={() => save.mutate()}
    >
      <h2>{texts.settings}</h2>
      <KeptNote isKept={isKept} discard={discard} />
      <JobFields form={form} isNew={false} />
    </FormPanel>
  );
}

function DeleteJob({ job: { id, name } }: { job: BackupJob }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/backup-jobs/${id}`;
  const onDeleted = async () => {
    toast({ text: texts.deleted(name), undo: null });
    await navigate({ to: '/backup-jobs' });
    forgetEdit(queries, path);
    queries.removeQueries({ queryKey: ['backup-job', id] });
    for (const queryKey of [['backup-jobs'], ['alert-rules'], ['billing']]) {
      void queries.invalidateQueries({ queryKey });
    }
  };
  return (
    <DeleteButton label={texts.delete} title={texts.deleteTitle(name)} path={path} onDeleted={onDeleted}>
      <p>{texts.deleteText}</p>
    </DeleteButton>
  );
}
