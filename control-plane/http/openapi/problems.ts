import { AppError, ERROR_STATUS, type ErrorCode } from '../../errors.js';
import { EMAIL_NOT_CONFIRMED } from '../access.js';
import { FieldErrorSchema } from '../input/field-error-schema.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../problem.js';
import { type Route, takesVersion } from '../route.js';

type Json = Record<string, unknown>;

/** Returns the error responses of a route by status, each a reference into `problemComponents`. */
export function problemReplies(route: Route): Json {
  const replies = [...byStatus(errorCodes(route))].map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${componentName(codes)}` },
  ]);
  return Object.fromEntries(replies);
}

/**
 * Returns one component for each set of codes that a route has under one status. `headers` are those of every response.
 */
export function problemComponents(routes: readonly Route[], headers: Json): Json {
  const components: Json = {};
  for (const route of routes) {
    for (const [status, codes] of byStatus(errorCodes(route))) {
      components[componentName(codes)] ??= problemReply(status, codes, headers);
    }
  }
  return components;
}

/** Returns the error codes that a route can answer with, derived from its declaration. */
function errorCodes(route: Route): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(['invalid_request', 'rate_limited', 'internal', 'unavailable', 'validation_failed']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.access !== 'public') addOfAccess(route, add);
  if (route.params !== undefined || route.access === 'operator') add('not_found');
  if (route.method !== 'GET') add('invalid_json', 'payload_too_large', 'unsupported_media_type');
  if (route.method === 'POST' && route.access !== 'public') add('idempotency_mismatch');
  if (takesVersion(route)) add('precondition_failed');
  add(...(route.errors ?? []));
  return codes;
}

function addOfAccess({ access, method, fresh, confirmedEmail }: Route, add: (...codes: ErrorCode[]) => void): void {
  // A page that was loaded for another workspace or person, see `LOADED_FOR`.
  add('unauthenticated', 'key_expired', 'key_revoked', 'conflict');
  if (access === 'person' || access === 'session') add('forbidden');
  else if (access !== 'any' && access !== 'operator') add('insufficient_scope', 'forbidden');
  // A page of another site makes a browser send it with the cookie of a person.
  if (method !== 'GET') add('forbidden');
  if (access !== 'person' && access !== 'session' && !(access === 'any' && method === 'GET'))
    add('second_factor_setup_required', 'single_sign_on_required');
  if (fresh === true) add('confirmation_required');
  if (confirmedEmail === true) add('email_not_confirmed');
}

function byStatus(codes: ReadonlySet<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  // In the order of ERROR_STATUS, so that a set of codes always gets the same name.
  for (const code of (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((known) => codes.has(known))) {
    groups.set(ERROR_STATUS[code], [...(groups.get(ERROR_STATUS[code]) ?? []), code]);
  }
  return groups;
}

function componentName(codes: readonly ErrorCode[]): string {
  return codes.join('-or-');
}

function problemReply(status: number, codes: readonly ErrorCode[], headers: Json): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: problemOf(example(code), EXAMPLE_ID) }]));
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: { ...headers, ...(HEADERS[status] ?? {}) },
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}

const RETRY_AFTER = {
  description: 'Seconds to wait before the next attempt.',
  schema: { type: 'integer', minimum: 0 },
};

/** Headers of some statuses. Those without `required` can be absent. */
const HEADERS: Partial<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { required: true, description: '`Bearer …`, RFC 6750.', schema: { type: 'string' } } },
  409: { 'Retry-After': RETRY_AFTER },
  412: { ETag: { description: 'The present version of the object.', schema: { type: 'string' } } },
  416: {
    'Content-Range': {
      required: true,
      description: 'The size of the file: `bytes */124031`.',
      schema: { type: 'string' },
    },
  },
  429: { 'Retry-After': { ...RETRY_AFTER, required: true } },
  503: { 'Retry-After': { ...RETRY_AFTER, required: true } },
};

const EXAMPLE_ID = 'req_8d5f0c2e9a7b4c31d6e2f0a1';

const DETAILS: Record<ErrorCode, string> = {
  invalid_json: 'The body is not valid JSON.',
  invalid_request: 'The header authorization is repeated.',
  unauthenticated: 'Log in, or send an API key: Authorization: Bearer pk_live_...',
  second_factor_required: 'Send a second factor too: totp or recovery_code.',
  key_expired: 'This API key has expired.',
  key_revoked: 'This API key has been revoked.',
  plan_limit: 'The Free plan allows 20 monitors. The Pro plan allows 200 monitors.',
  insufficient_scope: 'This key does not have the scope monitors:write.',
  forbidden: 'Your role is viewer. This needs the role owner, admin or member.',
  plan_required: 'Keys with scopes need the Enterprise plan.',
  confirmation_required: 'Confirm that it is you first: POST /v1/auth/confirm.',
  email_not_confirmed: EMAIL_NOT_CONFIRMED,
  second_factor_setup_required: 'This workspace requires a second factor. Set one up first.',
  single_sign_on_required: 'This workspace requires single sign-on. Log in again with it.',
  not_found: 'No such monitor.',
  method_not_allowed: 'This path does not support PUT.',
  conflict: 'The first request with this Idempotency-Key is still in progress.',
  no_automatic_fix: 'Picket has no automatic fix for this check.',
  idempotency_mismatch: 'This Idempotency-Key was used with another request.',
  gone: 'The report could not be generated: the workspace has more than 1,000 monitors.',
  precondition_failed: 'The object has changed since you read it. Read it again and retry with its new ETag.',
  payload_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body must be application/json, not text/plain.',
  range_not_satisfiable: 'The file has 124,031 bytes. Request a range within it.',
  validation_failed: '/colour is not a known field.',
  rate_limited: 'The limit for each API key is 60 requests per minute.',
  internal: 'An internal error occurred. The operator can find it in the log by the request id.',
  unavailable: 'The database is unavailable. Retry in a few seconds.',
};

function example(code: ErrorCode): AppError {
  if (code === 'validation_failed') {
    return new AppError(code, DETAILS[code], {
      errors: [{ path: '/colour', message: 'is not a known field', code: 'unknown_field' }],
    });
  }
  if (code === 'second_factor_required') {
    return new AppError(code, DETAILS[code], { second_factors: ['totp', 'recovery_code'] });
  }
  if (code === 'forbidden') return new AppError(code, DETAILS[code], { required_roles: ['owner', 'admin', 'member'] });
  return new AppError(code, DETAILS[code], code === 'insufficient_scope' ? { required_scope: 'monitors:write' } : {});
}

export const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description: 'A problem document after RFC 9457. Programs should use `code`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', examples: ['urn:picket:problem:not_found'] },
    title: { type: 'string', examples: ['Not found'] },
    status: { type: 'integer', examples: [404] },
    detail: { type: 'string', description: 'What happened, for people to read.', examples: ['No such monitor.'] },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), examples: ['not_found'] },
    request_id: { type: 'string', examples: [EXAMPLE_ID] },
    errors: {
      type: 'array',
      description: 'With `validation_failed`: every error in the input.',
      items: FieldErrorSchema,
    },
    over_quota: {
      type: 'array',
      description:
        'With `conflict`: what would be over the limits of the plan. Repeat the request with `accept_over_quota`.',
      items: {
        type: 'object',
        required: ['name', 'limit', 'count', 'detail', 'examples'],
        properties: {
          name: { type: 'string', description: 'For `accept_over_quota`.', examples: ['monitor_interval'] },
          limit: { type: 'integer', description: 'The limit of the plan.', examples: [60] },
          count: { type: 'integer', description: 'How many things are over it.', examples: [12] },
          detail: { type: 'string', examples: ['12 monitors check more often than every 60 s.'] },
          examples: { type: 'array', description: 'Names of some of them.', items: { type: 'string' } },
        },
        additionalProperties: false,
      },
    },
    used_by: {
      type: 'object',
      description:
        'With `conflict`: what names the thing that was to be deleted. Repeat the request with `detach=true` to remove it from them.',
      required: ['total', 'items'],
      properties: {
        total: { type: 'integer', examples: [12] },
        items: {
          type: 'array',
          description: 'The first 100 that you may read.',
          items: {
            type: 'object',
            required: ['type', 'id', 'name'],
            properties: {
              type: { type: 'string', description: '`monitor`, `alert_rule` or `incident`.', examples: ['monitor'] },
              id: { type: 'string', examples: ['mon_01kf5e6q0h3v8r2m9x4t7c1z5n'] },
              name: { type: 'string', examples: ['Shop'] },
            },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
    required_scope: { type: 'string', description: 'With `insufficient_scope`.', examples: ['monitors:write'] },
    required_roles: {
      type: 'array',
      description: 'With `forbidden` when the role of the person is too low: the roles that may do it.',
      items: { type: 'string' },
    },
    sign_in_url: {
      type: 'string',
      description: 'Can be there with `single_sign_on_required`: the address that a browser opens to log in.',
    },
    second_factors: {
      type: 'array',
      description: 'With `second_factor_required`: what the person can use, `totp`, `passkey` or `recovery_code`.',
      items: { type: 'string' },
    },
  },
  additionalProperties: false,
};
