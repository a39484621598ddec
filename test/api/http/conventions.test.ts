import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { ERROR_STATUS, type ErrorCode } from '../../../control-plane/errors.js';
import { type Answer, startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { type ExampleRow, exampleRoutes } from '../../helpers/http/example-routes.js';

const mongo = await testDatabase();
const app = await startApp({ mongo, routes: (parts) => exampleRoutes(parts) });
const { request } = app;
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

function isProblem(t: Test, answer: Answer<unknown>, code: ErrorCode): void {
  t.equal(answer.status, ERROR_STATUS[code], `${code} has its status`);
  t.equal(answer.headers.get('content-type'), 'application/problem+json');
  t.match(answer.body, {
    type: `urn:picket:problem:${code}`,
    title: /\w/,
    status: ERROR_STATUS[code],
    detail: /\w/,
    code,
  });
  t.equal(answer.body.request_id, answer.headers.get('x-request-id'));
  t.notMatch(answer.text, /10\.0\.0\.1|node_modules|\.ts:\d/, 'no internal detail is shown');
}

/** Sends bytes that fetch does not send, and returns the response. */
async function raw(text: string): Promise<string> {
  const socket: Socket = connect(app.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return received;
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', 'Connection: close', `Authorization: Bearer ${app.key}`, ...headers].join('\r\n')}\r\n\r\n`;

t.test('one object, both prefixes, envelope, ETag, Location', async (t) => {
  const created = await request<{ id: string }>('POST', '/v1/things', { body: { name: '  Shop ' } });
  t.equal(created.status, 201);
  t.match(created.body.data, { id: /^mon_/, name: 'Shop' });
  t.equal(created.headers.get('location'), `/v1/things/${created.body.data.id}`);
  t.equal(created.headers.get('etag'), '"1"');
  for (const prefix of ['/v1', '/api/v1']) {
    const read = await request('GET', `${prefix}/things/${created.body.data.id}`);
    t.equal(read.status, 200);
    t.same(read.body, { data: { id: created.body.data.id, name: 'Shop' } });
    t.equal(read.headers.get('content-type'), 'application/json; charset=utf-8');
    t.equal(read.headers.get('cache-control'), 'no-store');
    t.equal(
      (await request('GET', `${prefix}/public`, { key: null })).status,
      200,
      'a route documented under /api/v1 too',
    );
  }
  const exported = await request('GET', '/v1/things/export');
  t.equal(exported.text, 'a,b\n', 'a fixed path is not read as an id');
  t.match(exported.headers.get('content-disposition'), `filename="_berblick.csv"; filename*=UTF-8''%C3%9Cberblick.csv`);
  t.equal(
    (await request('POST', `/v1/things/${created.body.data.id}/touch`, { body: {} })).status,
    202,
    '{} for no body',
  );
  t.equal((await request('POST', `/v1/things/${created.body.data.id}/touch`)).status, 202);
});

t.test('every row of the error table', async (t) => {
  const reached = new Set<ErrorCode>();
  const expect = async (code: ErrorCode, answer: Answer<unknown> | Promise<Answer<unknown>>) => {
    const settled = await answer;
    isProblem(t, settled, code);
    reached.add(code);
    return settled;
  };
  const json = { 'content-type': 'application/json' };
  await expect('invalid_json', request('POST', '/v1/things', { rawBody: '{', headers: json }));
  await expect('invalid_json', request('POST', '/v1/things', { rawBody: '', headers: json }));
  await expect(
    'invalid_json',
    request('POST', '/v1/things', { rawBody: Buffer.from([0x22, 0xff, 0x22]), headers: json }),
  );
  await expect('invalid_json', request('POST', '/v1/things', { rawBody: '['.repeat(100_000), headers: json }));
  await expect(
    'invalid_json',
    request('POST', '/v1/things', { rawBody: `${'['.repeat(33)}${']'.repeat(33)}`, headers: json }),
  );
  await expect(
    'invalid_request',
    request('POST', '/v1/things', { body: { name: 'x' }, headers: { 'idempotency-key': 'a b' } }),
  );
  await expect(
    'invalid_request',
    request('DELETE', `/v1/things/mon_${'0'.repeat(26)}`, { headers: { 'if-match': '3' } }),
  );

  const anonymous = await expect('unauthenticated', request('GET', '/v1/things', { key: null }));
  t.equal(anonymous.headers.get('www-authenticate'), 'Bearer realm="picket"');
  for (const header of [
    'Basic abc',
    'Bearer',
    'Bearer pk_live_short',
    `Bearer ${app.key.slice(0, -1)}${app.key.endsWith('x') ? 'y' : 'x'}`,
  ]) {
    await expect('unauthenticated', request('GET', '/v1/things', { key: null, headers: { authorization: header } }));
  }
  const expired = await buildKey(mongo, app.workspace, { expiresAtMs: Date.now() - 1 });
  const expiredReply = await expect('key_expired', request('GET', '/v1/things', { key: expired.key }));
  t.match(expiredReply.headers.get('www-authenticate'), /^Bearer .*invalid_token/);
  const revoked = await buildKey(mongo, app.workspace);
  await mongo.db.collection<ExampleRow>('api_keys').updateOne({ _id: revoked.id }, { $set: { revoked_at_ms: 1 } });
  await expect('key_revoked', request('GET', '/v1/things', { key: revoked.key }));

  const reader = await buildKey(mongo, app.workspace, { scopes: ['monitors:read'] });
  t.equal((await request('GET', '/v1/things', { key: reader.key })).status, 200);
  const lacking = await expect(
    'insufficient_scope',
    request('POST', '/v1/things', { key: reader.key, body: { name: 'x' } }),
  );
  t.equal(lacking.body.required_scope, 'monitors:write');
  const writer = await buildKey(mongo, app.workspace, { scopes: ['monitors:write'] });
  await expect('insufficient_scope', request('GET', '/v1/things', { key: writer.key }));
  const full = await expect('insufficient_scope', request('GET', '/v1/full', { key: reader.key }));
  t.equal(full.body.required_scope, '*');

  await expect('not_found', request('GET', '/nope'));
  await expect('not_found', request('GET', '/v1/things/'));
  await expect('not_found', request('GET', '/V1/things'));
  await expect('not_found', request('GET', '/v1/admin/x', { key: reader.key }));
  const notAllowed = await expect('method_not_allowed', request('PUT', '/v1/things', { body: {} }));
  t.equal(notAllowed.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  await expect('conflict', request('POST', '/v1/things', { body: { name: 'x', note: 'fail' } }));
  await expect('payload_too_large', request('POST', '/v1/things', { body: { name: 'x'.repeat(1024 * 1024) } }));
  await expect(
    'unsupported_media_type',
    request('POST', '/v1/things', { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } }),
  );
  await expect(
    'unsupported_media_type',
    request('POST', '/v1/things', { rawBody: '{}', headers: { 'content-type': 'application/json; charset=latin1' } }),
  );
  await expect(
    'unsupported_media_type',
    request('POST', '/v1/things', { rawBody: '{}', headers: { ...json, 'content-encoding': 'gzip' } }),
  );
  await expect(
    'unsupported_media_type',
    request('POST', '/v1/things', { rawBody: 'a: 1', headers: { 'content-type': 'application/yaml' } }),
  );
  await expect('validation_failed', request('POST', '/v1/things', { body: { name: 'x', other: 1 } }));
  await expect('validation_failed', request('GET', '/v1/things?colour=red'));
  await expect('validation_failed', request('GET', '/v1/things?limit=201'));
  await expect('validation_failed', request('GET', '/v1/things?limit=%205'));
  await expect('validation_failed', request('POST', '/v1/throw/field'));
  await expect('internal', request('POST', '/v1/throw/something'));
  for (const code of [
    'plan_limit',
    'plan_required',
    'second_factor_required',
    'confirmation_required',
    'email_not_confirmed',
    'second_factor_setup_required',
    'single_sign_on_required',
    'forbidden',
    'gone',
    'idempotency_mismatch',
    'no_automatic_fix',
    'precondition_failed',
    'range_not_satisfiable',
    'rate_limited',
    'unavailable',
  ] as const) {
    await expect(code, request('POST', `/v1/throw/${code}`));
  }
  t.same([...reached].sort(), Object.keys(ERROR_STATUS).sort(), 'no code is left out');
});

t.test('an object of another workspace is not found', async (t) => {
  const { body } = await request<{ id: string }>('POST', '/v1/things', { body: { name: 'mine' } });
  const otherTenant = await buildKey(mongo, await buildWorkspace(mongo));
  const missing = `mon_${'7'.repeat(26)}`;
  for (const [method, options] of [
    ['GET', {}],
    ['PATCH', { body: { name: 'x' } }],
    ['DELETE', {}],
  ] as const) {
    const foreign = await request(method, `/v1/things/${body.data.id}`, { key: otherTenant.key, ...options });
    const absent = await request(method, `/v1/things/${missing}`, { key: otherTenant.key, ...options });
    isProblem(t, foreign, 'not_found');
    t.same({ ...foreign.body, request_id: '' }, { ...absent.body, request_id: '' });
  }
  t.equal(
    (await request('GET', '/v1/admin/x', { key: otherTenant.key })).text.replace(/req_\w+/, ''),
    (await request('GET', '/v1/admin/y', { key: otherTenant.key })).text.replace(/req_\w+/, ''),
    'so are paths for operators',
  );
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const hidden = await request(method, '/v1/admin/x', { key: otherTenant.key });
    t.equal(hidden.status, 404, `${method} by someone else`);
    t.equal(hidden.headers.get('allow'), null);
  }
  t.equal((await request('GET', '/v1/admin/x')).status, 200, 'operators can use them');
  t.match(await request('PUT', '/v1/admin/x'), { status: 405 });
  t.equal((await request('OPTIONS', '/v1/admin/x')).headers.get('allow'), 'GET, HEAD, OPTIONS');
});

t.test('request ids', async (t) => {
  const id = async (given: string) =>
    (await request('GET', '/v1/full', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  t.equal(await id('My.id-1_2'), 'My.id-1_2');
  t.equal(await id('x'.repeat(64)), 'x'.repeat(64));
  t.match(await id('x'.repeat(65)), /^req_[0-9a-f]{24}$/);
  t.match(await id('a b'), /^req_/);
  t.not(await id(''), await id(''));
});

t.test('HEAD, OPTIONS, unusual paths and headers', async (t) => {
  const whole = await request('GET', '/v1/things?limit=1');
  const headOnly = await request('HEAD', '/v1/things?limit=1');
  t.equal(headOnly.status, 200);
  t.equal(headOnly.text, '');
  t.equal(headOnly.headers.get('content-length'), String(Buffer.byteLength(whole.text)));
  const options = await request('OPTIONS', '/v1/things', { key: null });
  t.equal(options.status, 204);
  t.equal(options.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  t.equal((await request('OPTIONS', '/nope', { key: null })).status, 404);
  for (const method of ['PATCH', 'DELETE', 'OPTIONS']) {
    const beside = await request(method, '/v1/things/export', { key: null });
    t.equal(beside.status, method === 'OPTIONS' ? 204 : 405, 'a fixed path is not read as an id by other methods');
    t.equal(beside.headers.get('allow'), 'GET, HEAD, OPTIONS', 'it does not allow the methods of an id');
  }
  for (const path of [
    '/v1/things/%zz',
    '/v1/things/%',
    '/%c0%af',
    '/v1/things/..%2f..%2fetc',
    '//',
    '/v1/things/%00',
  ]) {
    t.match(await raw(head(`GET ${path} HTTP/1.1`)), /^HTTP\/1\.1 404 /, path);
  }
  t.match(await raw(head('BREW /v1/things HTTP/1.1')), /^HTTP\/1\.1 400 /, 'an unknown method');
  t.match(await raw(head('PROPFIND /v1/things HTTP/1.1')), /^HTTP\/1\.1 405 [\s\S]*method_not_allowed/);
  t.match(
    await raw(head('GET /v1/things HTTP/1.1', `Authorization: Bearer ${app.key}`)),
    /^HTTP\/1\.1 400 [\s\S]*invalid_request/,
  );
  t.match(
    await raw(head('GET /v1/things HTTP/1.1', 'Bad Header: x')),
    /^HTTP\/1\.1 400 [\s\S]*problem\+json[\s\S]*invalid_request/,
  );
  t.match(await raw(head('GET /v1/things HTTP/1.1', `X: ${'x'.repeat(20_000)}`)), /^HTTP\/1\.1 400 [\s\S]*16 KiB/);
  const half = head('POST /v1/things HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 3000000');
  t.match(await raw(half), /^HTTP\/1\.1 413 /, 'refused by its Content-Length before it is sent');
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
  const chunked = head('POST /v1/things HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked');
  t.match(await raw(`${chunked}${chunk}${chunk}0\r\n\r\n`), /^HTTP\/1\.1 413 /, 'refused by its real size');
  t.equal((await request('GET', '/v1/things')).status, 200, 'the server still works');
});

t.test('a text body is parsed and then validated like JSON', async (t) => {
  const send = (rawBody: string) =>
    request<{ body: unknown }>('POST', '/v1/things/import', {
      rawBody,
      headers: { 'content-type': 'application/yaml' },
    });
  t.same((await send('  a: 1 ')).body.data, { body: { name: 'a: 1' } });
  t.match((await send('x'.repeat(201))).body, { status: 422, errors: [{ path: '/name' }] });
  const chunked = head(
    'POST /v1/things/import HTTP/1.1',
    'Content-Type: application/yaml',
    'Transfer-Encoding: chunked',
  );
  t.match(await raw(`${chunked}0\r\n\r\n`), /^HTTP\/1\.1 400 [\s\S]*The body is empty/);
  const json = await request<{ body: unknown }>('POST', '/v1/things/import', { body: { name: 'x' } });
  t.same(json.body.data, { body: { name: 'x' } });
});

t.test('security headers, and compression of large responses', async (t) => {
  const answer = await request('GET', '/v1/full');
  t.match(answer.headers.get('content-security-policy'), /default-src 'none'/);
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  t.equal(answer.headers.get('x-powered-by'), null);
  for (let index = 0; index < 60; index++) await request('POST', '/v1/things', { body: { name: `row ${index}` } });
  const list = await request('GET', '/v1/things', { headers: { 'accept-encoding': 'gzip' } });
  t.equal(list.headers.get('content-encoding'), 'gzip');
  t.equal((list.body.data as unknown as unknown[]).length, 50, 'the default limit');
});
