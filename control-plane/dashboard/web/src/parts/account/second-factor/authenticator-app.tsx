import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, RecoveryCodes, SecondFactorOverview, TotpEnrolment } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Time } from '../../../components/time/time.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { RemoveApp } from './remove-app.tsx';

const words = texts.app;
const CODE_DIGITS = 6;

interface AuthenticatorAppProps {
  overview: SecondFactorOverview;
  /** Called after each change, with the new recovery codes if there are any. */
  changed(codes: readonly string[] | null): Promise<void>;
}

/** The authenticator app of the person: whether there is one, and how to set one up or to remove it. */
export function AuthenticatorApp({ overview, changed }: AuthenticatorAppProps) {
  const enrol = useMutation({
    mutationFn: async () => (await confirmedCall<One<TotpEnrolment>>('POST', '/v1/auth/mfa/totp')).data,
  });
  const { totp } = overview;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {enrol.data === undefined ? (
        <div className="stack">
          {totp === null ? (
            <p>{words.none}</p>
          ) : (
            <p>
              {words.since} <Time at={totp.enabled_at} />.
            </p>
          )}
          <ActionProblem error={enrol.error} />
          <div className="page-actions">
            <Button
              variant={totp === null ? 'filled' : 'default'}
              onClick={() => enrol.mutate()}
              loading={enrol.isPending}
            >
              {totp === null ? words.setUp : words.replace}
            </Button>
            {totp === null ? null : <RemoveApp overview={overview} changed={() => changed(null)} />}
          </div>
        </div>
      ) : (
        <Enrolment
          enrolment={enrol.data}
          close={enrol.reset}
          done={async (codes) => {
            enrol.reset();
            toast({ text: words.done, undo: null });
            await changed(codes);
          }}
        />
      )}
    </section>
  );
}

interface EnrolmentProps {
  enrolment: TotpEnrolment;
  done(codes: readonly string[]): Promise<void>;
  close(): void;
}

/** The secret for the app, as a picture and as text, and a code that proves that the app has it. */
function Enrolment({ enrolment: { qr_svg, secret }, done, close }: EnrolmentProps) {
  const [code, setCode] = useState('');
  const verify = useMutation({
    mutationFn: async () => {
      const body = { totp: code.replaceAll(/\s/g, '') };
      return (await confirmedCall<One<RecoveryCodes>>('POST', '/v1/auth/mfa/totp/verify', body)).data;
    },
    onSuccess: ({ recovery_codes }) => done(recovery_codes),
  });
  const isWrong = 'totp' in fieldErrors(verify.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  return (
    <div className="enrolment">
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr_svg)}`} alt={words.qr} />
      <form className="stack" onSubmit={submit} noValidate>
        <p>{words.scan}</p>
        <CopyField label={words.secret} value={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
        <TextInput
          {...{ name: 'totp', label: words.code, value: code, error: isWrong ? words.wrong : null }}
          {...{ inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: CODE_DIGITS + 1, autoFocus: true }}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {isWrong ? null : <ActionProblem error={verify.error} />}
        <div className="page-actions">
          <Button type="submit" loading={verify.isPending} disabled={code.trim().length < CODE_DIGITS}>
            {words.verify}
          </Button>
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </div>
  );
}
