import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { MaintenanceWindow, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

const EXTENSION_MINUTES = 30;

/** Extends maintenance under way, and ends it early. */
export function WindowActions({ window }: { window: MaintenanceWindow }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (what: 'extend' | 'end') => {
      const body = what === 'extend' ? { minutes: EXTENSION_MINUTES } : {};
      return (await call<One<MaintenanceWindow>>('POST', apiPath`/v1/maintenance-windows/${window.id}/${what}`, body))
        .data;
    },
    onSuccess(changed, what) {
      queries.setQueryData(['maintenance-window', changed.id], changed);
      toast({ text: what === 'extend' ? texts.extended(changed.name) : texts.endedNow(changed.name), undo: null });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['maintenance-windows'] }),
  });
  if (window.state !== 'active') return null;
  return (
    <>
      <Button variant="default" onClick={() => change.mutate('extend')} loading={change.isPending}>
        {texts.extend(EXTENSION_MINUTES)}
      </Button>
      <Button variant="default" onClick={() => change.mutate('end')} loading={change.isPending}>
        {texts.end}
      </Button>
      <ActionProblem error={change.error} />
    </>
  );
}
