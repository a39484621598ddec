import type { ReactNode } from 'react';
import { useAccount } from '../../app/account.ts';
import { texts } from '../../texts/app/texts.ts';

/** In place of a form that the API accepts only from people whose e-mail address is confirmed. */
export function ConfirmNote() {
  return <p className="note">{texts.problem.emailNotConfirmed}</p>;
}

/** Such a form, or for others what to do first, before they fill it in. */
export function ConfirmFirst({ children }: { children: ReactNode }) {
  const { email_confirmed: isConfirmed } = useAccount();
  return isConfirmed === false ? <ConfirmNote /> : children;
}
