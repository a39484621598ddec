import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Account } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from '../../texts/app/texts.ts';

/** Above every page until the person has confirmed their e-mail address: what is not possible until then, and what to do. */
export function UnconfirmedEmail({ account }: { account: Account }) {
  const resend = useMutation({ mutationFn: () => call('POST', '/v1/auth/email/confirm/resend') });
  if (account.email_confirmed !== false) return null;
  if (!account.sends_email) return <p className="note">{texts.frame.unconfirmable(account.email)}</p>;
  return (
    <>
      <p className="note">
        {texts.frame.unconfirmed(account.email)}{' '}
        {resend.isSuccess ? (
          <span role="status">{texts.frame.resent}</span>
        ) : (
          <button type="button" className="link" onClick={() => resend.mutate()}>
            {texts.frame.resend}
          </button>
        )}
      </p>
      <ActionProblem error={resend.error} />
    </>
  );
}
