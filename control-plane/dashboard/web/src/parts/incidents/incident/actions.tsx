import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { IncidentDetail, One } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { texts as own } from '../texts/texts.ts';
import { ResolveButton } from './resolve-button.tsx';
import { SilenceMenu } from './silence-menu.tsx';

type Act = { verb: 'acknowledge' | 'resolve' | 'unsilence' } | { verb: 'silence'; for_minutes: number | null };

/** What a person can do with an incident that is not over. */
export function IncidentActions({ incident }: { incident: IncidentDetail }) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: async ({ verb, ...body }: Act) =>
      (await call<One<IncidentDetail>>('POST', apiPath`/v1/alerts/${incident.id}/${verb}`, body)).data,
    onSuccess: (changed) => queries.setQueryData(['incident', incident.id], changed),
    onSettled: () => queries.invalidateQueries({ queryKey: ['incidents'] }),
  });
  if (incident.status === 'resolved') return null;
  const isPending = (verb: Act['verb']) => act.isPending && act.variables.verb === verb;
  const button = (verb: 'acknowledge' | 'unsilence', label: string, title?: string) => (
    <Button
      {...{ variant: verb === 'acknowledge' ? 'filled' : 'default', title, loading: isPending(verb) }}
      onClick={() => act.mutate({ verb })}
    >
      {label}
    </Button>
  );
  return (
    <>
      {incident.acknowledged_at === null ? button('acknowledge', texts.incident.acknowledge) : null}
      <ResolveButton
        {...{ incident, isPending: isPending('resolve') }}
        resolve={() => act.mutate({ verb: 'resolve' })}
        silence={() => act.mutate({ verb: 'silence', for_minutes: null })}
      />
      {incident.status === 'silenced' ? (
        button('unsilence', own.unsilence, own.unsilenceHelp)
      ) : (
        <SilenceMenu
          isPending={isPending('silence')}
          silence={(for_minutes) => act.mutate({ verb: 'silence', for_minutes })}
        />
      )}
      <ActionProblem error={act.error} />
    </>
  );
}
