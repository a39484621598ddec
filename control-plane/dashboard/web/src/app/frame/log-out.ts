import { useMutation } from '@tanstack/react-query';
import { ApiProblem, sendOnce } from '../../api/client.ts';
import { leaveFor } from '../../api/loaded-for.ts';
import { whileLoggingOut } from '../../api/session-end.ts';
import { tellTabs } from '../../api/session-news.ts';

/** Returns the mutation that ends the session and opens the log-in page, here and in the other tabs. */
export function useLogOut() {
  return useMutation({
    mutationFn: () => whileLoggingOut(logOut()),
  });
}

async function logOut(): Promise<void> {
  try {
    await sendOnce('POST', '/v1/auth/logout');
  } catch (error) {
    // Who has no session any more is logged out, too.
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
  }
  leaveFor(new URL('login', document.baseURI).href);
  tellTabs('logged out');
}
