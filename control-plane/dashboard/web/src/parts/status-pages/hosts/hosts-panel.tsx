import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { StatusPage } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { hostsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { HostRow } from './host-row.tsx';
import { useHostNames } from './use-host-names.ts';

const HOSTS_MAX = 5;

/** The host names of a page: each is added and removed at once, whatever the form beside it has. */
export function HostsPanel({ page: loaded }: { page: StatusPage }) {
  const page = useQuery(hostsQuery(loaded.id)).data ?? loaded;
  const words = texts.hosts;
  const main = page.hosts.find(({ verified_at: at }) => at !== null);
  return (
    <section className="panel form-panel" aria-labelledby="page-hosts">
      <h2 id="page-hosts">{words.title}</h2>
      <p>{words.help}</p>
      {page.hosts.length === 0 ? <p className="soft">{words.none}</p> : null}
      <ul className="rows">
        {page.hosts.map((host) => (
          <HostRow key={host.name} {...{ page, host, isMain: host === main }} />
        ))}
      </ul>
      {page.hosts.length < HOSTS_MAX ? <AddHost page={page} /> : <p>{words.full}</p>}
    </section>
  );
}

function AddHost({ page }: { page: StatusPage }) {
  const [name, setName] = useState('');
  const words = texts.hosts;
  const add = useHostNames(page, (changed) => {
    setName('');
    toast({ text: words.added(changed.host_names.at(-1) ?? ''), undo: null });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate([...page.host_names, name.trim()]);
  };
  // The API names the new one by its place in the list.
  const errors = fieldErrors(add.error);
  const error = errors[`host_names.${page.host_names.length}`] ?? Object.values(errors)[0];
  return (
    <form onSubmit={submit} noValidate className="stack">
      <TextInput
        {...{ label: words.name, description: words.nameHelp, value: name, error }}
        {...{ autoComplete: 'off', spellCheck: false }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {error === undefined ? <ActionProblem error={add.error} /> : null}
      <div className="page-actions">
        <Button type="submit" variant="default" loading={add.isPending}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}
