/** Why a person is on the log-in page, if they did not want to go there. */
export type LogInReason = 'session_ended' | 'logged_out_elsewhere';

/** Returns the URL of the log-in page, which says why one is there and comes back to this page. */
export function logInUrl(reason: LogInReason | null): string {
  const base = new URL(document.baseURI).pathname;
  const here = location.pathname.slice(base.length - 1) + location.search;
  const query = new URLSearchParams({ next: here, ...(reason === null ? {} : { reason }) });
  return new URL(`login?${query}`, document.baseURI).href;
}

/** Returns the URL of the log-in page for another tab, which in the end says that this one can go on. */
export function logInElsewhereUrl(): string {
  return new URL(`login?${new URLSearchParams({ next: '/logged-in' })}`, document.baseURI).href;
}
