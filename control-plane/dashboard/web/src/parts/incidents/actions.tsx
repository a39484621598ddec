import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { IncidentDetail, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from '../../texts/app/texts.ts';
import { texts as own } from './texts/texts.ts';

type Verb = 'acknowledge' | 'resolve' | 'silence';

/** What each action means beyond its name. */
const HELP: Record<Verb, string | undefined> = {
  acknowledge: undefined,
  resolve: own.resolvedHelp,
  silence: own.silenceHelp,
};

/** What a person can do with an incident that is not over. */
export function IncidentActions({ incident }: { incident: IncidentDetail }) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: async (verb: Verb) =>
      (await call<One<IncidentDetail>>('POST', `/v1/alerts/${incident.id}/${verb}`)).data,
    onSuccess: (changed) => queries.setQueryData(['incident', incident.id], changed),
    onSettled: () => queries.invalidateQueries({ queryKey: ['incidents'] }),
  });
  if (incident.status === 'resolved') return null;
  const button = (verb: Verb, variant: 'filled' | 'default') => (
    <Button
      variant={variant}
      title={HELP[verb]}
      onClick={() => act.mutate(verb)}
      loading={act.isPending && act.variables === verb}
    >
      {texts.incident[verb]}
    </Button>
  );
  return (
    <>
      {incident.acknowledged_at === null ? button('acknowledge', 'filled') : null}
      {button('resolve', 'default')}
      {incident.status === 'silenced' ? null : button('silence', 'default')}
      <ActionProblem error={act.error} />
    </>
  );
}
