import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../../api/client.ts';
import { monitorQuery } from '../../../api/queries.ts';
import type { Monitor } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { LocationList } from '../location-list.tsx';

/** While the first answers come in. */
const WAITING_MS = 700;
const SETTLED_MS = 5_000;

/** Shows the answers of the locations as they come in. The monitor is saved; it can be removed at once. */
export function Answers({ created, restart }: { created: Monitor; restart(): void }) {
  const queries = useQueryClient();
  const { data: monitor = created } = useQuery({
    ...monitorQuery(created.id),
    refetchInterval: ({ state: { data } }) => (isAnswered(data ?? created) ? SETTLED_MS : WAITING_MS),
  });
  // The overview then counts the monitor.
  useEffect(
    () => () => {
      void queries.invalidateQueries({ queryKey: ['billing'] });
      void queries.invalidateQueries({ queryKey: ['monitors'] });
    },
    [queries],
  );
  const remove = useMutation({ mutationFn: () => call('DELETE', `/v1/monitors/${created.id}`), onSuccess: restart });
  return (
    <section className="panel watch">
      <p className="watch-sentence wrap" role="status">
        <Sentence monitor={monitor} />
      </p>
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

function isAnswered({ location_status }: Monitor): boolean {
  return location_status.every(({ checked_at }) => checked_at !== null);
}

function Sentence({ monitor: { name, location_status } }: { monitor: Monitor }) {
  const all = location_status.length;
  const answered = location_status.filter(({ checked_at }) => checked_at !== null);
  const down = answered.filter(({ status }) => status === 'down').length;
  if (answered.length < all) return texts.watch.checking(name, answered.length, all);
  return down === 0 ? texts.watch.isUp(name, all, all) : texts.watch.isDown(name, down, all);
}
