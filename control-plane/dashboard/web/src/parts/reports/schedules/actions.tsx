import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import type { One, ReportSchedule } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { forgetEdit } from '../../../components/form/use-draft.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { pathOfSchedule } from './queries.ts';
import { texts } from './texts/texts.ts';

/** Pauses a schedule, and resumes it. */
export function Pause({ schedule: { id, enabled } }: { schedule: ReportSchedule }) {
  const queries = useQueryClient();
  const turn = useMutation({
    mutationFn: async (on: boolean) =>
      (await call<One<ReportSchedule>>('PATCH', pathOfSchedule(id), { enabled: on })).data,
    onSuccess(changed, on) {
      queries.setQueryData(['report-schedule', id], changed);
      void queries.invalidateQueries({ queryKey: ['report-schedules'] });
      const text = on ? texts.resumed(changed.name) : texts.pausedNow(changed.name);
      toast({ text, undo: () => turn.mutate(!on) });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => turn.mutate(!enabled)} loading={turn.isPending}>
        {enabled ? texts.pause : texts.resume}
      </Button>
      <ActionProblem error={turn.error} />
    </>
  );
}

export function DeleteSchedule({ schedule: { id, name } }: { schedule: ReportSchedule }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = pathOfSchedule(id);
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: texts.deleted(name), undo: null });
      await navigate({ to: '/reports/schedules' });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['report-schedule', id] });
      for (const queryKey of [['report-schedules'], ['billing']]) void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(name)} action={remove}>
      <p>{texts.deleteText}</p>
    </ConfirmButton>
  );
}
