import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { createApiKeysStore } from '../../control-plane/accounts/api-keys-store.js';
import { createCreateKey } from '../../control-plane/accounts/create-api-key.js';
import { createRevokeKey } from '../../control-plane/accounts/revoke-api-key.js';
import { createAccountRoutes } from '../../control-plane/accounts/routes.js';
import { createAuditRoutes } from '../../control-plane/audit/routes.js';
import { createAuditStore } from '../../control-plane/audit/store.js';
import { withOpenApiRoute } from '../../control-plane/http/openapi.js';
import { systemRandom } from '../../kernel/random.js';
import { startApp } from '../helpers/app.js';
import { testDatabase } from '../helpers/database.js';

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown>; example: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown>; example?: unknown }> }>;
}

t.test('the OpenAPI document is valid and says what the routes do', async (t) => {
  const mongo = await testDatabase();
  const app = await startApp({
    mongo,
    routes: ({ pager, audit, ids, clock, keyAuthenticator }) => {
      const store = createApiKeysStore(mongo.db);
      const createKey = createCreateKey({ store, audit, ids, clock, random: systemRandom });
      const revokeKey = createRevokeKey({ store, audit, clock, forget: keyAuthenticator.forget });
      const routes = [
        ...createAccountRoutes({ store, pager, createKey, revokeKey }),
        ...createAuditRoutes({ store: createAuditStore(mongo.db), pager, clock }),
      ];
      return withOpenApiRoute(routes, { version: '1.2.3', publicUrl: 'http://picket.test/' });
    },
  });
  t.teardown(async () => {
    await app.close();
    await mongo.drop();
  });
  const answer = await app.request('GET', '/v1/openapi.json', { key: null });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const document = JSON.parse(answer.text);
  const verdict = await new Validator().validate(structuredClone(document));
  t.same(verdict.errors ?? [], []);
  t.ok(verdict.valid);
  t.match(document, { openapi: '3.1.0', info: { version: '1.2.3' }, servers: [{ url: 'http://picket.test' }] });

  const operation = (method: string, path: string): Operation => document.paths[path][method];
  t.same(Object.keys(document.paths).sort(), [
    '/api/v1/audit-logs',
    '/v1/api-keys',
    '/v1/api-keys/{id}',
    '/v1/auth/me',
    '/v1/openapi.json',
  ]);
  const create = operation('post', '/v1/api-keys');
  t.same(Object.keys(create.responses).sort(), [
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  t.match(create.requestBody?.content['application/json']?.example, { name: 'Deployment', scopes: ['*'] });
  t.match(create.parameters, [{ name: 'Idempotency-Key', in: 'header' }]);
  const list = operation('get', '/v1/api-keys');
  t.match(list.parameters, [{ name: 'limit', in: 'query', required: false }, { name: 'cursor' }]);
  t.match(list.responses['200']?.content?.['application/json']?.example, {
    data: [{ id: /^key_/ }],
    next_cursor: null,
  });
  t.match(operation('delete', '/v1/api-keys/{id}').parameters, [
    { name: 'id', in: 'path', required: true },
    { name: 'If-Match' },
  ]);
  t.notOk(operation('delete', '/v1/api-keys/{id}').responses['204']?.content);
  t.same(operation('get', '/v1/openapi.json').security, []);
  const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((path) => Object.values(path));
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
});
