import { type GuardedFetch, GuardedFetchError, type GuardedResponse } from '../../../kernel/guarded-fetch.js';
import type { Outcome } from '../delivery/retry.js';
import type { SendContext } from './channel.js';
import { cut } from './cut.js';

/** How much of a refusal's body goes into the error, for whoever reads the incident. */
const ERROR_CHARS_MAX = 300;
/** Statuses that say "later", though they are of the 4xx family. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);
const GONE = 410;

/** The pause that a response's body asks for, in milliseconds; null when it says nothing. */
type RetryAfterOfBody = (body: unknown) => number | null;

/** Posts through the guard and says what came of it. Only 2xx is success; a redirect is not followed. */
export async function postJson(
  fetch: GuardedFetch,
  url: string,
  post: { headers?: Record<string, string>; body: string; retryAfterOfBody?: RetryAfterOfBody },
  context: SendContext,
): Promise<Outcome> {
  try {
    const response = await fetch.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...post.headers },
      body: post.body,
      timeoutMs: context.timeoutMs,
      signal: context.signal,
    });
    return outcomeOf(response, context.attemptMs, post.retryAfterOfBody);
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const message = cut(`${error.code}: ${error.message}`, ERROR_CHARS_MAX);
    return error.code === 'blocked_target' || error.code === 'invalid_url'
      ? { kind: 'refused', error: message, responseStatus: null }
      : { kind: 'retry', error: message, responseStatus: null, retryAfterMs: null };
  }
}

function outcomeOf(response: GuardedResponse, nowMs: number, ofBody?: RetryAfterOfBody): Outcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: 'sent', responseStatus: status, note: null };
  const error = describe(response);
  if (status === GONE) return { kind: 'gone', error, responseStatus: status };
  if (status >= 400 && status < 500 && !LATER.has(status)) return { kind: 'refused', error, responseStatus: status };
  const retryAfterMs = ofBody?.(parsed(response.body)) ?? retryAfter(response.headers['retry-after'], nowMs);
  return { kind: 'retry', error, responseStatus: status, retryAfterMs };
}

function describe(response: GuardedResponse): string {
  const said = response.body.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const reason = response.status >= 300 && response.status < 400 ? ' (a redirect, not followed)' : '';
  return cut(`HTTP ${response.status}${reason}${said === '' ? '' : `: ${said}`}`, ERROR_CHARS_MAX);
}

/** RFC 9110: seconds, or a date. */
function retryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A body that is not JSON asks for nothing.
    return null;
  }
}

/** A number of seconds at a path of members, e.g. Discord's `retry_after`, in milliseconds. */
export function secondsAt(...path: string[]): RetryAfterOfBody {
  return (body) => {
    let value: unknown = body;
    for (const member of path) {
      if (typeof value !== 'object' || value === null) return null;
      value = Object.entries(value).find(([name]) => name === member)?.[1];
    }
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1_000) : null;
  };
}
