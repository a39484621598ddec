import { useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { Appearance } from './appearance.tsx';
import { Deletion } from './deletion.tsx';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { texts } from './texts/texts.ts';
import './account.css';

/** The address and the password of the person, how the pages look for them, and the end of the account. */
export function AccountPage() {
  const { email, deleted_at: deletedAt } = useAccount();
  return (
    <>
      <PageHead
        title={texts.account.title}
        sentence={deletedAt === null ? texts.account.signedInAs(email) : texts.deletion.planned(deletedAt)}
        tone={deletedAt === null ? 'idle' : 'warning'}
      />
      <div className="stack">
        <EmailForm />
        <PasswordForm />
        <Appearance />
        <Deletion />
      </div>
    </>
  );
}
