import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { logInUrl } from '../../api/log-in-url.ts';
import { useAccount } from '../../app/account.ts';
import { askPasskey, canUsePasskeys } from '../../entrance/passkey.ts';
import { Dialog } from '../dialog.tsx';
import { problemText } from '../problem-note.tsx';
import { texts } from './texts/texts.ts';
import { type Way, waysOf } from './ways.ts';

const FIELDS = {
  password: { type: 'password', autoComplete: 'current-password' },
  totp: { type: 'text', autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 7 },
  recovery_code: { type: 'text', autoComplete: 'off' },
} as const;

interface ConfirmProps {
  settle(isConfirmed: boolean): void;
}

/** Asks for the password, a code or a passkey. What the person proves is valid for ten minutes. */
export function ConfirmDialog({ isOpen, settle }: ConfirmProps & { isOpen: boolean }) {
  return (
    <Dialog title={texts.title} isOpen={isOpen} close={() => settle(false)}>
      <Proof settle={settle} />
    </Dialog>
  );
}

function Proof({ settle }: ConfirmProps) {
  const account = useAccount();
  const ways = waysOf(account, canUsePasskeys());
  const [way, setWay] = useState<Way>('password');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const prove = async (proof: () => Promise<object | null>) => {
    setBusy(true);
    setProblem('');
    try {
      const body = await proof();
      if (body === null) return setProblem(texts.passkeyCancelled);
      await call('POST', '/v1/auth/confirm', body);
      settle(true);
    } catch (error) {
      setProblem(explain(error, way));
      field.current?.select();
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog can be shown by a form: what is proved here must not send that form too.
    event.stopPropagation();
    if (value.trim() === '') return setProblem(texts.empty);
    void prove(async () => ({ [way]: way === 'totp' ? value.replaceAll(/\s/g, '') : value }));
  };
  const choose = (next: Way) => {
    setWay(next);
    setValue('');
    setProblem('');
  };
  return (
    <>
      <p>{texts.lead}</p>
      <form className="stack" onSubmit={submit} noValidate>
        <input hidden readOnly type="text" autoComplete="username" value={account.email} />
        {way === 'passkey' ? (
          <ProblemText text={problem} />
        ) : (
          <TextInput
            {...{ key: way, name: way, label: texts.labels[way], value, error: problem === '' ? null : problem }}
            {...{ ref: field, autoFocus: true }}
            {...FIELDS[way]}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
        )}
        <div className="page-actions">
          {way === 'passkey' ? (
            <Button
              autoFocus
              loading={isBusy}
              onClick={() =>
                void prove(async () => {
                  const passkey = await askPasskey('second_factor');
                  return passkey === null ? null : { passkey };
                })
              }
            >
              {texts.usePasskey}
            </Button>
          ) : (
            <Button type="submit" loading={isBusy}>
              {texts.confirm}
            </Button>
          )}
          <Button variant="default" onClick={() => settle(false)}>
            {texts.cancel}
          </Button>
        </div>
      </form>
      <p className="page-actions">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <button key={other} type="button" className="link" onClick={() => choose(other)}>
              {texts.instead[other]}
            </button>
          ))}
        <a href={logInUrl(null)}>{texts.logInAgain}</a>
      </p>
    </>
  );
}

function ProblemText({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p className="note bad" role="alert">
      {text}
    </p>
  );
}

/** The API answers 403 for a wrong proof, and 422 for a code that is none. */
function explain(error: unknown, way: Way): string {
  const isWrong = error instanceof ApiProblem && (error.status === 403 || error.status === 422);
  return isWrong ? texts.wrong[way] : problemText(error);
}
