import t from 'tap';
import { makeApiKey } from '../../../control-plane/accounts/api-keys/api-key.js';
import { authorize } from '../../../control-plane/http/authenticate.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import { mutationRoute, type Route, readRoute } from '../../../control-plane/http/route.js';
import { createInstall } from '../../../control-plane/install/install.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../../helpers/app.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const ADDRESS_MAX = 300;

const common = { tag: 'T', summary: 'S', replies: { 200: null } } as const;
const routes: Route[] = [
  readRoute({
    ...common,
    method: 'GET',
    path: '/v1/ping',
    access: 'any',
    handle: async () => ({ status: 200, data: 1 }),
  }),
  mutationRoute({
    ...common,
    method: 'POST',
    path: '/v1/rows',
    access: 'any',
    handle: async () => ({ status: 200, data: 1 }),
  }),
];
const mounts: Mount[] = [
  {
    path: '/metrics/servers',
    handle(ctx) {
      ctx.body = authorize(ctx, 'servers:read').workspaceId;
    },
  },
  {
    path: '/healthz',
    limit: 'none',
    handle(ctx) {
      ctx.body = 'ok';
    },
  },
  ...createInstall({ publicUrl: 'http://picket.test', version: '0.0.0', packagesDir: '/nonexistent' }).mounts,
];

/** The database records each query for an API key from now on. */
await mongo.db.command({ profile: 1, slowms: 0, filter: { ns: `${mongo.db.databaseName}.api_keys`, op: 'command' } });
const lookUps = () => mongo.db.collection('system.profile').countDocuments({ 'command.aggregate': 'api_keys' });

async function start(t: { teardown(run: () => unknown): void }): Promise<{ app: TestApp; clock: TestClock }> {
  const clock = testClock();
  const app = await startApp({ mongo, routes, mounts, rateLimit: null, clock });
  t.teardown(() => app.close());
  return { app, clock };
}

const inventedKey = () => makeApiKey(systemRandom);
const tally = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

t.test('invented keys of one address cost a bounded number of queries', async (t) => {
  const { app, clock } = await start(t);
  const { key: unused } = await buildKey(mongo, app.workspace);
  t.equal((await app.request('GET', '/v1/ping')).status, 200);
  const before = await lookUps();
  const answers = await Promise.all(
    Array.from({ length: ADDRESS_MAX + 200 }, () => app.request('GET', '/v1/ping', { key: inventedKey() })),
  );
  t.same(tally(answers), { 401: ADDRESS_MAX, 429: 200 }, 'also when they come at the same time');
  t.equal((await lookUps()) - before, ADDRESS_MAX);
  const refused = await app.request('GET', '/v1/ping', { key: inventedKey() });
  t.match(refused, { status: 429, body: { code: 'rate_limited' } });
  t.equal(refused.headers.get('retry-after'), '60');
  t.equal(refused.headers.get('ratelimit-limit'), String(ADDRESS_MAX));
  t.equal(refused.headers.get('ratelimit-remaining'), '0');
  t.equal((await app.request('POST', '/v1/rows', { key: null })).status, 429, 'without a key');
  t.equal((await app.request('GET', '/v1/ping', { key: 'pk_live_wrong' })).status, 429, 'with a malformed one');
  t.equal((await app.request('GET', '/v1/ping')).status, 200, 'a key that is in use still works');
  t.equal((await app.request('GET', '/v1/ping', { key: unused })).status, 429, 'one that is not is not looked up');
  await clock.advance(60_000);
  t.equal((await app.request('GET', '/v1/ping', { key: unused })).status, 200, 'in the next minute it is');
});

t.test('requests with a valid key do not count for their address', async (t) => {
  const { app } = await start(t);
  const { key } = await buildKey(mongo, app.workspace);
  const first = await Promise.all(
    Array.from({ length: ADDRESS_MAX + 100 }, () => app.request('GET', '/v1/ping', { key })),
  );
  t.same(tally(first), { 200: ADDRESS_MAX + 100 }, 'not even the first ones, all at once');
  const anonymous = await app.request('GET', '/v1/ping', { key: null });
  t.equal(anonymous.headers.get('ratelimit-remaining'), String(ADDRESS_MAX - 1));
});

t.test('mounts are limited too, for an address and for a key', async (t) => {
  const { app, clock } = await start(t);
  const paths = ['/metrics/servers', '/install/agent.sh', '/install/probe.sh', '/install/picket-agent-0.0.0.tar.gz'];
  for (let count = 0; count < ADDRESS_MAX; count++) {
    const path = paths[count % paths.length] ?? '';
    const { status } = await app.request('GET', path, { key: null });
    t.equal(status, path === '/metrics/servers' ? 401 : 503);
  }
  for (const path of paths) t.equal((await app.request('GET', path, { key: null })).status, 429, path);
  for (let count = 0; count < 2; count++) {
    t.equal((await app.request('GET', '/healthz', { key: null })).status, 200, 'health checks are never refused');
  }
  await clock.advance(60_000);
  const scrape = await app.request('GET', '/metrics/servers');
  t.match(scrape, { status: 200, text: app.workspace.id });
  t.equal(scrape.headers.get('ratelimit-remaining'), '1199');
  t.equal((await app.request('GET', '/v1/ping')).headers.get('ratelimit-remaining'), '1198', 'the same limit');
  const { key } = await buildKey(mongo, app.workspace, { scopes: ['alerts:read'] });
  t.equal((await app.request('GET', '/metrics/servers', { key })).status, 403);
});
