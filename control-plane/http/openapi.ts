import { type TSchema, Type } from 'typebox';
import { AppError, ERROR_STATUS, type ErrorCode } from '../errors.js';
import { closedSchema } from './closed-schema.js';
import { exampleOf } from './openapi-example.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';
import { type Route, readRoute } from './route.js';

type Json = { [member: string]: unknown };

const RATE_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
};

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Builds the OpenAPI 3.1 document of the routes, from the very schemas that validate their requests. */
export function openApiDocument(routes: readonly Route[], about: { version: string; publicUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operation(route);
    paths[route.path] = operations;
  }
  const codes = new Set(routes.flatMap((route) => [...errorCodes(route)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Picket',
      version: about.version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.publicUrl.replace(/\/+$/, '') }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))]
      .sort((a, b) => a.localeCompare(b, 'en'))
      .map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `pk_live_…`.' },
      },
      schemas: { Problem: PROBLEM_SCHEMA },
      headers: {
        'X-Request-Id': {
          description: 'The id of this request, the client’s own where it sent one.',
          schema: { type: 'string' },
        },
        'RateLimit-Limit': integer('Requests a minute.'),
        'RateLimit-Remaining': integer('Requests left in this minute.'),
        'RateLimit-Reset': integer('Seconds until the minute is over.'),
      },
      responses: Object.fromEntries(
        [...groupByStatus(codes)].map(([status, of]) => [`Problem${status}`, problemResponse(of)]),
      ),
    },
  };
}

/** Adds the route that serves the document; it is built once, of all routes and that one. */
export function withOpenApiRoute(routes: readonly Route[], about: { version: string; publicUrl: string }): Route[] {
  let body = '';
  const own = readRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    access: 'public',
    tag: 'About',
    summary: 'This document',
    replies: { 200: Type.Object({}, { additionalProperties: true }) },
    rawTypes: ['application/json'],
    handle: async () => ({ status: 200, raw: { type: 'application/json; charset=utf-8', body } }),
  });
  const all = [...routes, own];
  body = JSON.stringify(openApiDocument(all, about));
  return all;
}

function operation(route: Route): Json {
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...headerParameters(route),
  ];
  const responses: Json = {};
  for (const [status, schema] of Object.entries(route.replies)) {
    responses[status] = successResponse(route, Number(status), schema ?? null);
  }
  for (const [status] of groupByStatus(errorCodes(route))) {
    responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route)].filter((part) => part !== undefined).join('\n\n'),
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined && route.textTypes === undefined ? {} : { requestBody: requestBody(route) }),
    responses,
  };
}

/** `getMonitorsById`: unique, since it is made of method and path. */
function operationId(route: Route): string {
  const words = route.path
    .replace(/^(?:\/api)?\/v1\//, '')
    .split('/')
    .map((part) => (part.startsWith('{') ? `by-${part.slice(1, -1)}` : part.replace('.', '-')));
  return [route.method.toLowerCase(), ...words]
    .join('-')
    .replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function accessNote(route: Route): string {
  switch (route.access) {
    case 'public':
      return 'Needs no key.';
    case 'any':
      return 'Any valid key.';
    case 'full':
      return 'Needs a key with full access (`*`).';
    case 'operator':
      return 'For operators of the installation only.';
    default:
      return `Needs the scope \`${route.access}\`.`;
  }
}

function parametersOf(where: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = JSON.parse(JSON.stringify(schema)) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function headerParameters(route: Route): Json[] {
  const string = { type: 'string' };
  if (route.method === 'POST' && route.access !== 'public') {
    const description = 'Makes a repeat safe: within 24 hours it gets the first answer again.';
    const schema = { ...string, minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' };
    return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
  }
  if (route.method === 'PATCH' || route.method === 'PUT' || route.method === 'DELETE') {
    const description = 'The `ETag` of the version that the change is meant for.';
    return [{ name: 'If-Match', in: 'header', required: false, description, schema: { ...string, examples: ['"3"'] } }];
  }
  return [];
}

function requestBody(route: Route): Json {
  const content: Json = {};
  if (route.body !== undefined) {
    content['application/json'] = { schema: closedSchema(route.body), example: exampleOf(route.body) };
  }
  for (const type of route.textTypes ?? []) content[type] = { schema: { type: 'string' } };
  return { required: route.bodyOptional !== true && route.body !== undefined, content };
}

function successResponse(route: Route, status: number, schema: TSchema | null): Json {
  const headers: Json = { ...RATE_HEADERS };
  if (status === 201) headers['Location'] = { description: 'Where the new object is.', schema: { type: 'string' } };
  const description = { 200: 'OK', 201: 'Created', 202: 'Accepted for later', 204: 'Done' }[status] ?? 'OK';
  if (schema === null) return { description, headers };
  const content: Json = {};
  for (const type of route.rawTypes ?? []) content[type] = { schema: type.endsWith('json') ? {} : { type: 'string' } };
  if (route.rawTypes === undefined) {
    const enveloped = envelope(schema, route.list === true);
    content['application/json'] = { schema: enveloped, example: exampleOf(enveloped) };
  }
  return { description, headers, content };
}

function envelope(schema: TSchema, list: boolean): TSchema {
  if (!list) return Type.Object({ data: schema }, { additionalProperties: false });
  const isArray = 'type' in schema && schema.type === 'array';
  const next_cursor = Type.Union([Type.String(), Type.Null()], {
    description: 'null on the last page.',
    examples: [null],
  });
  return Type.Object({ data: isArray ? schema : Type.Array(schema), next_cursor }, { additionalProperties: false });
}

/** What the route can answer besides success, told from what it takes. */
function errorCodes(route: Route): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(['invalid_request', 'rate_limited', 'internal', 'unavailable', 'validation_failed']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.access !== 'public') add('unauthenticated', 'key_expired', 'key_revoked');
  if (route.access !== 'public' && route.access !== 'any') add('insufficient_scope', 'forbidden');
  if (route.params !== undefined || route.access === 'operator') add('not_found');
  if (route.method !== 'GET') add('invalid_json', 'payload_too_large', 'unsupported_media_type');
  if (route.method === 'POST') add('conflict', 'idempotency_mismatch');
  if (route.method === 'PATCH' || route.method === 'PUT' || route.method === 'DELETE') add('precondition_failed');
  add(...(route.errors ?? []));
  return codes;
}

function groupByStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERROR_STATUS[code], [...(groups.get(ERROR_STATUS[code]) ?? []), code]);
  return new Map([...groups].sort(([a], [b]) => a - b));
}

function problemResponse(codes: ErrorCode[]): Json {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: problemOf(new AppError(code, EXAMPLE_DETAIL), 'req_5f2b') }]),
  );
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: RATE_HEADERS,
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}

const EXAMPLE_DETAIL = 'What happened, in a sentence.';

const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description: 'RFC 9457. Programs go by `code`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', examples: ['urn:picket:problem:not_found'] },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Everything that is wrong with the input, by JSON pointer.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string', examples: ['/http/expected_status'] }, message: { type: 'string' } },
      },
    },
    required_scope: { type: 'string' },
  },
};

const INTRODUCTION = `Every endpoint answers under \`/v1\` and under \`/api/v1\` alike.

Success bodies hold one member \`data\`; lists also \`next_cursor\`, which goes into \`cursor\` of the next request. Errors are RFC 9457 problem documents. Unknown members and parameters are refused. Strings arrive trimmed. Timestamps are RFC 3339; those in answers are UTC with milliseconds.

A limit that is not set shows as 1,000,000,000 in the \`RateLimit-*\` headers.`;
