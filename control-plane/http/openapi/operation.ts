import { type TSchema, Type } from 'typebox';
import { rolesFor } from '../access.js';
import { listEnvelopeSchema } from '../paging.js';
import { type Route, takesVersion } from '../route.js';
import { exampleOf } from './example.js';
import { problemReplies } from './problems.js';
import { requestSchema } from './request.js';

type Json = Record<string, unknown>;

/** The headers of every response. */
export const COMMON_HEADERS: Json = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

const IF_MATCH_PATTERN = '^(\\*|(W/)?"[!#-~]*")$';
const IDEMPOTENCY_KEY_PATTERN = '^[!-~]+$';

/** Returns the operation of a route. `isVersioned` returns whether the response with a success status has an `ETag`. */
export function operation(route: Route, isVersioned: (status: number) => boolean): Json {
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...headerParameters(route),
  ];
  const responses: Json = {};
  for (const [status, schema] of Object.entries(route.replies)) {
    responses[status] = successReply(route, Number(status), schema ?? null, isVersioned(Number(status)));
  }
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessNote(route), freshNote(route)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    security: security(route),
    ...roleNote(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody(route) ? { requestBody: requestBody(route) } : {}),
    responses: { ...responses, ...problemReplies(route) },
  };
}

/** Returns `getMonitorsById`. It is unique because it is made from the method and the path. */
function operationId(route: Route): string {
  const words = route.path
    .replace(/^(?:\/api)?\/v1\//, '')
    .split('/')
    .map((part) => (part.startsWith('{') ? `by-${part.slice(1, -1)}` : part.replace('.', '-')));
  return [route.method.toLowerCase(), ...words]
    .join('-')
    .replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the credentials that a route accepts, with the scope that a key needs. OpenAPI 3.1 allows scopes of keys too. */
function security(route: Route): Json[] {
  const session = { session: [] };
  switch (route.access) {
    case 'public':
      return [];
    case 'session':
    case 'person':
    case 'owner_session':
      return [session];
    case 'any':
      return [{ apiKey: [] }, session];
    case 'view':
    case 'self':
    case 'full':
    case 'owner':
    case 'operator':
      return [{ apiKey: ['*'] }, session];
    default:
      return [{ apiKey: [route.access] }, session];
  }
}

function accessNote(route: Route): string {
  switch (route.access) {
    case 'public':
      return 'Requires no credential.';
    case 'any':
      return 'Requires any valid key, or a session.';
    case 'session':
      return 'Requires a session. API keys are refused.';
    case 'person':
      return 'Requires a session that a password, a passkey or the identity provider of the installation opened. API keys are refused.';
    case 'view':
      return 'For all members, and keys with full access (`*`).';
    case 'self':
      return 'For all members, and keys with full access (`*`). What is about somebody else requires the role owner or admin.';
    case 'full':
      return 'Requires the role owner or admin, or a key with full access (`*`) of one.';
    case 'owner':
      return 'Requires the role owner, or a key with full access (`*`) of an owner.';
    case 'owner_session':
      return 'Requires a session of an owner. API keys are refused.';
    case 'operator':
      return 'For operators: owners and admins of the workspace of the operators while they act in it, and their keys with full access (`*`). 404 for all others.';
    default:
      return `Requires the scope \`${route.access}\`, or the role ${route.access.endsWith(':read') ? 'viewer' : 'member'}.`;
  }
}

/** Returns what programs and tests can read of who may use a route. docs/team.md explains the values. */
function roleNote({ access }: Route): Json {
  if (access === 'public') return { 'x-picket-access': access };
  return { 'x-picket-access': access, 'x-picket-roles': rolesFor(access) };
}

function freshNote({ fresh }: Route): string | undefined {
  return fresh === true ? 'A session must have been confirmed within 10 minutes.' : undefined;
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
    const description = 'Makes a retry safe: within 24 hours, a repeat gets the first response.';
    return [header('Idempotency-Key', description, { minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY_PATTERN })];
  }
  if (route.kind === 'stream') {
    return [header('Last-Event-ID', 'The id of the last event that arrived. The stream continues behind it.', {})];
  }
  if (route.ranges === true) {
    const description = 'One range of bytes, `bytes=0-1023`. Several ranges are answered with the whole file.';
    return [header('Range', description, { examples: ['bytes=0-1023'] })];
  }
  if (takesVersion(route)) {
    const description = 'The `ETag` of the version to change, or `*`. 412 if the object has another version.';
    return [header('If-Match', description, { pattern: IF_MATCH_PATTERN, examples: ['"3"'] })];
  }
  return [];
}

function hasBody({ body, textBody, rawBody }: Route): boolean {
  return body !== undefined || textBody !== undefined || rawBody !== undefined;
}

function requestBody(route: Route): Json {
  if (route.rawBody !== undefined) {
    const { type, description } = route.rawBody;
    return { required: true, description, content: { [type]: { schema: { type: 'object' }, example: {} } } };
  }
  const content: Json = {};
  const data = route.body === undefined ? {} : { schema: requestSchema(route.body), example: exampleOf(route.body) };
  if (route.body !== undefined) content['application/json'] = data;
  for (const type of route.textBody?.types ?? []) content[type] = isData(type) ? data : { schema: { type: 'string' } };
  return { required: route.bodyOptional !== true && route.body !== undefined, content };
}

/** Returns whether a body of this type is data that a schema can describe, and not text. */
function isData(type: string): boolean {
  return /[/+-](json|yaml)$/.test(type);
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  206: 'Partial content',
  302: 'Found',
};

const WARNING = 'Without this channel, 1 thing will notify nobody: monitor “Shop”.';

const Warnings = Type.Array(Type.String({ examples: [WARNING] }), {
  description: 'What the request did that you may not expect; missing if nothing.',
});

function successReply(route: Route, status: number, schema: TSchema | null, versioned: boolean): Json {
  const headers: Json = { ...COMMON_HEADERS };
  const header = (description: string, more: Json) => ({ description, schema: { type: 'string' }, ...more });
  if (status === 201) headers['Location'] = header('The path of the new object.', { required: true });
  if (status === 302) headers['Location'] = header('Where the browser continues.', { required: true });
  if (route.ranges === true) {
    headers['Content-Length'] = header('The bytes of this response.', { required: true });
    headers['Accept-Ranges'] = header('`bytes`', { required: true });
  }
  if (status === 206) headers['Content-Range'] = header('`bytes 0-1023/124031`', { required: true });
  if (versioned) headers['ETag'] = header('The version of the object, for `If-Match`.', { required: true });
  if (route.method === 'POST' && route.access !== 'public') {
    headers['Idempotent-Replayed'] = header('`true` if this is the stored response of an earlier request.', {});
  }
  const description = DESCRIPTIONS[status] ?? 'OK';
  const content: Json = {};
  for (const type of route.rawTypes ?? []) content[type] = { schema: isData(type) ? {} : { type: 'string' } };
  if (schema !== null && (route.rawTypes === undefined || route.rawJson !== undefined)) {
    const enveloped =
      route.list === true
        ? listEnvelopeSchema(schema, route.searched === true)
        : Type.Object(
            { data: schema, ...(route.warns === true ? { warnings: Type.Optional(Warnings) } : {}) },
            { additionalProperties: false },
          );
    const shown = route.rawJson === undefined ? enveloped : Type.Union([enveloped, route.rawJson]);
    content['application/json'] = { schema: shown, example: exampleOf(enveloped) };
  }
  return { description, headers, ...(Object.keys(content).length === 0 ? {} : { content }) };
}
