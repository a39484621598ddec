import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { One, SentInvitation } from '../../api/types.ts';
import { useAccount } from '../../app/account.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ConfirmFirst } from '../../components/page/confirm-first.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { HandedLink } from './handed-link.tsx';
import { givenBy, type Role } from './rights.ts';
import { texts } from './texts/texts.ts';

const EMAIL_CHARS_MAX = 254;

/** Invites somebody by e-mail. */
export function InviteForm() {
  return (
    <section className="panel">
      <h2>{texts.invite}</h2>
      <ConfirmFirst>
        <Fields />
      </ConfirmFirst>
    </section>
  );
}

function Fields() {
  const account = useAccount();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const queries = useQueryClient();
  const invite = useMutation({
    mutationFn: async () =>
      (await confirmedCall<One<SentInvitation>>('POST', '/v1/team/invitations', { email: email.trim(), role })).data,
    onSuccess(sent) {
      if (sent.sent_by_email) toast({ text: texts.invited(sent.email), undo: null });
      setEmail('');
      void queries.invalidateQueries({ queryKey: ['team'] });
    },
  });
  const emailError = fieldErrors(invite.error)['email'];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="team-invite">
        <TextInput
          {...{ type: 'email', name: 'invite-email', autoComplete: 'off', maxLength: EMAIL_CHARS_MAX }}
          {...{ label: texts.email, value: email, error: emailError }}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <NativeSelect
          label={texts.role}
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          data={givenBy(account).map((value) => ({ value, label: texts.roles[value] }))}
        />
        <Button type="submit" loading={invite.isPending}>
          {account.sends_email ? texts.send : texts.make}
        </Button>
      </div>
      <p className="row-detail team-help">{texts.roleHelp[role]}</p>
      {invite.data === undefined ? null : <HandedLink sent={invite.data} />}
      <ActionProblem error={emailError === undefined ? invite.error : null} />
    </form>
  );
}
