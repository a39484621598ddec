import { BlockedTarget } from './guard/guarded-lookup.js';

/** Why there is no response. Retrying after `blocked_target` and `invalid_url` does not help. */
export type GuardedFetchFailure =
  | 'invalid_url'
  | 'blocked_target'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'timeout'
  | 'aborted'
  | 'tls'
  | 'protocol';

export class GuardedFetchError extends Error {
  readonly code: GuardedFetchFailure;

  constructor(code: GuardedFetchFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GuardedFetchError';
    this.code = code;
  }
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** Returns the error for a request that `signal` may have aborted. */
export function classifyFailure(error: unknown, signal: AbortSignal, timeoutMs: number): GuardedFetchError {
  if (signal.aborted) {
    return signal.reason === 'timeout'
      ? new GuardedFetchError('timeout', `no complete response within ${timeoutMs} ms`, error)
      : new GuardedFetchError('aborted', 'aborted before the response was complete', error);
  }
  const cause = innermostCause(error);
  if (cause instanceof BlockedTarget) return new GuardedFetchError('blocked_target', cause.message, error);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const message = code === '' || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`;
  return new GuardedFetchError(failureOf(code), message, error);
}

function failureOf(code: string): GuardedFetchFailure {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'dns_failure';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection_reset';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (TLS_CODE.test(code)) return 'tls';
  return 'protocol';
}

/** Returns what caused the failure: the code `ECONNREFUSED`, or the name of an error without one. */
export function causeNameOf(error: GuardedFetchError): string {
  const cause = innermostCause(error.cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

const CAUSES_MAX = 8;

/** Returns the innermost cause. undici wraps errors, and reports several failed addresses as one AggregateError. */
function innermostCause(error: unknown): Error {
  let current = error instanceof Error ? error : new Error(String(error));
  for (let depth = 0; depth < CAUSES_MAX; depth++) {
    const inner = current instanceof AggregateError ? current.errors[0] : current.cause;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  return current;
}
