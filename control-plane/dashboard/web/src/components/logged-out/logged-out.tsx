import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiProblem, sendOnce } from '../../api/client.ts';
import { loadedFor } from '../../api/loaded-for.ts';
import { logInElsewhereUrl } from '../../api/log-in-url.ts';
import { apiPath } from '../../api/path.ts';
import { answerLogIn, logInAgain } from '../../api/session-end.ts';
import { hearTabs } from '../../api/session-news.ts';
import { Dialog } from '../dialog.tsx';
import { problemText } from '../problem-note.tsx';
import { texts } from './texts/texts.ts';

/** The place of the question to log in again, above a page whose session has ended. */
export function LoggedOut() {
  const question = useSyncExternalStore(logInAgain.subscribe, logInAgain.current);
  return (
    <Dialog title={texts.title} isOpen={question !== null} close={() => answerLogIn(false)}>
      <LogInAgain />
    </Dialog>
  );
}

/**
 * The log-in is another tab's, because it has pages of its own: second factor, passkey, the identity provider. This page
 * goes on as soon as the person comes back from there.
 */
function LogInAgain() {
  const [isLooking, setLooking] = useState(false);
  const [said, setSaid] = useState('');
  const look = useCallback(async (isAsked: boolean) => {
    if (isAsked) setLooking(true);
    try {
      const isElsewhere = await isInOtherWorkspace();
      // Other tabs follow, so nothing is switched before the person says so.
      if (isElsewhere && !isAsked) return setSaid(texts.elsewhere);
      if (isElsewhere) await switchBack();
      answerLogIn(true);
    } catch (error) {
      const isLoggedOut = error instanceof ApiProblem && error.status === 401;
      if (isAsked) setSaid(isLoggedOut ? texts.notYet : problemText(error));
    } finally {
      if (isAsked) setLooking(false);
    }
  }, []);
  useEffect(() => {
    const comeBack = () => {
      if (!document.hidden) void look(false);
    };
    window.addEventListener('focus', comeBack);
    document.addEventListener('visibilitychange', comeBack);
    const forget = hearTabs(comeBack);
    return () => {
      window.removeEventListener('focus', comeBack);
      document.removeEventListener('visibilitychange', comeBack);
      forget();
    };
  }, [look]);
  return (
    <>
      <p>{texts.lead}</p>
      <p role="status" className={said === '' ? 'only-spoken' : 'note'}>
        {isLooking ? texts.checking : said}
      </p>
      <div className="page-actions">
        <Button component="a" href={logInElsewhereUrl()} target="_blank" rel="noopener">
          {texts.logIn}
        </Button>
        {/* It stays one that can be pressed, so that it keeps the focus. */}
        <Button variant="default" onClick={() => (isLooking ? undefined : void look(true))}>
          {texts.goOn}
        </Button>
        <Button variant="default" onClick={() => answerLogIn(false)}>
          {texts.stay}
        </Button>
      </div>
    </>
  );
}

/** Throws ApiProblem, also without a session. A log-in opens the workspace that the person last used on any device. */
async function isInOtherWorkspace(): Promise<boolean> {
  try {
    await sendOnce('GET', '/v1/auth/me');
    return false;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) return true;
    throw error;
  }
}

async function switchBack(): Promise<void> {
  const { workspaceId = '' } = loadedFor() ?? {};
  await sendOnce('POST', apiPath`/v1/auth/workspaces/${workspaceId}/switch`, { isForAny: true });
}
