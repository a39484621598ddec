import t from 'tap';
import { apiKeyRoutes } from '../../helpers/accounts/api-key-routes.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const ACTIVE_MAX = 100;

t.test('a workspace has at most 100 active keys', async (t) => {
  const clock = testClock(Date.now());
  const app = await startApp({ mongo, routes: apiKeyRoutes, clock });
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
