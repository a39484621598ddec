import type { ControlPlane } from '../processes/control-plane.js';

export interface PersonAnswer {
  status: number;
  /** Parsed JSON; null without a body. */
  body: ReturnType<typeof JSON.parse>;
  headers: Headers;
  durationMs: number;
}

/** A browser of one person: it keeps its session cookie, and sends no API key. */
export interface PersonClient {
  /** The `Cookie` header; empty before the sign-in. */
  readonly cookie: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<PersonAnswer>;
}

export function personClient({ url }: Pick<ControlPlane, 'url'>): PersonClient {
  let cookie = '';
  return {
    get cookie() {
      return cookie;
    },
    async send(method, path, body, headers = {}) {
      const startedMs = performance.now();
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const durationMs = performance.now() - startedMs;
      const set = response.headers.getSetCookie()[0];
      if (set !== undefined) cookie = set.split(';')[0] ?? '';
      return {
        status: response.status,
        body: text === '' ? null : JSON.parse(text),
        headers: response.headers,
        durationMs,
      };
    },
  };
}
