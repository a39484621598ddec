import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiProblem, apiUrl, call } from '../../api/client.ts';
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

/** Asks for the password, a code or a passkey. What the person proves is valid for ten minutes. */
export function ConfirmDialog({ settle }: { settle(isConfirmed: boolean): void }) {
  const account = useAccount();
  const ways = waysOf(account, canUsePasskeys());
  const [way, setWay] = useState<Way>('password');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

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
    <Dialog title={texts.title} isOpen close={() => settle(false)}>
      <p>{texts.lead}</p>
      <form className="stack" onSubmit={submit} noValidate>
        <input hidden readOnly type="text" autoComplete="username" value={account.email} />
        {way === 'passkey' ? (
          <ProblemText text={problem} />
        ) : (
          <TextInput
            {...{ key: way, name: way, label: texts.labels[way], value, error: problem === '' ? null : problem }}
            {...FIELDS[way]}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
        )}
        <div className="page-actions">
          {way === 'passkey' ? (
            <Button
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
        <a href={logInAgain()}>{texts.logInAgain}</a>
      </p>
    </Dialog>
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

function logInAgain(): string {
  const base = new URL(document.baseURI).pathname;
  const here = location.pathname.slice(base.length - 1) + location.search;
  return apiUrl(`/login?next=${encodeURIComponent(here)}`);
}
