/**
 * Returns the address of a page of the dashboard, with a token for it. The token is in the fragment, which browsers
 * send to no server: it is in no access log and in no `Referer`.
 */
export function mailLink(publicUrl: string, path: `/${string}`, token?: string): string {
  return token === undefined ? `${publicUrl}${path}` : `${publicUrl}${path}#token=${encodeURIComponent(token)}`;
}
