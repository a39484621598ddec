import type { CustomFetch } from 'openid-client';
import type { GuardedFetch, GuardedRequest } from '../../../kernel/guard/guarded-fetch.js';

/** For one request to an identity provider, from the name resolution to the end of the body. */
const REQUEST_TIMEOUT_MS = 10_000;
const NO_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns the function through which openid-client sends every request, so that the target guard checks all of them:
 * a provider's metadata names further addresses, and owners of workspaces choose providers. Redirects are not followed,
 * and an answer that is longer than the guarded fetch reads is an error. Plain HTTP needs `allowHttp`.
 */
export function createOidcFetch({ fetch, allowHttp }: { fetch: GuardedFetch; allowHttp: boolean }): CustomFetch {
  return async (url, options) => {
    if (new URL(url).protocol !== 'https:' && !allowHttp)
      throw new Error('the provider names an address without https');
    const answer = await fetch.request(url, {
      method: methodOf(options.method),
      headers: options.headers,
      body: bodyOf(options.body),
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (answer.truncated) throw new Error('the answer of the provider is too long');
    const body = NO_BODY_STATUSES.has(answer.status) ? null : answer.body;
    const type = answer.headers['content-type'];
    return new Response(body, {
      status: answer.status,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  };
}

function methodOf(method: string): GuardedRequest['method'] {
  if (method === 'GET' || method === 'POST') return method;
  throw new Error(`unexpected method ${method}`);
}

function bodyOf(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('unexpected kind of body');
}
