import { Type } from 'typebox';
import { sessionCookieName } from '../client/session-cookie.js';
import { type Route, readRoute } from '../route.js';
import { hoistTitled } from './components.js';
import { COMMON_HEADERS, operation } from './operation.js';
import { PROBLEM_SCHEMA, problemComponents } from './problems.js';
import { orderedTags } from './tags.js';
import { versionedReplies } from './versions.js';

type Json = Record<string, unknown>;

/** Returns the OpenAPI 3.1 document of the routes, made from the schemas that validate their requests. */
function openApiDocument(routes: readonly Route[], about: { version: string; publicUrl: string }): Json {
  const publicUrl = about.publicUrl.replace(/\/+$/, '');
  const isVersioned = versionedReplies(routes);
  const paths: Record<string, Json> = {};
  for (const route of [...routes].sort((a, b) => (withoutPrefix(a) < withoutPrefix(b) ? -1 : 1))) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operation(route, (status) => isVersioned(route, status));
    paths[route.path] = operations;
  }
  const { tree, schemas } = hoistTitled(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Picket API',
      version: about.version,
      description: introduction(publicUrl),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: orderedTags(routes.map((route) => route.tag)),
    paths: tree,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `pk_live_…`.' },
        session: {
          ...{ type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl) },
          description: 'The session of a person who is logged in. Log-in sets the cookie.',
        },
      },
      schemas: { ...schemas, Problem: PROBLEM_SCHEMA },
      headers: {
        'X-Request-Id': {
          required: true,
          description: 'The id of this request. A client can choose it by sending the header.',
          schema: { type: 'string' },
        },
        'RateLimit-Limit': count('Requests per minute; 1,000,000,000 without a limit.'),
        'RateLimit-Remaining': count('Remaining requests in this minute.'),
        'RateLimit-Reset': count('Seconds until the minute ends.'),
      },
      responses: problemComponents(routes, COMMON_HEADERS),
    },
  };
}

function withoutPrefix(route: Route): string {
  return route.path.replace(/^\/api(?=\/)/, '');
}

function count(description: string): Json {
  return { required: true, description, schema: { type: 'integer', minimum: 0 } };
}

/** Returns the routes with one more, which serves the document. The document is built once and includes that route. */
export function withOpenApiRoute(routes: readonly Route[], about: { version: string; publicUrl: string }): Route[] {
  let body = '';
  const own = readRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    access: 'public',
    tag: 'About',
    summary: 'Get the OpenAPI document',
    replies: { 200: Type.Object({}, { additionalProperties: true }) },
    rawTypes: ['application/json'],
    handle: async () => ({ status: 200, raw: { type: 'application/json; charset=utf-8', body } }),
  });
  const all = [...routes, own];
  body = JSON.stringify(openApiDocument(all, about));
  return all;
}

function introduction(publicUrl: string): string {
  return `Programs send an API key with every request. Browsers of people who are logged in send a session cookie instead.

\`\`\`sh
curl -H 'Authorization: Bearer pk_live_…' ${publicUrl}/v1/monitors
\`\`\`

- **Responses** have one field, \`data\`. Lists also have \`next_cursor\`: send it as \`cursor\` to get the next page, until it is null. Timestamps are in UTC with milliseconds.
- **Errors** are RFC 9457 problem documents, \`application/problem+json\`: \`type\`, \`title\`, \`status\`, \`detail\`, \`code\` and \`request_id\`. Programs should use \`code\`. With \`validation_failed\`, \`errors\` lists every invalid field by JSON pointer.
- **Input**: unknown fields and parameters are refused. Strings are trimmed. Timestamps can have any RFC 3339 form.
- **Retries**: a POST with an \`Idempotency-Key\` is safe to retry. For 24 hours a repeat gets the first response, with \`Idempotent-Replayed: true\`.
- **Concurrent changes**: send the \`ETag\` that you read as \`If-Match\`. If the object has changed since, the request fails with 412.
- **Headers**: every response has \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` and \`X-Request-Id\`.

Every path works under both \`/v1\` and \`/api/v1\`.`;
}
