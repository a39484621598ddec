import { Type } from 'typebox';
import { type Route, readRoute, takesVersion } from '../route.js';
import { hoistTitled } from './components.js';
import { COMMON_HEADERS, operation } from './operation.js';
import { PROBLEM_SCHEMA, problemComponents } from './problems.js';

type Json = Record<string, unknown>;

/** Builds the OpenAPI 3.1 document of the routes, from the very schemas that validate their requests. */
export function openApiDocument(routes: readonly Route[], about: { version: string; publicUrl: string }): Json {
  const publicUrl = about.publicUrl.replace(/\/+$/, '');
  const versionedPaths = new Set(routes.filter(takesVersion).map((route) => route.path));
  const paths: Record<string, Json> = {};
  for (const route of [...routes].sort((a, b) => (withoutPrefix(a) < withoutPrefix(b) ? -1 : 1))) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operation(route, versionedPaths.has(route.path));
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
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: tree,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `pk_live_…`.' },
      },
      schemas: { ...schemas, Problem: PROBLEM_SCHEMA },
      headers: {
        'X-Request-Id': {
          required: true,
          description: 'The id of this request, the client’s own where it sent one.',
          schema: { type: 'string' },
        },
        'RateLimit-Limit': count('Requests a minute; 1,000,000,000 where there is no limit.'),
        'RateLimit-Remaining': count('Requests left in this minute.'),
        'RateLimit-Reset': count('Seconds until the minute is over.'),
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

function introduction(publicUrl: string): string {
  return `Every request carries an API key:

\`\`\`sh
curl -H 'Authorization: Bearer pk_live_…' ${publicUrl}/v1/monitors
\`\`\`

- **Answers** hold one member \`data\`. Lists also have \`next_cursor\`: put it into \`cursor\` of the next request, until it is null. Timestamps are UTC with milliseconds.
- **Errors** are RFC 9457 problem documents, \`application/problem+json\`: \`type\`, \`title\`, \`status\`, \`detail\`, \`code\` and \`request_id\`. Programs go by \`code\`. With \`validation_failed\`, \`errors\` names everything that is wrong, by JSON pointer.
- **Input**: unknown members and parameters are refused, not dropped. Strings are trimmed. Any RFC 3339 timestamp will do.
- **Repeats**: a POST with an \`Idempotency-Key\` may be sent again. For 24 hours it gets the first answer, with \`Idempotent-Replayed: true\`.
- **Changes at the same time**: send the \`ETag\` that you have seen as \`If-Match\`, and nobody else’s change is overwritten.
- **Limits**: \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` stand in every answer, and so does \`X-Request-Id\`.

Every path answers under \`/v1\` and \`/api/v1\` alike.`;
}
