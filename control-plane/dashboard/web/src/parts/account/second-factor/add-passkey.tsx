import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, RegisteredPasskey } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.passkeys;

/** Adds a passkey. The name tells later which device or password manager has it. */
export function AddPasskey({ changed }: { changed(codes: readonly string[] | null): Promise<void> }) {
  const [name, setName] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () => register((name ?? '').trim()),
    async onSuccess(added) {
      if (added === null) return;
      setName(null);
      toast({ text: words.added(added.name), undo: null });
      await changed(added.recovery_codes);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  if (name === null) {
    return (
      <div className="page-actions">
        <Button onClick={() => setName('')}>{words.add}</Button>
      </div>
    );
  }
  const errors = fieldErrors(add.error);
  return (
    <form className="form-panel" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'name', label: words.name, description: words.nameHelp, value: name, maxLength: 200 }}
        {...{ error: errors['name'], autoFocus: true, autoComplete: 'off' }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {'name' in errors ? null : <ActionProblem error={add.error} />}
      {add.data === null ? <p className="note">{words.cancelled}</p> : null}
      <div className="page-actions">
        <Button type="submit" loading={add.isPending} disabled={name.trim() === ''}>
          {words.create}
        </Button>
        <Button variant="default" onClick={() => setName(null)}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Resolves to the new passkey; null when the person cancelled, or the authenticator has one already. */
async function register(name: string): Promise<RegisteredPasskey | null> {
  const { data: optionsJSON } = await confirmedCall<One<never>>('POST', '/v1/auth/passkeys/options');
  const { startRegistration } = await import('@simplewebauthn/browser');
  const credential = await startRegistration({ optionsJSON }).catch(() => null);
  if (credential === null) return null;
  return (await confirmedCall<One<RegisteredPasskey>>('POST', '/v1/auth/passkeys', { name, credential })).data;
}
