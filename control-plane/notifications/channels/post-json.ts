import { type SentRequest, withoutEchoes } from '../../../kernel/echoed-secrets.js';
import { GuardedFetchError } from '../../../kernel/fetch-failure.js';
import type { GuardedFetch, GuardedResponse } from '../../../kernel/guard/guarded-fetch.js';
import { readRetryAfter } from '../../../kernel/guard/retry-after.js';
import { cut } from '../../cut.js';
import type { Outcome } from '../delivery/retry.js';
import type { SendContext } from './channel.js';

/** Maximum length of an error, which can contain the start of the response body. */
const ERROR_CHARS_MAX = 300;
/** Responses of the 4xx class that are worth a retry. */
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 425, 429]);
const GONE = 410;

/** Returns the pause that a response body requests, in milliseconds; null without one. */
type RetryAfterOfBody = (body: unknown) => number | null;

/** Sends a POST request and returns its outcome. Only 2xx is success. Redirects are not followed. */
export async function postJson(
  fetch: GuardedFetch,
  url: string,
  post: { headers?: Record<string, string>; body: string; retryAfterOfBody?: RetryAfterOfBody },
  context: Pick<SendContext, 'attemptMs' | 'timeoutMs' | 'signal'>,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', ...post.headers };
  try {
    const response = await fetch.request(url, {
      method: 'POST',
      headers,
      body: post.body,
      timeoutMs: context.timeoutMs,
      signal: context.signal,
    });
    return outcomeOf(response, { url, headers }, context.attemptMs, post.retryAfterOfBody);
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const message = cut(`${error.code}: ${error.message}`, ERROR_CHARS_MAX);
    return error.code === 'blocked_target' || error.code === 'invalid_url'
      ? { kind: 'refused', error: message, responseStatus: null }
      : { kind: 'retry', error: message, responseStatus: null, retryAfterMs: null };
  }
}

function outcomeOf(
  response: GuardedResponse,
  sent: SentRequest,
  nowMs: number,
  retryAfterOfBody?: RetryAfterOfBody,
): Outcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: 'sent', responseStatus: status, warning: null };
  const error = describe(response, sent);
  if (status === GONE) return { kind: 'gone', error, responseStatus: status };
  if (status >= 400 && status < 500 && !RETRIED_4XX.has(status))
    return { kind: 'refused', error, responseStatus: status };
  const retryAfterMs =
    retryAfterOfBody?.(parsed(response.body)) ?? readRetryAfter(response.headers['retry-after'], nowMs);
  return { kind: 'retry', error, responseStatus: status, retryAfterMs };
}

function describe(response: GuardedResponse, sent: SentRequest): string {
  const body = withoutEchoes(response.body, sent)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const reason = response.status >= 300 && response.status < 400 ? ' (a redirect, not followed)' : '';
  return cut(`HTTP ${response.status}${reason}${body === '' ? '' : `: ${body}`}`, ERROR_CHARS_MAX);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A body that is not JSON requests no pause.
    return null;
  }
}

/** Reads a number of seconds from the field at this path, such as `retry_after` of Discord. */
export function secondsAt(...path: string[]): RetryAfterOfBody {
  return (body) => {
    let value: unknown = body;
    for (const field of path) {
      if (typeof value !== 'object' || value === null) return null;
      value = Object.entries(value).find(([name]) => name === field)?.[1];
    }
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1_000) : null;
  };
}
