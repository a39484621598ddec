import { withQueryValues } from './query-values.js';
import { withUserInfo } from './user-info.js';

/** Stands for a secret in a URL. */
const MASK = '***';
const SHORT_MASK = '…';
const SHOWN_CHARS = 4;
/** Of a shorter secret nothing is shown, because the last characters would be a large part of it. */
const SHOWN_OF_CHARS_MIN = 16;

/**
 * Returns a URL that people monitor, as those see it who may not change it: with masks in place of user name, password
 * and the values of the query, which are often tokens.
 */
export function shownUrl(url: string): string {
  return withQueryValues(withUserInfo(url, MASK), () => MASK);
}

/**
 * Returns the address of a receiver as those see it who may not change it. The path of a webhook is as good as a password, so
 * only host and last characters remain. Of other text, such as a topic, the last characters remain, if it is long enough.
 */
export function shownReceiver(text: string): string {
  if (!/^https?:\/\//i.test(text)) return shownEnd(text);
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const isOriginOnly = `${username}${password}${pathname}${search}${hash}` === '/';
  return isOriginOnly ? `${protocol}//${host}` : `${protocol}//${host}/${shownEnd(`${pathname}${search}${hash}`)}`;
}

function shownEnd(text: string): string {
  return text.length < SHOWN_OF_CHARS_MIN ? SHORT_MASK : `${SHORT_MASK}${text.slice(-SHOWN_CHARS)}`;
}
