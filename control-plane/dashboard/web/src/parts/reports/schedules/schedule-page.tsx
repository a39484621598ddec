import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call, isNotFound } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, ReportSchedule } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { KeptNote } from '../../../components/editing/kept-note.tsx';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { editOf, useForgotten } from '../../../components/form/use-draft.ts';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { ConfirmFirst } from '../../../components/page/confirm-first.tsx';
import { Gone } from '../../../components/page/gone.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Said } from '../../../components/said.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { toast } from '../../../components/toasts.tsx';
import { DeleteSchedule, Pause } from './actions.tsx';
import { Facts, Unconfirmed } from './facts.tsx';
import { ScheduleFields } from './fields.tsx';
import { changedBody, inputOf } from './input.ts';
import { keepWarnings, pathOfSchedule, scheduleQuery, type Warned, warningsKey } from './queries.ts';
import { Runs } from './runs.tsx';
import { texts } from './texts/texts.ts';
import { nextWords } from './words.ts';
import '../reports.css';
import './schedules.css';

export function SchedulePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(id));
  const mayWrite = useMayWrite();
  const path = pathOfSchedule(id);
  useForgotten(mayWrite ? null : editOf(path));
  if (schedule === undefined) {
    const gone = <Gone text={texts.notFound} to="/reports/schedules" label={texts.toList} edited={path} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  const { name, enabled } = schedule;
  return (
    <>
      <PageHead
        title={name}
        mark={<Mark as={enabled ? 'up' : 'paused'} word={texts.states[enabled ? 'active' : 'paused']} quiet />}
        sentence={<Said words={nextWords(schedule)} />}
        actions={
          mayWrite ? (
            <>
              <Pause schedule={schedule} />
              <DeleteSchedule schedule={schedule} />
            </>
          ) : undefined
        }
      />
      <Warnings id={id} />
      <Unconfirmed schedule={schedule} />
      <div className="columns">
        <div className="stack">
          <Facts schedule={schedule} />
          <Runs id={id} />
        </div>
        {mayWrite ? (
          <ConfirmFirst>
            <EditSchedule key={schedule.updated_at} schedule={schedule} isGone={isNotFound(error)} />
          </ConfirmFirst>
        ) : null}
      </div>
    </>
  );
}

/** What the API said when this browser created or changed the schedule. Nothing reads it again. */
function Warnings({ id }: { id: string }) {
  const { data: warnings = [] } = useQuery<string[]>({ queryKey: warningsKey(id), enabled: false });
  if (warnings.length === 0) return null;
  return (
    <section className="note warning" aria-label={texts.warned}>
      {warnings.map((warning) => (
        <p key={warning} lang="en">
          {warning}
        </p>
      ))}
    </section>
  );
}

/** Only what was changed is sent, so that somebody else's change to another field stays. */
function EditSchedule({ schedule, isGone }: { schedule: ReportSchedule; isGone: boolean }) {
  const path = pathOfSchedule(schedule.id);
  const { form, forget, isKept, discard } = useKeptForm(editOf(path), inputOf(schedule), isGone);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async (): Promise<One<ReportSchedule> & Warned> => {
      const body = changedBody(schedule, form.values);
      return body === null ? { data: schedule } : call<One<ReportSchedule> & Warned>('PATCH', path, body);
    },
    onSuccess(answer) {
      const saved = answer.data;
      forget();
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['report-schedule', saved.id], saved);
      keepWarnings(queries, answer);
      void queries.invalidateQueries({ queryKey: ['report-schedules'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/reports/schedules' }}
      cancelled={forget}
      onSubmit={() => save.mutate()}
    >
      <h2>{texts.settings}</h2>
      <KeptNote isKept={isKept} discard={discard} />
      <ScheduleFields form={form} hasLogo={schedule.branding.has_logo} />
    </FormPanel>
  );
}
