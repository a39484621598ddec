/** The label of the link in mails that stops them. */
export const STOP_LABEL = 'Get no more e-mails of this workspace';

/**
 * Returns the headers with which mail clients offer to stop the mails by one click (RFC 8058): the client sends a POST
 * request without cookies to the URL. None without a URL.
 */
export function oneClickHeaders(stopUrl: string | null): Record<string, string> {
  if (stopUrl === null) return {};
  return { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
