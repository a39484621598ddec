import { type TSchema, Type } from 'typebox';
import { type Route, takesVersion } from '../route.js';
import { exampleOf } from './example.js';
import { problemReplies } from './problems.js';
import { requestSchema } from './request.js';

type Json = Record<string, unknown>;

/** On every answer, whatever its status. */
export const COMMON_HEADERS: Json = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

const IF_MATCH_PATTERN = '^(\\*|(W/)?"[!#-~]*")$';
const IDEMPOTENCY_KEY_PATTERN = '^[!-~]+$';

/** `versioned`: what the path names has an `ETag`, since it can be changed under a condition. */
export function operation(route: Route, versioned: boolean): Json {
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...headerParameters(route),
  ];
  const responses: Json = {};
  for (const [status, schema] of Object.entries(route.replies)) {
    responses[status] = successReply(route, Number(status), schema ?? null, versioned);
  }
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route)].filter((part) => part !== undefined).join('\n\n'),
    security: security(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined && route.textTypes === undefined ? {} : { requestBody: requestBody(route) }),
    responses: { ...responses, ...problemReplies(route) },
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
    .replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What the key must be able to do, for programs; OpenAPI 3.1 takes such names for keys as well. */
function security(route: Route): Json[] {
  if (route.access === 'public') return [];
  if (route.access === 'any') return [{ apiKey: [] }];
  return [{ apiKey: [route.access === 'full' || route.access === 'operator' ? '*' : route.access] }];
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
      return 'For operators of the installation, with full access (`*`); 404 for anyone else.';
    default:
      return `Needs the scope \`${route.access}\`.`;
  }
}

function parametersOf(where: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] }: { properties?: Record<string, Json>; required?: string[] } = {
    ...requestSchema(schema),
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(where === 'path' ? { example: exampleOf(rest) } : {}),
  }));
}

function headerParameters(route: Route): Json[] {
  const header = (name: string, description: string, schema: Json) => ({
    ...{ name, in: 'header', required: false, description },
    schema: { type: 'string', ...schema },
  });
  if (route.method === 'POST' && route.access !== 'public') {
    const description = 'Makes a repeat safe: within 24 hours it gets the first answer again.';
    return [header('Idempotency-Key', description, { minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY_PATTERN })];
  }
  if (takesVersion(route)) {
    const description = 'The `ETag` of the version that the change is meant for, or `*`. 412 when it is another one.';
    return [header('If-Match', description, { pattern: IF_MATCH_PATTERN, examples: ['"3"'] })];
  }
  return [];
}

function requestBody(route: Route): Json {
  const content: Json = {};
  const data = route.body === undefined ? {} : { schema: requestSchema(route.body), example: exampleOf(route.body) };
  if (route.body !== undefined) content['application/json'] = data;
  for (const type of route.textTypes ?? []) content[type] = isData(type) ? data : { schema: { type: 'string' } };
  return { required: route.bodyOptional !== true && route.body !== undefined, content };
}

/** Whether tools read bodies of this type as data, which a schema describes, and not as text. */
function isData(type: string): boolean {
  return /[/+-](json|yaml)$/.test(type);
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted for later',
  204: 'Done, without a body',
};

function successReply(route: Route, status: number, schema: TSchema | null, versioned: boolean): Json {
  const headers: Json = { ...COMMON_HEADERS };
  const header = (description: string, more: Json) => ({ description, schema: { type: 'string' }, ...more });
  if (status === 201) headers['Location'] = header('Where the new object is.', { required: true });
  if (status === 200 && versioned) headers['ETag'] = header('The version, for `If-Match`.', { required: true });
  if (route.method === 'POST' && route.access !== 'public') {
    headers['Idempotent-Replayed'] = header('`true` on the stored answer of an earlier request.', {});
  }
  const description = DESCRIPTIONS[status] ?? 'OK';
  const content: Json = {};
  for (const type of route.rawTypes ?? []) content[type] = { schema: isData(type) ? {} : { type: 'string' } };
  if (schema !== null && (route.rawTypes === undefined || route.rawJson !== undefined)) {
    const enveloped = envelope(schema, route.list === true);
    const shown = route.rawJson === undefined ? enveloped : Type.Union([enveloped, route.rawJson]);
    content['application/json'] = { schema: shown, example: exampleOf(enveloped) };
  }
  return { description, headers, ...(Object.keys(content).length === 0 ? {} : { content }) };
}

function envelope(schema: TSchema, list: boolean): TSchema {
  if (!list) return Type.Object({ data: schema }, { additionalProperties: false });
  const isArray = 'type' in schema && schema.type === 'array';
  const next_cursor = Type.Union([Type.String(), Type.Null()], {
    description: '`cursor` of the next page; null on the last.',
    examples: [null],
  });
  return Type.Object({ data: isArray ? schema : Type.Array(schema), next_cursor }, { additionalProperties: false });
}
