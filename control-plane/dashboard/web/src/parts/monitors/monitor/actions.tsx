import { Button } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import type { Monitor, One } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { words } from './texts/texts.ts';

export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const queries = useQueryClient();
  const isPaused = monitor.status === 'paused';
  const toggle = useMutation({ mutationFn: () => setPaused(queries, monitor, !isPaused) });
  const check = useMutation({
    mutationFn: () => call('POST', `/v1/monitors/${monitor.id}/check`),
    onSuccess() {
      toast({ text: words.checking(monitor.locations.length), undo: null });
      void queries.invalidateQueries({ queryKey: ['monitor', monitor.id] });
    },
  });
  return (
    <>
      {isPaused ? null : (
        <Button variant="default" onClick={() => check.mutate()} loading={check.isPending}>
          {texts.monitor.checkNow}
        </Button>
      )}
      <Button variant={isPaused ? 'filled' : 'default'} onClick={() => toggle.mutate()} disabled={toggle.isPending}>
        {isPaused ? texts.monitor.resume : texts.monitor.pause}
      </Button>
      <Button variant="default" component={Link} to={`/monitors/${monitor.id}/edit`}>
        {words.edit}
      </Button>
      <DeleteButton monitor={monitor} />
      <ActionProblem error={toggle.error ?? check.error} />
    </>
  );
}

/** Pauses or resumes at once, and offers the way back. What was shown returns if the API refuses. */
async function setPaused(queries: QueryClient, monitor: Monitor, isPaused: boolean): Promise<void> {
  const key = ['monitor', monitor.id];
  const before = queries.getQueryData<Monitor>(key) ?? monitor;
  const now = new Date().toISOString();
  await queries.cancelQueries({ queryKey: key, exact: true });
  queries.setQueryData<Monitor>(key, {
    ...before,
    ...(isPaused ? { status: 'paused', paused_at: now } : { status: 'up', paused_at: null, last_checked_at: null }),
  });
  try {
    const path = `/v1/monitors/${monitor.id}/${isPaused ? 'pause' : 'resume'}`;
    const changed = (await call<One<Monitor>>('POST', path)).data;
    queries.setQueryData(key, changed);
    void queries.invalidateQueries({ queryKey: ['monitors'] });
    toast({
      text: (isPaused ? words.paused : words.resumed)(monitor.name),
      undo: () => void setPaused(queries, changed, !isPaused).catch(failed),
    });
  } catch (error) {
    queries.setQueryData(key, before);
    throw error;
  }
}

function failed(error: unknown): void {
  toast({ text: words.failed(error instanceof Error ? error.message : ''), undo: null });
}

/** There is no way back, so it asks, and names what is lost. */
function DeleteButton({ monitor }: { monitor: Monitor }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/monitors/${monitor.id}`),
    async onSuccess() {
      await navigate({ to: '/monitors' });
      toast({ text: words.deleted(monitor.name), undo: null });
      queries.removeQueries({ queryKey: ['monitor', monitor.id] });
      void queries.invalidateQueries({ queryKey: ['monitors'] });
      void queries.invalidateQueries({ queryKey: ['billing'] });
    },
  });
  return (
    <ConfirmButton label={texts.monitor.delete} title={texts.monitor.deleteTitle(monitor.name)} action={remove}>
      {texts.monitor.deleteText}
    </ConfirmButton>
  );
}
