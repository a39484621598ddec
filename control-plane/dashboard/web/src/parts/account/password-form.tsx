import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiUrl, call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useAccount } from '../../app/account.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

const words = texts.password;
const NOTHING = { current: '', next: '' };

/** Changes the password, which ends all other sessions. */
export function PasswordForm() {
  const { email, sends_email: sendsEmail } = useAccount();
  const queries = useQueryClient();
  const [{ current, next }, setValues] = useState(NOTHING);
  const change = useMutation({
    mutationFn: () => call('POST', '/v1/auth/password', { current_password: current, password: next }),
    async onSuccess() {
      setValues(NOTHING);
      toast({ text: words.changed, undo: null });
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const errors = fieldErrors(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <form className="form-panel" onSubmit={submit} noValidate>
        <input hidden readOnly type="text" autoComplete="username" value={email} />
        <PasswordInput
          {...{ name: 'current', label: words.current, value: current, error: errors['current_password'] }}
          autoComplete="current-password"
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, current: value }))}
        />
        <PasswordInput
          {...{ name: 'next', label: words.next, description: words.help, value: next, error: errors['password'] }}
          autoComplete="new-password"
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, next: value }))}
        />
        {Object.keys(errors).length === 0 ? <ActionProblem error={change.error} /> : null}
        <div className="page-actions account-actions">
          <Button type="submit" loading={change.isPending} disabled={current === '' || next === ''}>
            {words.change}
          </Button>
          <a href={apiUrl('/forgot-password')}>{sendsEmail ? words.forgot : words.forgotNoMail}</a>
        </div>
      </form>
    </section>
  );
}
