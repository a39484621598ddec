import t from 'tap';
import type { Static } from 'typebox';
import { isApiKey, makeApiKey } from '../../../control-plane/accounts/api-keys/api-key.js';
import type { ApiKey, ApiKeySchemas } from '../../../control-plane/accounts/api-keys/schema.js';
import type { MembershipDocument } from '../../../control-plane/accounts/documents.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createMeRoute } from '../../../control-plane/own-account/me-route.js';
import { PLANS } from '../../../control-plane/plans/plans.js';
import { refuseOverQuota } from '../../../control-plane/plans/quota.js';
import { systemRandom } from '../../../kernel/random.js';
import { apiKeyRoutes } from '../../helpers/accounts/api-key-routes.js';
import { startApp, type TestApp, type TestAppOptions, type TestParts } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { DECLARED } from '../../helpers/declared.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

type CreatedApiKey = Static<ApiKeySchemas['CreatedApiKey']>;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

function routes(parts: TestParts) {
  // Only keys ask here, and nothing of a second factor is read for them.
  const secondFactors = { summary: () => Promise.reject(new Error('read for a key')) };
  const users = createUsersStore(mongo.db);
  const me = createMeRoute({ scopes: DECLARED.scopes, smtpUrl: null, users, secondFactors });
  return [me, ...apiKeyRoutes(parts)];
}

async function start(
  t: { teardown(run: () => unknown): void },
  options: Partial<TestAppOptions> = {},
): Promise<TestApp> {
  const app = await startApp({ mongo, routes, ...options });
  t.teardown(() => app.close());
  return app;
}

t.test('the format of a key', async (t) => {
  const key = makeApiKey(systemRandom);
  t.match(key, /^pk_live_[0-9A-Za-z]{38}$/);
  t.ok(isApiKey(key));
  t.not(makeApiKey(systemRandom), key);
  t.equal(
    makeApiKey({ fraction: () => 0, bytes: (length) => Buffer.alloc(length, 10) }),
    `pk_live_${'A'.repeat(32)}3Ae0o2`,
    'the last characters are the CRC-32 of the random ones in base 62',
  );
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === 'z' ? 'y' : 'z';
    t.notOk(isApiKey(key.slice(0, index) + other + key.slice(index + 1)), `a wrong character at ${index}`);
  }
  for (const bad of ['', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`]) t.notOk(isApiKey(bad), JSON.stringify(bad));
});

t.test('GET /v1/auth/me', async (t) => {
  const app = await start(t);
  for (const path of ['/v1/auth/me', '/api/v1/auth/me']) {
    const me = await app.request('GET', path);
    t.equal(me.status, 200);
    t.match(me.body.data, {
      id: app.workspace.userId,
      email: app.workspace.email,
      plan: 'Enterprise',
      workspace: { id: app.workspace.id, name: app.workspace.name },
      api_key: { id: /^key_/, name: 'test', last_used_at: /^\d{4}-.*Z$/, expires_at: null },
    });
  }
  const narrow = await buildKey(mongo, app.workspace, { scopes: ['alerts:read'], expiresAtMs: Date.now() + 3_600_000 });
  const me = await app.request<{ api_key: ApiKey }>('GET', '/v1/auth/me', { key: narrow.key });
  t.equal(me.status, 200, 'any valid key is accepted');
  t.match(me.body.data.api_key, { scopes: ['alerts:read'], expires_at: /Z$/ });
});

t.test('a key is created, shown once, listed, used and revoked', async (t) => {
  const app = await start(t);
  const created = await app.request<CreatedApiKey>('POST', '/v1/api-keys', {
    body: { name: ' CI ', expires_at: '2100-01-01T00:00:00+01:00' },
    headers: { 'x-request-id': 'make-key' },
  });
  t.equal(created.status, 201);
  const { key, ...shown } = created.body.data;
  t.match(shown, {
    id: /^key_/,
    name: 'CI',
    last_four: key.slice(-4),
    scopes: ['*'],
    last_used_at: null,
    expires_at: '2099-12-31T23:00:00.000Z',
  });
  t.equal(created.headers.get('location'), `/v1/api-keys/${shown.id}`);
  const stored = await mongo.db.collection('api_keys').findOne({ name: 'CI' });
  t.notMatch(JSON.stringify(stored), new RegExp(key), 'only a hash is stored');

  const read = await app.request<ApiKey>('GET', `/v1/api-keys/${shown.id}`);
  t.same(read.body.data, shown);
  t.equal(read.headers.get('etag'), created.headers.get('etag'));
  t.equal((await app.request('GET', '/v1/auth/me', { key })).status, 200);
  const list = await app.request<ApiKey[]>('GET', '/v1/api-keys');
  t.equal(list.body.data[0]?.id, shown.id, 'newest first');
  t.equal(list.body.next_cursor, null);
  t.notMatch(list.text, new RegExp(key));
  t.ok(list.body.data.every((row) => !('key' in row) && !('hash' in row)));

  const otherTenant = await buildKey(mongo, await buildWorkspace(mongo));
  t.equal((await app.request('GET', `/v1/api-keys/${shown.id}`, { key: otherTenant.key })).status, 404);
  t.equal((await app.request('DELETE', `/v1/api-keys/${shown.id}`, { key: otherTenant.key })).status, 404);
  t.equal((await app.request('DELETE', `/v1/api-keys/${shown.id}`, { headers: { 'if-match': '"2"' } })).status, 412);
  t.equal((await app.request('GET', '/v1/auth/me', { key })).status, 200, 'neither request has revoked it');
  t.equal((await app.request('DELETE', `/v1/api-keys/${shown.id}`)).status, 204);
  const refused = await app.request('GET', '/v1/auth/me', { key });
  t.equal(refused.status, 401, 'revoked at once although it was cached');
  t.equal(refused.body.code, 'key_revoked');
  t.equal((await app.request('DELETE', `/v1/api-keys/${shown.id}`)).status, 404);
  t.equal((await app.request('GET', `/v1/api-keys/${shown.id}`)).status, 404);
  t.notOk((await app.request<ApiKey[]>('GET', '/v1/api-keys')).body.data.some((row) => row.id === shown.id));

  const entries = await mongo.db.collection('audit_log').find({ 'resource.id': shown.id }).sort({ _id: 1 }).toArray();
  t.match(entries, [
    {
      action: 'api_key.created',
      severity: 'critical',
      request_id: 'make-key',
      workspace_id: app.workspace.id,
      actor: { id: app.workspace.userId },
      metadata: { scopes: ['*'], expires_at: '2099-12-31T23:00:00.000Z', last_four: key.slice(-4) },
    },
    { action: 'api_key.revoked', severity: 'warning' },
  ]);
  t.notMatch(JSON.stringify(entries), new RegExp(key));
});

t.test('a revocation on another control plane takes effect within a second', async (t) => {
  const clock = testClock(Date.now());
  const [one, two] = [await start(t), await start(t, { clock })];
  const created = await one.request<CreatedApiKey>('POST', '/v1/api-keys', { body: { name: 'x' } });
  const { id, key } = created.body.data;
  t.equal((await two.request('GET', '/v1/auth/me', { key })).status, 200, 'valid on every control plane at once');
  t.equal((await one.request('DELETE', `/v1/api-keys/${id}`)).status, 204);
  await clock.advance(1_000);
  t.equal((await two.request('GET', '/v1/auth/me', { key })).body.code, 'key_revoked');
});

t.test(
  'a key of a member who left the workspace ends within a second, and works again if the member returns',
  async (t) => {
    const clock = testClock(Date.now());
    const app = await start(t, { clock });
    t.equal((await app.request('GET', '/v1/auth/me')).status, 200);
    const memberships = mongo.db.collection<MembershipDocument>('memberships');
    const membership = await memberships.findOneAndDelete({ user_id: app.workspace.userId });
    if (membership === null) throw new Error('no membership');
    await clock.advance(1_000);
    for (const path of ['/v1/auth/me', '/v1/api-keys']) {
      t.match(await app.request('GET', path), {
        status: 401,
        body: { code: 'key_revoked', detail: /left the workspace/ },
      });
    }
    await memberships.insertOne(membership);
    await clock.advance(1_000);
    t.equal((await app.request('GET', '/v1/auth/me')).status, 200);
  },
);

t.test('which keys can be created', async (t) => {
  const app = await start(t);
  const create = (body: object, key?: string) =>
    app.request<CreatedApiKey>('POST', '/v1/api-keys', { body, ...(key === undefined ? {} : { key }) });
  const refused = async (status: number, code: string, body: object, path?: string, key?: string) => {
    const answer = await create(body, key);
    t.equal(answer.status, status, JSON.stringify(body));
    t.equal(answer.body.code, code);
    if (path !== undefined) t.equal(answer.body.errors?.[0]?.path, path);
  };
  await refused(422, 'validation_failed', {}, '/name');
  await refused(422, 'validation_failed', { name: ' ' }, '/name');
  await refused(422, 'validation_failed', { name: 'x'.repeat(201) }, '/name');
  await refused(422, 'validation_failed', { name: 'x', scopes: [] }, '/scopes');
  await refused(422, 'validation_failed', { name: 'x', scopes: ['monitors:all'] }, '/scopes/0');
  await refused(422, 'validation_failed', { name: 'x', scopes: ['monitors:read', 'monitors:read'] }, '/scopes');
  await refused(422, 'validation_failed', { name: 'x', scopes: ['*', 'monitors:read'] }, '/scopes');
  await refused(422, 'validation_failed', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at');
  await refused(422, 'validation_failed', { name: 'x', expires_at: 'soon' }, '/expires_at');
  await refused(422, 'validation_failed', { name: 'x', role: 'owner' }, '/role');
  t.equal((await create({ name: 'x', expires_at: null })).status, 201);
  for (const part of ['channels', 'maintenance', 'status_pages']) {
    const both = [`${part}:read`, `${part}:write`];
    t.match(await create({ name: part, scopes: both }), { status: 201, body: { data: { scopes: both } } }, part);
  }
  const scoped = await create({ name: 'x', scopes: [...DECLARED.scopes] });
  t.equal(scoped.status, 201);
  await refused(403, 'insufficient_scope', { name: 'x' }, undefined, scoped.body.data.key);
  t.equal((await app.request('GET', '/v1/api-keys', { key: scoped.body.data.key })).status, 403);

  const short = await create({ name: 'short', expires_at: '2090-01-01T00:00:00Z' });
  await refused(403, 'forbidden', { name: 'x' }, undefined, short.body.data.key);
  await refused(403, 'forbidden', { name: 'x', expires_at: '2091-01-01T00:00:00Z' }, undefined, short.body.data.key);
  t.equal((await create({ name: 'x', expires_at: '2089-01-01T00:00:00Z' }, short.body.data.key)).status, 201);

  for (const plan of ['Free', 'Pro'] as const) {
    const { key } = await buildKey(mongo, await buildWorkspace(mongo, { plan }));
    await refused(403, 'plan_required', { name: 'x', scopes: ['monitors:read'] }, undefined, key);
    t.equal((await create({ name: 'x', scopes: ['*'] }, key)).status, 201);
  }
});

t.test('a new key in a stored response is encrypted', async (t) => {
  const app = await start(t);
  const options = { body: { name: 'sealed' }, headers: { 'idempotency-key': 'one' } };
  const first = await app.request<CreatedApiKey>('POST', '/v1/api-keys', options);
  const again = await app.request<CreatedApiKey>('POST', '/v1/api-keys', options);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(again.body.data.key, first.body.data.key, 'a repeat still gets the key');
  t.equal(await mongo.db.collection('api_keys').countDocuments({ name: 'sealed' }), 1);
  const stored = JSON.stringify(await mongo.db.collection('idempotency_keys').find().toArray());
  t.notMatch(stored, new RegExp(first.body.data.key));
  t.notMatch(stored, new RegExp(Buffer.from(first.body.data.key).toString('base64').slice(0, 20)));
});

t.test('the use of a key is recorded at most once a minute', async (t) => {
  const clock = testClock(Date.now());
  const app = await start(t, { clock });
  const { id, key } = await buildKey(mongo, app.workspace);
  const lastUsed = async () =>
    (await mongo.db.collection<{ _id: string; last_used_at_ms: number | null }>('api_keys').findOne({ _id: id }))
      ?.last_used_at_ms;
  await app.request('GET', '/v1/auth/me', { key });
  const firstMs = clock.now();
  await waitFor('the first use', 60_000, async () => (await lastUsed()) === firstMs, 5);
  await clock.advance(59_999);
  await app.request('GET', '/v1/auth/me', { key });
  await clock.advance(1);
  await app.request('GET', '/v1/auth/me', { key });
  // Had the use before it been noted, this one would not be.
  await waitFor('a use after a minute', 60_000, async () => (await lastUsed()) === firstMs + 60_000, 5);
});

t.test('quota errors name the limit and the next plan', async (t) => {
  refuseOverQuota('Free', 'monitors', 19);
  t.throws(() => refuseOverQuota('Free', 'monitors', 20), {
    code: 'plan_limit',
    message: 'The Free plan allows 20 monitors. The Pro plan allows 200 monitors.',
    extra: {
      errors: [
        {
          code: 'plan_limit',
          params: { limit: 'monitors', plan: 'Free', allowed: 20, larger_plan: 'Pro', larger_allows: 200 },
        },
      ],
    },
  });
  t.throws(() => refuseOverQuota('Free', 'sites', 1), { message: /allows 1 WordPress site\. / });
  t.throws(() => refuseOverQuota('Pro', 'reportsPerMonth', 50), {
    message: /Enterprise plan allows any number of reports a month/,
  });
  t.throws(() => refuseOverQuota('Free', 'servers', 60), { message: /Enterprise plan allows 5,000 servers/ });
  t.throws(() => refuseOverQuota('Enterprise', 'monitors', PLANS.Enterprise.monitors), {
    code: 'plan_limit',
    message: /allows 50,000 monitors\. No plan allows more\.$/,
  });
});
