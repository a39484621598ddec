import t from 'tap';
import { createCreateKey } from '../../../control-plane/accounts/api-keys/create.js';
import { createRevokeKey } from '../../../control-plane/accounts/api-keys/revoke.js';
import { createApiKeyRoutes } from '../../../control-plane/accounts/api-keys/routes.js';
import { createApiKeysStore } from '../../../control-plane/accounts/api-keys/store.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestParts } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { DECLARED } from '../../helpers/declared.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const ACTIVE_MAX = 100;

function routes({ pager, audit, ids, clock, keyAuthenticator }: TestParts) {
  const store = createApiKeysStore(mongo.db);
  const createKey = createCreateKey({ store, audit, ids, clock, random: systemRandom });
  const revokeKey = createRevokeKey({ store, audit, clock, invalidate: keyAuthenticator.invalidate });
  return createApiKeyRoutes({ store, pager, createKey, revokeKey, scopes: DECLARED.scopes });
}

t.test('a workspace has at most 100 active keys', async (t) => {
  const clock = testClock(Date.now());
  const app = await startApp({ mongo, routes, clock });
  t.teardown(() => app.close());
  const create = (key = app.key) => app.request<{ id: string }>('POST', '/v1/api-keys', { key, body: { name: 'CI' } });
  const soonMs = clock.now() + 3_600_000;
  await buildKey(mongo, app.workspace, { expiresAtMs: clock.now() - 1 });
  await buildKey(mongo, app.workspace, { expiresAtMs: soonMs });
  // With the one of the app and the one that expires soon, one short of the limit.
  for (let count = 3; count < ACTIVE_MAX; count++) await buildKey(mongo, app.workspace);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
  const created = answers.filter(({ status }) => status === 201);
  t.equal(created.length, 1, 'of concurrent requests one gets the last place, which the expired key does not take');
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) {
    t.match(answer, { status: 409, body: { code: 'conflict', detail: /at most 100 active API keys/ } });
  }
  const { key: foreign } = await buildKey(mongo, await buildWorkspace(mongo));
  t.equal((await create(foreign)).status, 201, 'another workspace has a limit of its own');
  t.equal((await app.request('DELETE', `/v1/api-keys/${created[0]?.body.data.id}`)).status, 204);
  t.equal((await create()).status, 201, 'a revoked key gives its place back');
  t.equal((await create()).status, 409);
  await clock.advance(3_600_001);
  t.equal((await create()).status, 201, 'and so does one that expires');
});
