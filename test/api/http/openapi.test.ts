import { Validator } from '@seriousme/openapi-schema-validator';
import { Registry } from 'prom-client';
import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { readConfig } from '../../../control-plane/config.js';
import { openFoundation } from '../../../control-plane/foundation.js';
import { orderedTags } from '../../../control-plane/http/openapi/tags.js';
import { composeProduct } from '../../../control-plane/product.js';
import { createLogger } from '../../../kernel/logger.js';
import { testDatabase } from '../../helpers/database.js';
import { examplesOf, type OpenApi, operationsOf, replyOf, schemaValidator } from '../../helpers/openapi.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri, { PICKET_PUBLIC_URL: 'http://picket.test/' });
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

const served = await fetch(`${controlPlane.url}/v1/openapi.json`);
const document: OpenApi = JSON.parse(await served.text());
const operations = operationsOf(document);

t.test('the document of the whole product is valid OpenAPI 3.1', async (t) => {
  t.equal(served.status, 200, 'it needs no key');
  t.equal(served.headers.get('content-type'), 'application/json; charset=utf-8');
  const verdict = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  t.same(verdict.errors ?? [], []);
  t.ok(verdict.valid);
  t.match(document, { openapi: '3.1.0', servers: [{ url: 'http://picket.test' }] });
});

t.test('the groups have the order in which a new user meets them', async (t) => {
  const names = document.tags.map(({ name }) => name);
  t.equal(
    names.join(', '),
    'Monitors, Alerts, Channels, Alert rules, Maintenance, Dependencies, Servers, Backups, Domains, E-mail domains, Security scans, Blacklists, Client reports, Status pages, WordPress, Locations, Events, Audit log, Workspace, Team, Billing, API keys, Account, Sessions, Second factors, Single sign-on, Operators, WordPress plugin, About',
  );
});

/** Paths with one object in each workspace, so without an id. */
const SINGLE_OBJECTS = new Set(['GET /v1/single-sign-on 200', 'GET /v1/workspace 200']);

t.test('the document contains exactly the served operations', async (t) => {
  const foundation = await openFoundation(
    readConfig(controlPlane.env),
    createLogger({ name: 'test', level: 'silent' }),
  );
  const parts = await composeProduct().open({
    ...foundation,
    config: readConfig(controlPlane.env),
    version: '0.0.0',
    registry: new Registry(),
    catalogue: readProviders({ file: null, keys: new Map() }),
  });
  t.teardown(async () => {
    await parts.stop();
    await foundation.mongo.close();
  });
  const mounted = [...parts.routes.map((route) => `${route.method} ${route.path}`), 'GET /v1/openapi.json'];
  t.same(operations.map(([name]) => name).sort(), mounted.sort());
  for (const [path, methods] of Object.entries(document.paths)) {
    const asked = path.replaceAll(/\{\w+\}/g, 'x');
    const documented = Object.keys(methods).map((method) => method.toUpperCase());
    const allowed = [...documented, ...(documented.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    for (const served of [asked, asked.startsWith('/api') ? asked.slice(4) : `/api${asked}`]) {
      const options = await controlPlane.api('OPTIONS', served);
      t.same(options.headers.get('allow')?.split(', ').sort(), allowed.sort(), served);
      for (const method of documented) {
        const { status } = await fetch(`${controlPlane.url}${served}`, { method });
        const isPublic = methods[method.toLowerCase()]?.security.length === 0;
        t.equal(status !== 401, isPublic, `${method} ${served} without a key`);
      }
    }
  }
});

t.test('the groups are in the order in which a reader looks for them', async (t) => {
  const names = document.tags.map(({ name }) => name);
  t.same(names, [
    ...[
      'Monitors',
      'Alerts',
      'Channels',
      'Alert rules',
      'Maintenance',
      'Dependencies',
      'Servers',
      'Backups',
      'Domains',
      'E-mail domains',
      'Security scans',
      'Blacklists',
    ],
    'Client reports',
    ...[
      'Status pages',
      'WordPress',
      'Locations',
      'Events',
      'Audit log',
      'Workspace',
      'Team',
      'Billing',
      'API keys',
      'Account',
    ],
    ...['Sessions', 'Second factors', 'Single sign-on', 'Operators', 'WordPress plugin', 'About'],
  ]);
  const others = orderedTags(['New', 'About', 'Newer', 'Monitors', 'New', 'About']);
  t.same(
    others.map(({ name }) => name),
    ['Monitors', 'About', 'New', 'Newer'],
  );
});

t.test('every object with a version has its ETag in the document', async (t) => {
  const withTag = operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, reply]) =>
      'headers' in reply && reply.headers['ETag'] !== undefined ? [`${name} ${status}`] : [],
    ),
  );
  const objects = operations
    .filter(([name]) => /^(PATCH|DELETE) \S+\}$/.test(name))
    .map(([name]) => name.split(' ')[1] ?? '')
    // A join token and a calendar feed never change: they are revoked.
    .filter((path) => !/\/(?:join-tokens|maintenance-feeds)\//.test(path));
  for (const path of new Set(objects)) {
    t.ok(withTag.includes(`GET ${path} 200`), `GET ${path}`);
    const collection = path.replace(/\/\{\w+\}$/, '');
    // What is accepted for later (202) has another version when it is done.
    if (document.paths[collection]?.['post']?.responses[201] !== undefined)
      t.ok(withTag.includes(`POST ${collection} 201`), `POST ${collection}`);
  }
  for (const verb of [
    'POST /v1/monitors/{id}/pause 200',
    'POST /v1/alerts/{id}/resolve 200',
    'GET /v1/alerts/{id} 200',
  ]) {
    t.ok(withTag.includes(verb), verb);
  }
  t.same(
    withTag.filter((name) => /^GET \S+[^}] 200$/.test(name) && !SINGLE_OBJECTS.has(name)),
    [],
    'lists have none',
  );
});

t.test('every operation has a summary, its access and all its responses', (t) => {
  const known = document.tags.map(({ name }) => name);
  for (const [name, operation] of operations) {
    const isPublic = operation.security.length === 0;
    t.match(operation.summary, /^[A-Z][^`.]{4,70}$/, `${name}: a line that stands as it is, without Markdown`);
    t.ok(operation.description.length > 0, name);
    t.ok(
      operation.tags.every((tag) => known.includes(tag)),
      name,
    );
    t.ok(
      isPublic || operation.security.every((way) => Array.isArray(way['apiKey'] ?? way['session'])),
      `${name}: a credential, or none`,
    );
    const [method = '', path = ''] = name.split(' ');
    const expected = [
      ...['400', '422', '429', '500', '503'],
      ...(isPublic ? [] : ['401']),
      ...(path.includes('{') || path.includes('/v1/admin/') ? ['404'] : []),
      ...(method === 'GET' ? [] : ['413', '415']),
      ...(method === 'POST' && !isPublic ? ['409'] : []),
      ...(['PATCH', 'DELETE'].includes(method) ? ['412'] : []),
    ];
    const statuses = Object.keys(operation.responses);
    t.same(
      expected.filter((status) => !statuses.includes(status)),
      [],
      `${name}: no status is left out`,
    );
    for (const status of statuses) {
      const reply = replyOf(document, operation, Number(status));
      t.ok(reply !== undefined && reply.description.length > 1, `${name} ${status}`);
      t.same(
        Object.keys(reply?.content ?? {}).filter((type) => (type === 'application/problem+json') !== status >= '400'),
        [],
        `${name} ${status}: problems are problem documents, and nothing else is`,
      );
      for (const header of ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
        t.ok(reply?.headers[header], `${name} ${status} ${header}`);
      }
    }
  }
  t.equal(new Set(operations.map(([, { operationId }]) => operationId)).size, operations.length);
  t.end();
});

t.test('every example and default is valid', (t) => {
  const validate = schemaValidator(document);
  const examples = examplesOf(document);
  t.ok(examples.length > 300, `${examples.length} values`);
  for (const { schema, value } of examples) {
    t.notMatch(JSON.stringify(value), /"text"(?!:)/, `${schema.join(' / ')}: nothing made up for want of an example`);
    const errors = validate(schema, value);
    if (errors.length > 0) t.same(errors, [], `${schema.join(' / ')}: ${JSON.stringify(value).slice(0, 300)}`);
  }
  for (const [name, { requestBody }] of operations) {
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
      if (type === 'application/json') t.not(media.example, undefined, `${name} has an example of its body`);
    }
  }
  t.end();
});
