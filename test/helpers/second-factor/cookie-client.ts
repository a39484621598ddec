import type { ApiAnswer } from '../processes/product.js';

/** A program that keeps the session cookie of its answers, like a browser. */
export interface CookieClient {
  /** `plane` is the URL of the control plane; all control planes of an installation share the cookie. */
  call(
    plane: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer>;
}

export function cookieClient(): CookieClient {
  let cookie = '';
  return {
    async call(plane, method, path, body, headers = {}) {
      const response = await fetch(`${plane}${path}`, {
        method,
        headers: { cookie, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const [set] = response.headers.getSetCookie();
      if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
    },
  };
}
