import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Workspace } from '../../api/types.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from './texts/texts.ts';

/** Everything stops at once and is deleted a week later, so the name must be typed. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => confirmedCall('POST', '/v1/workspace/delete', { name }),
    onSuccess() {
      setOpen(false);
      void queries.invalidateQueries();
    },
  });
  const nameError = fieldErrors(remove.error)['name'];
  const close = () => {
    setOpen(false);
    setName('');
    remove.reset();
  };
  return (
    <section className="panel form-panel">
      <h2>{texts.deleteTitle}</h2>
      <p>{texts.deleteHelp}</p>
      <div className="page-actions">
        <Button variant="default" className="for-good" onClick={() => setOpen(true)}>
          {texts.delete}
        </Button>
      </div>
      <Dialog title={texts.deleteAsk(workspace.name)} isOpen={isOpen} close={close}>
        <p>{texts.deleteText}</p>
        <TextInput
          {...{ label: texts.typeName(workspace.name), value: name, autoComplete: 'off' }}
          error={nameError}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ActionProblem error={nameError === undefined ? remove.error : null} />
        <div className="page-actions">
          <Button color="red" onClick={() => remove.mutate()} loading={remove.isPending}>
            {texts.delete}
          </Button>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}
