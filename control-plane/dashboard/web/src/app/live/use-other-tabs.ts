import { useEffect } from 'react';
import { type LoadedFor, leaveFor, leaveIfOther } from '../../api/loaded-for.ts';
import { logInUrl } from '../../api/log-in-url.ts';
import { hearTabs } from '../../api/session-news.ts';
import { openTabs } from '../../api/tabs.ts';

/**
 * Tells the other tabs of the browser whom this page was loaded for, and loads this page again when a newer one was loaded
 * for another workspace or person. Hidden tabs learn it when they connect. Nobody who has logged out leaves pages behind.
 */
export function useOtherTabs({ workspaceId, userId }: LoadedFor): void {
  useEffect(() => {
    // Each installation of the origin has sessions of its own.
    const tabs = openTabs<LoadedFor>(`picket ${document.baseURI}`, (data) => {
      if (!document.hidden) leaveIfOther(data);
    });
    tabs.tell({ workspaceId, userId });
    const forget = hearTabs((news) => {
      if (news === 'logged out') leaveFor(logInUrl('logged_out_elsewhere'));
    });
    return () => {
      tabs.close();
      forget();
    };
  }, [workspaceId, userId]);
}
