import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiPath } from '../../../api/path.ts';
import type { Server } from '../../../api/types.ts';
import { DeleteButton } from '../../../components/deletion/delete-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { forgetEdit } from '../../../components/form/use-draft.ts';
import { texts } from '../texts/texts.ts';
import { EditForm } from './edit-form.tsx';

export function ServerActions({ server }: { server: Server }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.one.edit}
      </Button>
      <Dialog title={texts.edit.title(server.name)} isOpen={isOpen} close={() => setOpen(false)}>
        <EditForm server={server} close={() => setOpen(false)} />
      </Dialog>
      <DeleteServer server={server} />
    </>
  );
}

/** There is no way back, so it asks, and names what is lost. */
function DeleteServer({ server: { id, name } }: { server: Server }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/servers/${id}`;
  const onDeleted = async () => {
    await navigate({ to: '/servers' });
    forgetEdit(queries, path);
    queries.removeQueries({ queryKey: ['server', id] });
    for (const queryKey of [['servers'], ['billing'], ['alert-rules']]) void queries.invalidateQueries({ queryKey });
  };
  return (
    <DeleteButton label={texts.one.delete} title={texts.one.deleteTitle(name)} path={path} onDeleted={onDeleted}>
      {texts.one.deleteText}
    </DeleteButton>
  );
}
