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
  email_not_confirmed: 403,
  second_factor_setup_required: 403,
  single_sign_on_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  no_automatic_fix: 409,
  idempotency_mismatch: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What can be wrong with a field, for programs and for pages in other languages. `invalid`: only the message says it. */
export const FIELD_ERROR_CODES = [
  ...(['invalid', 'required', 'empty', 'unknown_field', 'one_of', 'type', 'format', 'named_format', 'id'] as const),
  ...(['min', 'max', 'above', 'below', 'multiple_of', 'min_length', 'max_length', 'min_items', 'max_items'] as const),
  ...(['timestamp', 'order', 'past', 'future', 'controls', 'spaces', 'duplicate', 'too_large', 'other_type'] as const),
  ...(['web_address', 'host_and_port', 'host', 'port', 'private_address', 'user_info', 'public_target'] as const),
  ...(['forward_target', 'unknown_location', 'unknown_channel', 'more_than_locations', 'header_name'] as const),
  ...([
    'header_of_probe',
    'needs_body',
    'unknown_metric',
    'weak_password',
    'wrong',
    'ended_link',
    'send_again',
  ] as const),
  ...(['same_password', 'needs_field', 'not_with', 'not_of_operation', 'too_many'] as const),
  ...(['issuer', 'needs_openid', 'maps_to_owner', 'needs_break_glass', 'break_glass'] as const),
  ...(['certificate', 'name_of_workspace', 'ambiguous_name', 'plan_limit', 'changed', 'deleted'] as const),
  ...(['same_change', 'exists', 'secrets_lost', 'not_written', 'channels_gone', 'notifies_nobody', 'in_use'] as const),
  ...(['reduced', 'first_only', 'one_status', 'unsupported'] as const),
] as const;
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** The facts of a code, such as the limit of `min`. */
export type FieldErrorParams = Record<string, string | number | string[]>;

/** One thing that is wrong with the input; `path` is a JSON pointer into the body, or `/query/<name>`. */
export interface FieldError {
  path: string;
  message: string;
  /** Without one, a response has `invalid`. */
  code?: FieldErrorCode;
  params?: FieldErrorParams;
}

interface AppErrorExtra {
  errors?: FieldError[];
  /** With `conflict`, what is over the limits of a plan. */
  over_quota?: { name: string; limit: number; count: number; detail: string; examples: string[] }[];
  /** With `conflict`, what names the thing that was to be deleted; `total` counts those too that are not in `items`. */
  used_by?: { total: number; items: readonly { type: string; id: string; name: string }[] };
  /** The scope that was missing, with `insufficient_scope`. */
  required_scope?: string;
  /** The roles that may do it, with `forbidden` when the role is too low. */
  required_roles?: readonly string[];
  /** With `forbidden`: whoever asked has no right to it, whatever they send. Not in the response. */
  missing_right?: true;
  /** What the person can use, with `second_factor_required`. */
  second_factors?: readonly string[];
  /** Where the browser logs in, with `single_sign_on_required`. */
  sign_in_url?: string;
  /** Extra response headers: `Allow`, `Location`, `Retry-After`, `WWW-Authenticate`. */
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
export function invalidField(
  path: string,
  message: string,
  code: FieldErrorCode = 'invalid',
  params?: FieldErrorParams,
): AppError {
  return invalidFields([{ path, message, code, ...(params === undefined ? {} : { params }) }]);
}
