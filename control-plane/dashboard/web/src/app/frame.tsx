import { useMutation, useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { accountQuery } from '../api/queries.ts';
import type { Account } from '../api/types.ts';
import { ConfirmIdentity } from '../components/confirm-identity/confirm-identity.tsx';
import { ProblemNote } from '../components/problem-note.tsx';
import { PageSkeleton } from '../components/skeleton.tsx';
import { Toasts } from '../components/toasts.tsx';
import { texts } from '../texts/app/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './frame-nav.tsx';
import { isNavNarrow, keepNavNarrow } from './frame-nav-width.ts';
import { FrameTools } from './frame-tools.tsx';
import { LiveIndicator } from './live/live-indicator.tsx';
import { useFollowing } from './live/use-live.ts';

/** Navigation, head and the place of the page. The page is there when it is known who is signed in. */
export function Frame() {
  const account = useQuery(accountQuery);
  const [isNarrow, setNarrow] = useState(isNavNarrow);
  useFollowing();
  const toggle = () => {
    keepNavNarrow(!isNarrow);
    setNarrow(!isNarrow);
  };
  return (
    <div className={isNarrow ? 'frame frame-narrow' : 'frame'}>
      <a className="skip" href="#content">
        {texts.frame.skip}
      </a>
      <Navigation isSignedIn={account.isSuccess} isNarrow={isNarrow} toggle={toggle} />
      <div className="frame-page">
        <header className="frame-head">
          {account.isSuccess ? <FrameTools account={account.data} /> : null}
          <LiveIndicator />
          {account.isSuccess ? <AccountMenu /> : null}
        </header>
        <main id="content" tabIndex={-1}>
          {account.isSuccess ? (
            <>
              <Unconfirmed account={account.data} />
              <Outlet />
            </>
          ) : account.isError ? (
            <ProblemNote error={account.error} retry={() => void account.refetch()} />
          ) : (
            <PageSkeleton />
          )}
        </main>
      </div>
      <Toasts />
      <ConfirmIdentity />
    </div>
  );
}

/** Until the address is confirmed, the alerts of the workspace go to nobody else: that must not be a surprise. */
function Unconfirmed({ account }: { account: Account }) {
  const resend = useMutation({ mutationFn: () => call('POST', '/v1/auth/email/confirm/resend') });
  if (account.email_confirmed !== false) return null;
  return (
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
  );
}
