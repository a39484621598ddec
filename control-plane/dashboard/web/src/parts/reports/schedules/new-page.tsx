import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, ReportSchedule } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { useForgotten } from '../../../components/form/use-draft.ts';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { ConfirmFirst } from '../../../components/page/confirm-first.tsx';
import { NotAllowed } from '../../../components/page/not-allowed.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts as reportTexts } from '../texts/texts.ts';
import { ScheduleFields } from './fields.tsx';
import { emptySchedule, type ScheduleInput, scheduleBody } from './input.ts';
import { keepWarnings, schedulesPath, type Warned } from './queries.ts';
import { texts } from './texts/texts.ts';
import '../reports.css';

const DRAFT = 'report-schedule';

export function NewSchedulePage() {
  const mayWrite = useMayWrite();
  useForgotten(mayWrite ? null : DRAFT);
  if (!mayWrite) return <NotAllowed title={texts.add} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <ConfirmFirst>
        <NewSchedule />
      </ConfirmFirst>
    </>
  );
}

function NewSchedule() {
  const { form, forget } = useKeptForm<ScheduleInput>(DRAFT, emptySchedule(reportTexts.defaultTitle), false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => call<One<ReportSchedule> & Warned>('POST', schedulesPath, scheduleBody(form.values)),
    async onSuccess(answer) {
      const { id, name } = answer.data;
      forget();
      toast({ text: texts.created(name), undo: null });
      keepWarnings(queries, answer);
      for (const queryKey of [['report-schedules'], ['billing']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: `/reports/schedules/${id}` });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.add, submit: texts.create, action: create, cancel: '/reports/schedules' }}
      cancelled={forget}
      onSubmit={() => create.mutate()}
    >
      <ScheduleFields form={form} hasLogo={false} />
    </FormPanel>
  );
}
