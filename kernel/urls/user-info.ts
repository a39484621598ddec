/** The scheme of a URL and its user info: everything up to the last `@` before the path. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/** Returns the user name and password of a URL as they are written; null when it has none. */
export function userInfoOf(url: string): string | null {
  return USER_INFO.exec(url)?.[2] ?? null;
}

/** Returns the URL with this user info in place of its own. A URL without user info stays unchanged. */
export function withUserInfo(url: string, userInfo: string): string {
  return url.replace(USER_INFO, (_all, scheme: string) => `${scheme}${userInfo}@`);
}

/** Returns the URL without its user info. */
export function withoutUserInfo(url: string): string {
  return url.replace(USER_INFO, '$1');
}
