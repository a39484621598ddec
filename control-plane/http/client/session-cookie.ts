/**
 * Returns the name of the session cookie. Behind https it has the prefix `__Host-`, with which browsers accept the cookie
 * only from this host itself over https, so that no other host of the domain can plant one.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2
 */
export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-picket_session' : 'picket_session';
}

/**
 * Returns a `Set-Cookie` value that keeps a session token, or removes it with `maxAgeS` 0. Scripts cannot read the cookie,
 * and browsers send it only with requests that start on the site itself, or that open it.
 */
export function sessionCookie(publicUrl: string, token: string, maxAgeS: number): string {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${sessionCookieName(publicUrl)}=${token}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
