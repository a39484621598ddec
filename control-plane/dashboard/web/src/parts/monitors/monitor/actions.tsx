import { Button } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { CheckRequested, Monitor, One } from '../../../api/types.ts';
import { ActionProblem, problemText } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { DeleteButton } from './delete-button.tsx';
import { words } from './texts/texts.ts';

export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const queries = useQueryClient();
  const isPaused = monitor.status === 'paused';
  const toggle = useMutation({ mutationFn: () => setPaused(queries, monitor, !isPaused) });
  const check = useMutation({
    mutationFn: async () => (await call<One<CheckRequested>>('POST', apiPath`/v1/monitors/${monitor.id}/check`)).data,
    onSuccess({ locations, results_by }) {
      toast({ text: words.checking(locations.length), undo: null });
      void readUntil(queries, monitor.id, Date.parse(results_by));
    },
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
      <Button variant="default" component={Link} to={`/monitors/${monitor.id}/edit`}>
        {words.edit}
      </Button>
      <DeleteButton monitor={monitor} />
      <ActionProblem error={toggle.error ?? check.error} />
    </>
  );
}

const READ_MS = 2_000;
/** The clock of the browser may be wrong. */
const READS_MAX = 30;

/** Reads the monitor and its results until all locations have answered: no event says that a result has arrived. */
async function readUntil(queries: QueryClient, id: string, untilMs: number): Promise<void> {
  for (let reads = 0; reads < READS_MAX; reads++) {
    await new Promise((resolve) => setTimeout(resolve, READ_MS));
    await queries.invalidateQueries({ queryKey: ['monitor', id] });
    if (Date.now() > untilMs) return;
  }
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
    const path = apiPath`/v1/monitors/${monitor.id}/${isPaused ? 'pause' : 'resume'}`;
    const changed = (await call<One<Monitor>>('POST', path)).data;
    queries.setQueryData(key, changed);
    void queries.invalidateQueries({ queryKey: ['monitors'] });
    toast({
      text: (isPaused ? words.paused : words.resumed)(monitor.name),
      undo: () => void setPaused(queries, changed, !isPaused).catch(failed),
    });
  } catch (error) {
    queries.setQueryData(key, before);
    // What was shown before may be old by now, and nobody knows what a request without an answer has done.
    void queries.invalidateQueries({ queryKey: key, exact: true });
    throw error;
  }
}

function failed(error: unknown): void {
  toast({ text: problemText(error), undo: null });
}
