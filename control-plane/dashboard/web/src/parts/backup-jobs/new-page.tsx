import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { BackupJobWithUrl, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { toast } from '../../components/toasts.tsx';
import { emptyJob, type JobInput, jobBody } from './input.ts';
import { JobFields } from './job-fields.tsx';
import { jobsPath, urlKey } from './queries.ts';
import { texts } from './texts/texts.ts';
import './backup-jobs.css';

/** Adds a job, and opens its page, which shows the ping URL. */
export function NewBackupJobPage() {
  const { form, forget } = useKeptForm<JobInput>('backup-job', emptyJob(), false);
  const mayWrite = useMayWrite();
  useForgotten(mayWrite ? null : 'backup-job');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => (await call<One<BackupJobWithUrl>>('POST', jobsPath, jobBody(form.values))).data,
    async onSuccess({ id, name, ping_url }) {
      forget();
      queries.setQueryData(urlKey(id), ping_url);
      toast({ text: texts.created(name), undo: null });
      for (const queryKey of [['backup-jobs'], ['billing']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: `/backup-jobs/${id}` });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  if (!mayWrite) return <NotAllowed title={texts.add} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <FormPanel
        {...{ label: texts.add, submit: texts.create, action: create, cancel: '/backup-jobs' }}
        cancelled={forget}
        onSubmit={() => create.mutate()}
      >
        <JobFields form={form} isNew />
      </FormPanel>
    </>
  );
}
