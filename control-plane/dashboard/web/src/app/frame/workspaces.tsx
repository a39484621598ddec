import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { leaveFor } from '../../api/loaded-for.ts';
import { apiPath } from '../../api/path.ts';
import { ownWorkspacesQuery } from '../../api/queries.ts';
import type { One, OwnWorkspace } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ActionProblem, LoadProblem } from '../../components/problem-note.tsx';
import { texts } from '../../texts/app/texts.ts';

/** The workspaces of the person, in the account menu, and a way to another one. */
export function Workspaces() {
  const [isCreating, setCreating] = useState(false);
  const workspaces = useQuery(ownWorkspacesQuery);
  const open = useSwitch();
  return (
    <fieldset className="menu-choice">
      <legend className="menu-title">{texts.frame.workspace}</legend>
      <div className="menu-scroll">
        {workspaces.data?.map(({ id, name, current }) => (
          <button
            key={id}
            {...{ type: 'button', className: 'menu-item', 'aria-pressed': current, disabled: open.isPending }}
            onClick={() => (current ? undefined : open.mutate(id))}
          >
            <bdi className="cut">{name}</bdi>
            {current ? <span aria-hidden="true">✓</span> : null}
          </button>
        ))}
      </div>
      <LoadProblem error={workspaces.error} />
      <ActionProblem error={open.error} />
      <button type="button" className="menu-item" onClick={() => setCreating(true)}>
        {texts.frame.createWorkspace}
        <span aria-hidden="true">+</span>
      </button>
      <Dialog title={texts.frame.createWorkspace} isOpen={isCreating} close={() => setCreating(false)}>
        <Create cancel={() => setCreating(false)} />
      </Dialog>
    </fieldset>
  );
}

/** Everything of the former workspace goes: the page loads again. */
function useSwitch() {
  return useMutation({
    mutationFn: (id: string) => call('POST', apiPath`/v1/auth/workspaces/${id}/switch`),
    onSuccess: () => leaveFor(document.baseURI),
  });
}

function Create({ cancel }: { cancel(): void }) {
  const [name, setName] = useState('');
  const open = useSwitch();
  const create = useMutation({
    mutationFn: async () => (await call<One<OwnWorkspace>>('POST', '/v1/auth/workspaces', { name: name.trim() })).data,
    onSuccess: ({ id }) => open.mutate(id),
  });
  const field = create.error instanceof ApiProblem ? create.error.fields['/name'] : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="soft">{texts.frame.createWorkspaceText}</p>
      <TextInput
        {...{
          name: 'name',
          label: texts.frame.workspaceName,
          value: name,
          error: field ?? null,
          maxLength: 200,
          autoFocus: true,
        }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {field === undefined ? <ActionProblem error={create.error ?? open.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={create.isPending || open.isPending}>
          {texts.frame.create}
        </Button>
        <Button variant="default" onClick={cancel}>
          {texts.dialog.cancel}
        </Button>
      </div>
    </form>
  );
}
