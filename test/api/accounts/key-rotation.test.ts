import t from 'tap';
import type { Static } from 'typebox';
import type { ApiKey, ApiKeySchemas } from '../../../control-plane/accounts/api-keys/schema.js';
import { apiKeyRoutes } from '../../helpers/accounts/api-key-routes.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

type CreatedApiKey = Static<ApiKeySchemas['CreatedApiKey']>;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const DAY_MS = 86_400_000;

async function start(t: { teardown(run: () => unknown): void }) {
  const clock = testClock(Date.now());
  const app = await startApp({ mongo, routes: apiKeyRoutes, clock });
  t.teardown(() => app.close());
  const rotate = (id: string, body?: unknown) =>
    app.request<CreatedApiKey>('POST', `/v1/api-keys/${id}/rotate`, body === undefined ? {} : { body });
  const works = async (key: string) => (await app.request('GET', '/v1/api-keys', { key })).status === 200;
  return { clock, app, rotate, works };
}

t.test('a rotated key goes on working for the overlap, beside the new one', async (t) => {
  const { clock, app, rotate, works } = await start(t);
  const old = await buildKey(mongo, app.workspace, { name: 'Deployment' });
  const rotated = await rotate(old.id);
  t.equal(rotated.status, 201);
  t.equal(rotated.headers.get('etag'), '"1"');
  const { key, id } = rotated.body.data;
  t.match(rotated.body.data, { name: 'Deployment', scopes: ['*'], expires_at: null, replaced_by: null });
  t.ok((await works(old.key)) && (await works(key)), 'both work');
  const shown = await app.request<ApiKey>('GET', `/v1/api-keys/${old.id}`);
  t.match(shown.body.data, { replaced_by: id, expires_at: new Date(clock.now() + DAY_MS).toISOString() });
  const again = await rotate(old.id);
  t.match([again.status, again.body.detail], [409, new RegExp(id)], 'a key is replaced once');
  await clock.advance(DAY_MS);
  t.equal((await app.request('GET', '/v1/api-keys', { key: old.key })).body.code, 'key_expired');
  t.ok(await works(key));
  const entry = await mongo.db.collection('audit_log').findOne({ action: 'api_key.rotated', 'resource.id': old.id });
  t.match(entry, { metadata: { replaced_by: id, last_four: key.slice(-4) } });
});

t.test('without an overlap the old key ends at once; one that expires earlier keeps its end', async (t) => {
  const { clock, app, rotate, works } = await start(t);
  const old = await buildKey(mongo, app.workspace);
  t.ok(await works(old.key), 'it is in the cache');
  t.equal((await rotate(old.id, { overlap_seconds: 0 })).status, 201);
  t.notOk(await works(old.key));
  const expiresAtMs = clock.now() + 60_000;
  const short = await buildKey(mongo, app.workspace, { expiresAtMs });
  const made = await rotate(short.id, { overlap_seconds: 3_600 });
  const shown = await app.request<ApiKey>('GET', `/v1/api-keys/${short.id}`);
  t.equal(shown.body.data.expires_at, new Date(expiresAtMs).toISOString());
  t.not(made.body.data.expires_at, null, 'a key that expires is replaced by one that expires');
  t.equal((await rotate(old.id, { overlap_seconds: 604_801 })).status, 422);
});

t.test('a narrow key cannot be rotated into more rights, and another workspace sees no key', async (t) => {
  const { app, rotate } = await start(t);
  const other = await start(t);
  const old = await buildKey(mongo, app.workspace, { scopes: ['alerts:read'] });
  t.equal((await other.rotate(old.id)).status, 404);
  const rotated = await rotate(old.id);
  t.same(rotated.body.data.scopes, ['alerts:read']);
  const refused = await app.request('POST', `/v1/api-keys/${old.id}/rotate`, { key: rotated.body.data.key });
  t.equal(refused.body.code, 'insufficient_scope');
});

t.test('a key shows who made it, and from which network it was used last', async (t) => {
  const { app } = await start(t);
  const { id, key } = await buildKey(mongo, app.workspace);
  const read = async () => (await app.request<ApiKey>('GET', `/v1/api-keys/${id}`)).body.data;
  t.match(await read(), {
    last_used_network: null,
    created_by: { id: app.workspace.userId, email: app.workspace.email },
  });
  await app.request('GET', '/v1/api-keys', { key });
  await waitFor('the use to be noted', 60_000, async () => (await read()).last_used_network === '127.0.0.1');
});
