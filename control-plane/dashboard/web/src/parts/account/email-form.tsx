import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useAccount } from '../../app/account.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from './texts/texts.ts';

const words = texts.email;

/** Changes the address of the account, once the link in an e-mail to the new one has been opened. */
export function EmailForm() {
  const { email, sends_email: sendsEmail } = useAccount();
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {sendsEmail ? (
        <ChangeForm current={email} />
      ) : (
        <div className="form-panel">
          <CurrentAddress email={email} />
          <p className="soft">{words.noMail}</p>
        </div>
      )}
    </section>
  );
}

function CurrentAddress({ email }: { email: string }) {
  return (
    <p>
      {words.current} <bdi className="strong wrap">{email}</bdi>
    </p>
  );
}

function ChangeForm({ current }: { current: string }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => call('POST', '/v1/auth/email', { email: email.trim(), password }),
    onSuccess: () => setPassword(''),
  });
  const errors = fieldErrors(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="form-panel" onSubmit={submit} noValidate>
      <CurrentAddress email={current} />
      <TextInput
        {...{ type: 'email', name: 'email', label: words.next, value: email, error: errors['email'] }}
        autoComplete="email"
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <PasswordInput
        {...{ name: 'password', label: words.password, value: password, error: errors['password'] }}
        autoComplete="current-password"
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {Object.keys(errors).length === 0 ? <ActionProblem error={change.error} /> : null}
      <div role="status">{change.isSuccess ? <p className="note good">{words.sent(email.trim())}</p> : null}</div>
      <div className="page-actions">
        <Button type="submit" loading={change.isPending} disabled={email.trim() === '' || password === ''}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}
