import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../../api/queries.ts';
import { ConfirmIdentity } from '../../components/confirm-identity/confirm-identity.tsx';
import { LoggedOut } from '../../components/logged-out/logged-out.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ExactTimes } from '../../components/time/exact-times.tsx';
import { Toasts } from '../../components/toasts.tsx';
import { texts } from '../../texts/app/texts.ts';
import { useWayBack } from '../history/use-way-back.ts';
import { LiveIndicator } from '../live/live-indicator.tsx';
import { useFollowing } from '../live/use-live.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './nav.tsx';
import { isNavNarrow, keepNavNarrow } from './nav-width.ts';
import { FrameTools } from './tools.tsx';
import { UnconfirmedEmail } from './unconfirmed-email.tsx';

/** Navigation, head and the place of the page. The page is there when it is known who is logged in. */
export function Frame() {
  // What is known stays when it cannot be read again, so that a page keeps what was typed.
  const { data: account, error, refetch } = useQuery(accountQuery);
  const [isNarrow, setNarrow] = useState(isNavNarrow);
  useFollowing();
  useWayBack();
  const toggle = () => {
    keepNavNarrow(!isNarrow);
    setNarrow(!isNarrow);
  };
  return (
    <div className={isNarrow ? 'frame frame-narrow' : 'frame'}>
      <a className="skip" href="#content">
        {texts.frame.skip}
      </a>
      <Navigation isSignedIn={account !== undefined} isNarrow={isNarrow} toggle={toggle} />
      <div className="frame-page">
        <header className="frame-head">
          {account === undefined ? null : <FrameTools account={account} />}
          <LiveIndicator />
          {account === undefined ? null : <AccountMenu />}
        </header>
        <main id="content" tabIndex={-1}>
          {account === undefined ? (
            <UnreadPage error={error} retry={() => void refetch()} />
          ) : (
            <>
              <UnconfirmedEmail account={account} />
              <Outlet />
            </>
          )}
        </main>
      </div>
      <ExactTimes />
      <Toasts />
      <ConfirmIdentity />
      <LoggedOut />
    </div>
  );
}
