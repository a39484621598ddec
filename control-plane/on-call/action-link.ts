import type { ActionLink } from '../notifications/notifications.js';
import type { SecretBox } from '../storage/secret-box.js';
import { createLinkTokens } from './link-token.js';

/** The path of the page, below the public URL. */
export const PAGE_PATH = '/on-call';
/** The token is in the query, because logs have the path of a request. */
export const TOKEN_PARAMETER = 't';

/** `publicUrl` is without a slash at the end. The links are 107 characters longer. */
export function createActionLink(box: Pick<SecretBox, 'fingerprint'>, publicUrl: string): ActionLink {
  const tokens = createLinkTokens(box);
  return ({ atMs, ...of }) => {
    const token = tokens.sign({ ...of, issuedAtMs: atMs });
    return `${publicUrl}${PAGE_PATH}?${TOKEN_PARAMETER}=${token}`;
  };
}
