import { createHash } from 'node:crypto';
import { sessionCookie, sessionCookieName } from '../http/client/session-cookie.js';

/**
 * How long a browser keeps the cookie: the most that browsers allow. The stored session decides how long it is valid,
 * and use makes it valid for longer, so the cookie must not end first.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.5
 */
const COOKIE_MAX_AGE_S = 400 * 24 * 3_600;

/** The base64url of 32 bytes. Nothing else is looked up. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Reads and writes the session cookie of an installation. */
export interface SessionCookies {
  /** Returns the hash of the token in a `Cookie` header; null without a well-formed token. */
  hashIn(header: string | null): string | null;
  /** Returns the `Set-Cookie` value that signs a browser in. */
  set(token: string): string;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  remove(): string;
}

export function createSessionCookies(publicUrl: string): SessionCookies {
  const start = `${sessionCookieName(publicUrl)}=`;
  return {
    hashIn(header) {
      const pair = (header ?? '').split(';').find((part) => part.trimStart().startsWith(start));
      const token = pair?.trim().slice(start.length) ?? '';
      return TOKEN_PATTERN.test(token) ? tokenHash(token) : null;
    },
    set: (token) => sessionCookie(publicUrl, token, COOKIE_MAX_AGE_S),
    remove: () => sessionCookie(publicUrl, '', 0),
  };
}

/** Returns the hash that is stored of a session token. With 256 random bits no slow hash is needed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
