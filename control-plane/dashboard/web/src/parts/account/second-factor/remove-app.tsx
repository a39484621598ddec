import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SecondFactorOverview } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { askPasskey, canUsePasskeys } from '../../../entrance/passkey.ts';
import { texts } from '../texts/texts.ts';

const words = texts.removeApp;

interface RemoveAppProps {
  overview: SecondFactorOverview;
  changed(): Promise<void>;
}

/** Removes the authenticator app. Each time a second factor must be proved, so that an open session is not enough. */
export function RemoveApp({ overview, changed }: RemoveAppProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.remove}
      </Button>
      <Dialog title={words.title} isOpen={isOpen} close={() => setOpen(false)}>
        <Proof overview={overview} close={() => setOpen(false)} changed={changed} />
      </Dialog>
    </>
  );
}

function Proof({ overview, close, changed }: RemoveAppProps & { close(): void }) {
  const [way, setWay] = useState<'totp' | 'recovery_code'>('totp');
  const [value, setValue] = useState('');
  const remove = useMutation({
    mutationFn: (proof: object) => confirmedCall('POST', '/v1/auth/mfa/totp/disable', proof),
    async onSuccess() {
      toast({ text: words.removed, undo: null });
      close();
      await changed();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate({ [way]: way === 'totp' ? value.replaceAll(/\s/g, '') : value.trim() });
  };
  const usePasskey = async () => {
    const passkey = await askPasskey('second_factor').catch(() => null);
    if (passkey !== null) remove.mutate({ passkey });
  };
  const other = way === 'totp' ? 'recovery_code' : 'totp';
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{overview.passkeys === 0 ? words.lastOne : words.text}</p>
      <TextInput
        {...{ key: way, name: way, label: words.ways[way], value, autoComplete: 'one-time-code', autoFocus: true }}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <ActionProblem error={remove.error} />
      <div className="page-actions">
        <Button type="submit" color="red" loading={remove.isPending} disabled={value.trim() === ''}>
          {words.remove}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </div>
      <p className="page-actions proof-ways">
        <button
          type="button"
          className="link"
          onClick={() => {
            setWay(other);
            setValue('');
          }}
        >
          {words.instead[other]}
        </button>
        {overview.passkeys > 0 && canUsePasskeys() ? (
          <button type="button" className="link" onClick={() => void usePasskey()}>
            {words.instead.passkey}
          </button>
        ) : null}
      </p>
    </form>
  );
}
