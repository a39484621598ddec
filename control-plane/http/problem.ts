import type { Middleware } from 'koa';
import type { Logger } from '../../kernel/logger.js';
import { AppError, ERROR_STATUS, type ErrorCode } from '../errors.js';
import { printable } from '../printable.js';
import { isContention } from '../storage/transaction.js';
import { isDatabaseUnavailable } from '../storage/unavailable.js';
import { boundedErrors, type CodedError } from './input/error-limits.js';
import { loggedPath } from './mount.js';
import { requestIdOf } from './state.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Titles for people. Programs use `code`. */
const TITLES: Record<ErrorCode, string> = {
  invalid_json: 'Body is not valid JSON',
  invalid_request: 'Malformed request',
  unauthenticated: 'Not authenticated',
  second_factor_required: 'Second factor required',
  key_expired: 'API key expired',
  key_revoked: 'API key revoked',
  plan_limit: 'Plan limit reached',
  insufficient_scope: 'Insufficient scope',
  forbidden: 'Forbidden',
  plan_required: 'Not part of the plan',
  confirmation_required: 'Confirmation required',
  email_not_confirmed: 'E-mail address not confirmed',
  second_factor_setup_required: 'Second factor not set up',
  single_sign_on_required: 'Single sign-on required',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  no_automatic_fix: 'No automatic fix',
  idempotency_mismatch: 'Idempotency-Key used with another request',
  gone: 'Gone',
  precondition_failed: 'Precondition failed',
  payload_too_large: 'Payload too large',
  unsupported_media_type: 'Unsupported media type',
  range_not_satisfiable: 'Range not satisfiable',
  validation_failed: 'Validation failed',
  rate_limited: 'Too many requests',
  internal: 'Internal error',
  unavailable: 'Temporarily unavailable',
};

/** An RFC 9457 problem document. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  errors?: CodedError[];
  required_scope?: string;
  required_roles?: readonly string[];
  over_quota?: AppError['extra']['over_quota'];
  used_by?: AppError['extra']['used_by'];
  second_factors?: readonly string[];
  sign_in_url?: string;
}

const UNAVAILABLE_RETRY_S = 2;
/** A detail can quote a name from the request. */
const DETAIL_CHARS_MAX = 1_000;

/** Returns the error to show to the client. The message of an error that is not an `AppError` is never shown. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isContention(error)) {
    const detail = 'Too many requests changed the same at the same time. Retry in a few seconds.';
    return new AppError('unavailable', detail, {
      headers: { 'Retry-After': String(UNAVAILABLE_RETRY_S) },
      cause: error,
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', 'The database is unavailable. Retry in a few seconds.', {
      headers: { 'Retry-After': String(UNAVAILABLE_RETRY_S) },
      cause: error,
    });
  }
  return new AppError(
    'internal',
    'An internal error occurred. The operator can find it in the log by the request id.',
    {
      cause: error,
    },
  );
}

/** Returns the problem document of an error. It is smaller than 64 KiB, whatever the error quotes of the request. */
export function problemOf(error: AppError, requestId: string): Problem {
  return {
    type: `urn:picket:problem:${error.code}`,
    title: TITLES[error.code],
    status: ERROR_STATUS[error.code],
    detail: printable(error.message, DETAIL_CHARS_MAX),
    code: error.code,
    request_id: requestId,
    ...(error.extra.errors === undefined ? {} : { errors: boundedErrors(error.extra.errors) }),
    ...(error.extra.over_quota === undefined ? {} : { over_quota: error.extra.over_quota }),
    ...(error.extra.used_by === undefined ? {} : { used_by: error.extra.used_by }),
    ...(error.extra.required_scope === undefined ? {} : { required_scope: error.extra.required_scope }),
    ...(error.extra.required_roles === undefined ? {} : { required_roles: error.extra.required_roles }),
    ...(error.extra.sign_in_url === undefined ? {} : { sign_in_url: error.extra.sign_in_url }),
    ...(error.extra.second_factors === undefined ? {} : { second_factors: error.extra.second_factors }),
  };
}

/** Returns the middleware that answers with a problem document when a later step throws. */
export function problems(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      const requestId = requestIdOf(ctx);
      const status = ERROR_STATUS[error.code];
      if (error.code === 'internal' || (status >= 500 && thrown !== error)) {
        logger.error({ err: thrown, request_id: requestId, method: ctx.method, path: loggedPath(ctx) }, error.code);
      }
      ctx.status = status;
      for (const [name, value] of Object.entries(error.extra.headers ?? {})) ctx.set(name, value);
      if (status === 401) ctx.set('WWW-Authenticate', wwwAuthenticate(error.code));
      ctx.set('Cache-Control', 'no-store');
      ctx.set('Content-Type', PROBLEM_MEDIA_TYPE);
      ctx.body = JSON.stringify(problemOf(error, requestId));
    }
  };
}

/** Returns the challenge of RFC 6750, which names an invalid credential `invalid_token`. */
function wwwAuthenticate(code: ErrorCode): string {
  const isInvalid = code === 'key_expired' || code === 'key_revoked';
  return isInvalid ? 'Bearer realm="picket", error="invalid_token"' : 'Bearer realm="picket"';
}
