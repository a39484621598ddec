import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import type { Monitor, One } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts } from '../../../texts/app/texts.ts';

export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const queries = useQueryClient();
  const path = `/v1/monitors/${monitor.id}`;
  const key = ['monitor', monitor.id];
  const isPaused = monitor.status === 'paused';
  const toggle = useMutation({
    mutationFn: async () => (await call<One<Monitor>>('POST', `${path}/${isPaused ? 'resume' : 'pause'}`)).data,
    onSuccess: (changed) => {
      queries.setQueryData(key, changed);
      void queries.invalidateQueries({ queryKey: ['monitors'] });
    },
  });
  const check = useMutation({
    mutationFn: () => call('POST', `${path}/check`),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <>
      {isPaused ? null : (
        <Button variant="default" onClick={() => check.mutate()} loading={check.isPending}>
          {texts.monitor.checkNow}
        </Button>
      )}
      <Button variant={isPaused ? 'filled' : 'default'} onClick={() => toggle.mutate()} loading={toggle.isPending}>
        {isPaused ? texts.monitor.resume : texts.monitor.pause}
      </Button>
      <DeleteButton monitor={monitor} path={path} />
      <span className="only-spoken" role="status">
        {check.isSuccess ? texts.monitor.checkRequested : ''}
      </span>
      <ActionProblem error={toggle.error ?? check.error} />
    </>
  );
}

/** There is no way back, so it asks, and names what is lost. */
function DeleteButton({ monitor, path }: { monitor: Monitor; path: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      await navigate({ to: '/monitors' });
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
