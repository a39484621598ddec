import t from 'tap';
import { callerBuckets, takeFrom } from '../../../control-plane/http/limits/caller-buckets.js';
import { readRoute } from '../../../control-plane/http/route.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const ping = readRoute({
  ...{ tag: 'T', summary: 'S', replies: { 200: null } },
  method: 'GET',
  path: '/v1/ping',
  access: 'any',
  handle: async () => ({ status: 200, data: 1 }),
});

t.test('further keys of a workspace give no further requests', async (t) => {
  const clock = testClock();
  const app = await startApp({ mongo, routes: [ping], clock, rateLimit: null, plan: 'Free' });
  t.teardown(() => app.close());
  const keys = [];
  for (let count = 0; count < 5; count++) keys.push((await buildKey(mongo, app.workspace)).key);
  const send = (key: string) => app.request('GET', '/v1/ping', { key });
  const remaining = async (key: string) => (await send(key)).headers.get('ratelimit-remaining');
  const passed = [];
  for (const key of keys) {
    let count = 0;
    for (let request = 0; request < 50; request++) if ((await send(key)).status === 200) count += 1;
    passed.push(count);
  }
  t.same(passed, [50, 50, 20, 0, 0], 'twice the limit of a key, for all of them');
  const refused = await send(keys[0] ?? '');
  t.match(refused, {
    status: 429,
    body: { detail: 'The limit for all API keys of a workspace together is 120 requests per minute.' },
  });
  t.equal(refused.headers.get('ratelimit-limit'), '60', 'the limit of the key');
  t.equal(refused.headers.get('ratelimit-remaining'), '0', 'but nothing remains');
  const { key: foreign } = await buildKey(mongo, await buildWorkspace(mongo, { plan: 'Free' }));
  t.equal(await remaining(foreign), '59', 'another workspace is not affected');
  await clock.advance(60_000);
  t.equal(await remaining(keys[4] ?? ''), '59', 'in the next minute');
  for (let request = 0; request < 59; request++) await send(keys[4] ?? '');
  t.match(await send(keys[4] ?? ''), {
    status: 429,
    body: { detail: 'The limit for each API key is 60 requests per minute.' },
  });
  t.equal(await remaining(keys[3] ?? ''), '59', 'one key cannot use up the limit of the others');
});

t.test('keys cannot lock out the people of their workspace', (t) => {
  const used = new Map<string, number>();
  const counter = {
    used: (name: string) => used.get(name) ?? 0,
    add(name: string) {
      used.set(name, (used.get(name) ?? 0) + 1);
      return () => {};
    },
  };
  const take = (userId: string, id: string | null) => {
    const key = id === null ? null : { id, name: id, lastUsedAt: null, expiresAt: null };
    return takeFrom(counter, callerBuckets({ workspaceId: 'ws_1', userId, key }, 10));
  };
  let passed = 0;
  for (let index = 0; index < 100; index++) if (take('usr_1', `key_${index}`) === null) passed += 1;
  t.equal(passed, 20);
  for (let count = 0; count < 10; count++) t.equal(take('usr_1', null), null);
  t.match(take('usr_1', null), { limit: 10, of: 'each person' });
  t.equal(take('usr_2', null), null, 'another person has a limit of their own');
  t.end();
});
