import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { monitorQuery } from '../../../api/queries.ts';
import type { Monitor } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { LocationList } from '../location-list.tsx';
import { answeredOf, cannotAgree, isUnchecked } from './answered.ts';
import { Fired } from './fired.tsx';
import { texts as watchTexts } from './texts.ts';
import { WithoutProbe } from './without-probe.tsx';

/** While the first answers come in. */
const WAITING_MS = 700;
const SETTLED_MS = 5_000;

/** Shows the answers of the locations as they come in. The monitor is saved; it can be removed at once. */
export function Answers({ created, restart }: { created: Monitor; restart(): void }) {
  const queries = useQueryClient();
  const { data: monitor = created } = useQuery({
    ...monitorQuery(created.id),
    refetchInterval: ({ state: { data } }) => (answeredOf(data ?? created).awaited === 0 ? SETTLED_MS : WAITING_MS),
  });
  // The overview then counts the monitor.
  useEffect(
    () => () => {
      void queries.invalidateQueries({ queryKey: ['billing'] });
      void queries.invalidateQueries({ queryKey: ['monitors'] });
    },
    [queries],
  );
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/v1/monitors/${created.id}`),
    onSuccess: restart,
  });
  return (
    <section className="panel watch">
      <p className="watch-sentence wrap" role="status">
        <Sentence monitor={monitor} />
      </p>
      <Fired ids={[monitor.id]} />
      <WithoutProbe
        {...{ locations: answeredOf(monitor).withoutProbe, hasOthers: !isUnchecked(monitor) }}
        areTooFew={cannotAgree(monitor)}
      />
      <LocationList monitor={monitor} />
      <p className="soft">{texts.watch.created}</p>
      <ActionProblem error={remove.error} />
      <div className="page-actions">
        <Button component={Link} to={`/monitors/${created.id}`}>
          {texts.watch.open}
        </Button>
        <Button variant="default" onClick={restart}>
          {texts.watch.another}
        </Button>
        <Button variant="subtle" color="red" onClick={() => remove.mutate()} loading={remove.isPending}>
          {texts.watch.remove}
        </Button>
      </div>
    </section>
  );
}

function Sentence({ monitor }: { monitor: Monitor }) {
  const { name, location_status } = monitor;
  const { up, down, awaited, withoutProbe } = answeredOf(monitor);
  const all = location_status.length;
  if (isUnchecked(monitor)) return watchTexts.probes.none(name);
  if (awaited > 0) return texts.watch.checking(name, up + down, all - withoutProbe.length);
  return down === 0 ? texts.watch.isUp(name, up, all) : texts.watch.isDown(name, down, all);
}
