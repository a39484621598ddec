import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { accountQuery, firingQuery } from '../api/queries.ts';
import type { Account } from '../api/types.ts';
import { ConfirmIdentity } from '../components/confirm-identity/confirm-identity.tsx';
import { ProblemNote } from '../components/problem-note.tsx';
import { PageSkeleton } from '../components/skeleton.tsx';
import { Toasts } from '../components/toasts.tsx';
import { texts } from '../texts/app/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { LiveIndicator } from './live/live-indicator.tsx';
import { useFollowing } from './live/use-live.ts';
import { PARTS } from './parts.ts';

/** Navigation, head and the place of the page. The page is there when it is known who is signed in. */
export function Frame() {
  const account = useQuery(accountQuery);
  useFollowing();
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {texts.frame.skip}
      </a>
      <Navigation isSignedIn={account.isSuccess} />
      <div className="frame-page">
        <header className="frame-head">
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

function Navigation({ isSignedIn }: { isSignedIn: boolean }) {
  const firing = useQuery({ ...firingQuery, enabled: isSignedIn });
  const count = firing.data?.data.length ?? 0;
  return (
    <nav className="frame-nav" aria-label={texts.frame.navigation}>
      <div className="frame-nav-inner">
        <Link to="/" className="brand">
          <span className="brand-mark" aria-hidden="true" />
          Picket
        </Link>
        <ul>
          {PARTS.flatMap(({ nav }) => (nav === null ? [] : [nav])).map(({ to, label, icon, isExact }) => (
            <li key={to}>
              <Link to={to} className="nav-link" activeOptions={{ exact: isExact, includeSearch: false }}>
                <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
                  <path
                    d={icon}
                    fill="none"
                    stroke="currentColor"
                    strokeWidth="1.5"
                    strokeLinejoin="round"
                    strokeLinecap="round"
                  />
                </svg>
                <span>{label}</span>
                {to === '/incidents' && count > 0 ? (
                  <span className="nav-count">
                    <span aria-hidden="true">{count}</span>
                    <span className="only-spoken">{texts.frame.firing(count)}</span>
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
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
