import { request } from 'node:http';
import t, { type Test } from 'tap';
import { ERROR_STATUS, type ErrorCode } from '../../../control-plane/errors.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { createConformance } from '../../helpers/openapi.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import type { ApiAnswer } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

/** The documented error table of the API. The tests below cover every row with the whole product. */
const TABLE: Record<ErrorCode, number> = {
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
};

const REQUESTS_PER_MINUTE = 150;
const FREE_MONITORS = 20;
const MEBIBYTE = 1024 * 1024;
/** Words that errors of the database, its driver, the runtime or the machine contain. */
const INSIDE = /mongo|replica|ECONN|socket|127\.0\.0\.1|node_modules|\.[jt]s:\d|\bat \w+ \(/i;

const mongo = await testDatabase();
const proxy = await tcpProxy(Number(new URL(mongo.uri).port));
const { api, ...controlPlane } = await startControlPlane(throughProxy(mongo.uri, proxy.port), {
  PICKET_RATE_LIMIT: String(REQUESTS_PER_MINUTE),
});
t.teardown(async () => {
  await controlPlane.kill();
  await controlPlane.remove();
  await proxy.close();
  await mongo.drop();
});
const deviations = createConformance((await api('GET', '/v1/openapi.json')).body);
const free = await buildWorkspace(mongo, { plan: 'Free' });
const enterprise = await buildWorkspace(mongo);
const reached = new Set<ErrorCode>();

interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  /** Another key than the first owner's; null for none. */
  key?: string | null;
}

/** Sends a request and expects a documented problem with this code. */
async function problem(t: Test, code: ErrorCode, method: string, path: string, asked: Asked = {}): Promise<ApiAnswer> {
  const key = asked.key === undefined ? {} : { authorization: asked.key === null ? '' : `Bearer ${asked.key}` };
  const answer = await api(method, path, asked.body, { ...key, ...asked.headers });
  t.match(
    answer.body,
    { type: `urn:picket:problem:${code}`, title: /\w/, status: TABLE[code], detail: /\w.*\.$/, code },
    `${method} ${path}: ${code}`,
  );
  t.equal(answer.status, TABLE[code]);
  t.equal(answer.headers.get('content-type'), 'application/problem+json');
  t.equal(answer.body.request_id, answer.headers.get('x-request-id'));
  for (const header of ['limit', 'remaining', 'reset']) t.match(answer.headers.get(`ratelimit-${header}`), /^\d+$/);
  t.notMatch(JSON.stringify(answer.body), INSIDE, 'no internal detail is shown');
  t.same(deviations({ method, path, ...answer }), [], 'as documented');
  reached.add(code);
  return answer;
}

const monitor = { name: 'Shop', type: 'http', url: 'https://shop.example.com/', interval_seconds: 60 };
const { body: created } = await api('POST', '/v1/monitors', monitor);
const path = `/v1/monitors/${created.data.id}`;
const json = { 'content-type': 'application/json' };

t.test('400: a body that is not JSON, a malformed header', async (t) => {
  await problem(t, 'invalid_json', 'POST', '/v1/monitors', { body: '{', headers: json });
  await problem(t, 'invalid_json', 'POST', '/v1/monitors');
  await problem(t, 'invalid_request', 'POST', '/v1/monitors', { body: monitor, headers: { 'idempotency-key': 'a b' } });
  await problem(t, 'invalid_request', 'PATCH', path, { body: { name: 'x' }, headers: { 'if-match': '1' } });
});

t.test('401: no credential, an unknown one, an expired one, a revoked one', async (t) => {
  const missing = await problem(t, 'unauthenticated', 'GET', '/v1/monitors', { key: null });
  t.equal(missing.headers.get('www-authenticate'), 'Bearer realm="picket"');
  await problem(t, 'unauthenticated', 'GET', '/v1/monitors', { key: `pk_live_${'0'.repeat(38)}` });
  const expired = await buildKey(mongo, enterprise, { expiresAtMs: Date.now() - 1 });
  const expiredReply = await problem(t, 'key_expired', 'GET', '/v1/monitors', { key: expired.key });
  t.match(expiredReply.headers.get('www-authenticate'), /^Bearer .*error="invalid_token"/);
  const { body: key } = await api('POST', '/v1/api-keys', { name: 'short-lived' });
  t.equal((await api('DELETE', `/v1/api-keys/${key.data.id}`)).status, 204);
  const revoked = await problem(t, 'key_revoked', 'GET', '/v1/monitors', { key: key.data.key });
  t.match(revoked.headers.get('www-authenticate'), /^Bearer /);
});

t.test('402: a plan limit is reached, and the response names the limit and the next plan', async (t) => {
  const { key } = await buildKey(mongo, free);
  const headers = { authorization: `Bearer ${key}` };
  const ids: string[] = [];
  for (let index = 0; index < FREE_MONITORS; index++) {
    const { body } = await api('POST', '/v1/monitors', { ...monitor, name: `Shop ${index}` }, headers);
    ids.push(body.data.id);
  }
  const over = await problem(t, 'plan_limit', 'POST', '/v1/monitors', { body: monitor, key });
  t.match(over.body.detail, /Free plan allows 20 monitors.*Pro plan allows 200/);
  await problem(t, 'plan_limit', 'PATCH', `/v1/monitors/${ids[0]}`, { body: { interval_seconds: 10 }, key });
  const features = await problem(t, 'plan_required', 'POST', '/v1/api-keys', {
    body: { name: 'scoped', scopes: ['monitors:read'] },
    key,
  });
  t.match(features.body.detail, /Enterprise/);
});

t.test('403: a missing scope, a forbidden action', async (t) => {
  const reader = await buildKey(mongo, enterprise, { scopes: ['monitors:read'] });
  const scope = await problem(t, 'insufficient_scope', 'POST', '/v1/monitors', { body: monitor, key: reader.key });
  t.equal(scope.body.required_scope, 'monitors:write');
  const whole = await problem(t, 'insufficient_scope', 'GET', '/v1/api-keys', { key: reader.key });
  t.equal(whole.body.required_scope, '*');
  const passing = await buildKey(mongo, enterprise, { expiresAtMs: Date.now() + 3_600_000 });
  await problem(t, 'forbidden', 'POST', '/v1/api-keys', { body: { name: 'outlives it' }, key: passing.key });
});

t.test(
  '404: unknown paths and objects, objects of other workspaces, and paths for operators look the same',
  async (t) => {
    const { key } = await buildKey(mongo, enterprise);
    await problem(t, 'not_found', 'GET', '/v1/nothing', { key });
    const absent = await problem(t, 'not_found', 'GET', `/v1/monitors/mon_${'0'.repeat(26)}`, { key });
    const foreign = await problem(t, 'not_found', 'GET', path, { key });
    t.equal(foreign.body.detail, absent.body.detail);
    await problem(t, 'not_found', 'PATCH', path, { body: { name: 'mine' }, key });
    await problem(t, 'not_found', 'DELETE', path, { key });
    await problem(t, 'not_found', 'GET', '/v1/admin/probes', { key });
  },
);

t.test('405: with the allowed methods', async (t) => {
  const collection = await problem(t, 'method_not_allowed', 'PUT', '/v1/monitors', { body: {} });
  t.equal(collection.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  const object = await problem(t, 'method_not_allowed', 'POST', path, { body: {} });
  t.equal(object.headers.get('allow'), 'DELETE, GET, HEAD, PATCH, OPTIONS');
  const fixed = await problem(t, 'method_not_allowed', 'PATCH', '/v1/monitors/import', { body: {} });
  t.equal(fixed.headers.get('allow'), 'POST, OPTIONS');
  t.equal((await problem(t, 'method_not_allowed', 'DELETE', '/readyz')).headers.get('allow'), 'GET, HEAD, OPTIONS');
});

t.test('409: a conflicting state, an Idempotency-Key of another request', async (t) => {
  t.equal((await api('POST', `${path}/pause`)).status, 200);
  await problem(t, 'conflict', 'POST', `${path}/check`);
  const site = await api('POST', '/api/v1/wp/admin/sites', { name: 'Shop', url: 'https://shop.example' });
  await problem(t, 'no_automatic_fix', 'POST', `/api/v1/wp/admin/${site.body.data.id}/harden/vulnerable-plugins`);
  const headers = { 'idempotency-key': 'one' };
  t.equal((await api('POST', '/v1/monitors', monitor, headers)).status, 201);
  await problem(t, 'idempotency_mismatch', 'POST', '/v1/monitors', { body: { ...monitor, name: 'Other' }, headers });
});

t.test('410, 416: a file that does not exist, a range outside of a file', async (t) => {
  const reports = '/api/v1/client-reports';
  const { body: report } = await api('POST', reports, { title: 'January', client_name: 'Example Ltd' });
  const download = `${reports}/${report.data.id}/download`;
  const stored = mongo.db.collection<{ _id: string; status: string }>('client_reports');
  await waitFor('the report', 60_000, () => stored.findOne({ _id: report.data.id, status: 'completed' }));
  const beyond = await problem(t, 'range_not_satisfiable', 'GET', download, { headers: { range: 'bytes=99999999-' } });
  t.match(beyond.headers.get('content-range'), /^bytes \*\/\d+$/);
  await stored.updateOne({ _id: report.data.id }, { $set: { status: 'failed' } });
  await problem(t, 'gone', 'GET', download);
});

t.test('412: the object has changed since', async (t) => {
  const { headers } = await api('GET', path);
  const stale = { 'if-match': headers.get('etag') ?? '' };
  t.equal((await api('PATCH', path, { name: 'Shop front' }, stale)).status, 200);
  await problem(t, 'precondition_failed', 'PATCH', path, { body: { name: 'Shop back' }, headers: stale });
  await problem(t, 'precondition_failed', 'DELETE', path, { headers: stale });
  t.equal((await api('GET', path)).body.data.name, 'Shop front');
});

t.test('413, 415, 422: too large, unsupported, invalid', async (t) => {
  await problem(t, 'payload_too_large', 'POST', '/v1/monitors', { body: ' '.repeat(MEBIBYTE + 1), headers: json });
  const text = { 'content-type': 'text/plain' };
  await problem(t, 'unsupported_media_type', 'POST', '/v1/monitors', { body: 'name=x', headers: text });
  await problem(t, 'unsupported_media_type', 'POST', `${path}/pause`, { body: 'name=x', headers: text });
  const wrong = await problem(t, 'validation_failed', 'POST', '/v1/monitors', {
    body: { ...monitor, name: ' ', colour: 'red', http: { expected_status: '200' } },
  });
  t.same(wrong.body.errors.map((error: { path: string }) => error.path).sort(), [
    '/colour',
    '/http/expected_status',
    '/name',
  ]);
  t.match((await problem(t, 'validation_failed', 'GET', '/v1/monitors?limit=201')).body.errors, [
    { path: '/query/limit' },
  ]);
  await problem(t, 'validation_failed', 'GET', '/v1/monitors?cursor=abc');
  await problem(t, 'validation_failed', 'GET', '/v1/monitors?colour=red');
  const range = 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z';
  for (const list of [`${path}/results`, `${path}/metrics`, '/v1/alerts', '/v1/timeline', '/v1/audit-logs']) {
    await problem(t, 'validation_failed', 'GET', `${list}?${range}`);
  }
});

t.test('429: with Retry-After', async (t) => {
  const { key } = await buildKey(mongo, enterprise);
  const headers = { authorization: `Bearer ${key}` };
  const asked = Array.from({ length: 2 * REQUESTS_PER_MINUTE }, () => api('GET', '/v1/auth/me', undefined, headers));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  t.ok(statuses.filter((status) => status === 429).length >= 1);
  const over = await problem(t, 'rate_limited', 'GET', '/v1/auth/me', { key });
  const wait = Number(over.headers.get('retry-after'));
  t.ok(wait >= 1 && wait <= 60, `${wait} s`);
  t.equal(over.headers.get('ratelimit-remaining'), '0');
});

t.test('500: an internal error, without its details', async (t) => {
  const broken = await api('POST', '/v1/channels', {
    type: 'ntfy',
    name: 'x',
    config: { url: 'https://ntfy.sh', topic: 'y' },
  });
  const id: string = broken.body.data.id;
  await mongo.db.collection<{ _id: string }>('channels').updateOne({ _id: id }, { $set: { created_at_ms: 'never' } });
  await problem(t, 'internal', 'GET', `/v1/channels/${id}`);
  // The log is written asynchronously.
  await waitFor('its line in the log', 5_000, async () => /RangeError|Invalid time value/.test(controlPlane.output()));
});

t.test('503: while the database is unavailable', async (t) => {
  const { port } = new URL(controlPlane.url);
  await proxy.close();
  // The database stays away, so without a limit of its own none of these would be answered.
  const answers = await Promise.all([
    problem(t, 'unavailable', 'GET', '/v1/channels'),
    problem(t, 'unavailable', 'POST', '/v1/monitors', { body: monitor }),
    problem(t, 'unavailable', 'GET', '/readyz'),
  ]);
  for (const away of answers.slice(0, 2)) t.ok(Number(away.headers.get('retry-after')) >= 1);
  const alive = await new Promise((resolve, reject) => {
    request({ port, path: '/healthz' }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  t.equal(alive, 200, 'the process still runs');
});

t.test('every row of the table is tested', (t) => {
  t.same(TABLE, ERROR_STATUS);
  // These need a person who is logged in; the tests of log-in reach them.
  const ofPeople = ['confirmation_required', 'email_not_confirmed', 'single_sign_on_required'];
  ofPeople.push('second_factor_required', 'second_factor_setup_required');
  t.same([...reached, ...ofPeople].sort(), Object.keys(TABLE).sort());
  t.end();
});
