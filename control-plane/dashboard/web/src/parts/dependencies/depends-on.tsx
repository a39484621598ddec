import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Dependency } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { choicesQuery, dependenciesQuery, suggestionsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

/** What a monitor depends on, and what depends on it. */
export function DependsOn({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { data } = useQuery(dependenciesQuery(id));
  const { add, remove } = useChanges(id);
  if (data === undefined) return null;
  const above = data.rows.filter(({ depends_on }) => depends_on.monitor_id !== id);
  const below = data.rows.filter(({ depends_on }) => depends_on.monitor_id === id);
  return (
    <section className="panel">
      <h2>{texts.title}</h2>
      <p className="soft">{above.length === 0 ? texts.none : texts.purpose}</p>
      <ul className="rows">
        {above.map((one) => (
          <li key={one.id}>
            <MonitorLink id={one.depends_on.monitor_id} name={one.depends_on.name} />{' '}
            {one.dependent.tag === null ? null : <span className="soft">{texts.throughTag(one.dependent.tag)} </span>}
            {mayWrite ? (
              <Button variant="default" size="compact-sm" onClick={() => remove.mutate(one.id)}>
                {texts.remove}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {mayWrite ? <AddForm id={id} known={above} add={add.mutate} isAdding={add.isPending} /> : null}
      <ActionProblem error={add.error ?? remove.error} />
      <Dependents of={below} />
    </section>
  );
}

function useChanges(id: string) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['dependencies'] });
  const add = useMutation({
    mutationFn: (on: string) =>
      call('POST', '/v1/dependencies', { dependent: { monitor_id: id }, depends_on: { monitor_id: on } }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (dependencyId: string) => call('DELETE', apiPath`/v1/dependencies/${dependencyId}`),
    onSettled,
  });
  return { add, remove };
}

interface AddFormProps {
  id: string;
  known: readonly Dependency[];
  add(on: string): void;
  isAdding: boolean;
}

function AddForm({ id, known, add, isAdding }: AddFormProps) {
  const [chosen, setChosen] = useState('');
  const monitors = useQuery(choicesQuery).data?.rows ?? [];
  const suggested = (useQuery(suggestionsQuery).data ?? []).filter(({ dependent }) => dependent.monitor_id === id);
  const taken = new Set([id, ...known.map(({ depends_on }) => depends_on.monitor_id)]);
  const choices = monitors
    .filter((monitor) => !taken.has(monitor.id))
    .map(({ id: value, name: label }) => ({ value, label }));
  return (
    <>
      {suggested.map(({ depends_on: { monitor_id: on, name }, outages }) => (
        <p key={on}>
          <MonitorLink id={on} name={name} /> {texts.suggested(outages)}{' '}
          <Button variant="default" size="compact-sm" onClick={() => add(on)} loading={isAdding}>
            {texts.add}
          </Button>
        </p>
      ))}
      {choices.length === 0 ? null : (
        <form
          className="page-actions"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen !== '') add(chosen);
            setChosen('');
          }}
        >
          <NativeSelect
            aria-label={texts.monitor}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={[{ value: '', label: texts.choose }, ...choices]}
          />
          <Button type="submit" variant="default" loading={isAdding}>
            {texts.add}
          </Button>
        </form>
      )}
    </>
  );
}

function Dependents({ of }: { of: readonly Dependency[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{texts.dependents}</h3>
      <ul className="rows">
        {of.map(({ id, dependent: { monitor_id, server_id, tag, name } }) => (
          <li key={id}>
            {monitor_id !== null ? <MonitorLink id={monitor_id} name={name} /> : null}
            {server_id !== null ? (
              <Link to={`/servers/${server_id}`}>
                <bdi>{name}</bdi>
              </Link>
            ) : null}
            {tag !== null ? texts.ofTag(tag) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function MonitorLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to={`/monitors/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  );
}
