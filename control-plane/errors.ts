/** Every error code a client can meet, with its HTTP status. The list is closed: `http/problem.ts` maps it once. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  unauthenticated: 401,
  second_factor_required: 401,
  key_expired: 401,
  key_revoked: 401,
  plan_limit: 402,
  insufficient_scope: 403,
  forbidden: 403,
  plan_required: 403,
  confirmation_required: 403,
  second_factor_setup_required: 403,
  single_sign_on_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_mismatch: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One thing that is wrong with the input; `path` is a JSON pointer into the body, or `/query/<name>`. */
export interface FieldError {
  path: string;
  message: string;
}

interface AppErrorExtra {
  errors?: FieldError[];
  /** With `conflict`, what is over the limits of a plan. */
  over_quota?: { name: string; limit: number; count: number; detail: string; examples: string[] }[];
  /** The scope that was missing, with `insufficient_scope`. */
  required_scope?: string;
  /** What the person can use, with `second_factor_required`. */
  second_factors?: readonly string[];
  /** Where the browser signs in, with `single_sign_on_required`. */
  sign_in_url?: string;
  /** Extra response headers: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The only error that carries a message for the client. Anything else becomes a bare 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly extra: AppErrorExtra;

  constructor(code: ErrorCode, detail: string, extra: AppErrorExtra = {}) {
    super(detail, { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.extra = extra;
  }
}

/** Also the answer for an object of another workspace: the two must not be told apart. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}.`);
}

/** 422 with every invalid field; `detail` has the first one. There is at least one. */
export function invalidFields(errors: readonly FieldError[], context = ''): AppError {
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${context}${first?.path || 'The body'} ${first?.message}${others}.`;
  return new AppError('validation_failed', detail, { errors: [...errors] });
}

/** 422 with one named field. */
export function invalidField(path: string, message: string): AppError {
  return invalidFields([{ path, message }]);
}
