import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { Passkey } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Time } from '../../../components/time/time.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.passkeys;

interface PasskeyRowProps {
  passkey: Passkey;
  changed(): Promise<void>;
}

/** A passkey, with its new name and its end. */
export function PasskeyRow({ passkey, changed }: PasskeyRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const remove = useMutation({
    mutationFn: () => confirmedCall('DELETE', apiPath`/v1/auth/passkeys/${passkey.id}`),
    async onSuccess() {
      toast({ text: words.removed(passkey.name), undo: null });
      await changed();
    },
  });
  if (isRenaming) return <Rename passkey={passkey} changed={changed} close={() => setRenaming(false)} />;
  const { name, last_used_at: used } = passkey;
  return (
    <>
      <div className="row-main">
        <bdi className="strong two-lines">{name}</bdi>
        <p className="row-detail">
          {words.created} <Time at={passkey.created_at} /> · {words.lastUsed}{' '}
          {used === null ? words.never : <Time at={used} />} · {passkey.backed_up ? words.backedUp : words.onDevice}
        </p>
      </div>
      <div className="page-actions">
        <Button variant="default" onClick={() => setRenaming(true)}>
          {words.rename}
        </Button>
        <ConfirmButton label={words.remove} title={words.removeTitle(name)} action={remove}>
          {words.removeText}
        </ConfirmButton>
      </div>
    </>
  );
}

function Rename({ passkey, changed, close }: PasskeyRowProps & { close(): void }) {
  const [name, setName] = useState(passkey.name);
  const rename = useMutation({
    mutationFn: () => call('PATCH', apiPath`/v1/auth/passkeys/${passkey.id}`, { name: name.trim() }),
    async onSuccess() {
      await changed();
      close();
    },
  });
  const errors = fieldErrors(rename.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form className="row-main stack" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'name', label: words.name, value: name, maxLength: 200, error: errors['name'], autoFocus: true }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {'name' in errors ? null : <ActionProblem error={rename.error} />}
      <div className="page-actions">
        <Button type="submit" loading={rename.isPending}>
          {words.save}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
