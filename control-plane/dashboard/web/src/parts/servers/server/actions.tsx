import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Server } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
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
      <DeleteButton server={server} />
    </>
  );
}

/** There is no way back, so it asks, and names what is lost. */
function DeleteButton({ server: { id, name } }: { server: Server }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/servers/${id}`;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      await navigate({ to: '/servers' });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['server', id] });
      void queries.invalidateQueries({ queryKey: ['servers'] });
      void queries.invalidateQueries({ queryKey: ['billing'] });
    },
  });
  return (
    <ConfirmButton label={texts.one.delete} title={texts.one.deleteTitle(name)} action={remove}>
      {texts.one.deleteText}
    </ConfirmButton>
  );
}
