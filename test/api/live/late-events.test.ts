import t from 'tap';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { openEvents } from '../../helpers/live/event-client.js';
import { startLiveApp } from '../../helpers/live/live-app.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { waitFor } from '../../helpers/wait.js';

const HEARTBEAT_MS = 5_000;
/** The control plane reads the log this often. */
const POLL_MS = 250;
/** Less than makes the streams late, and more than ends it. */
const SLOW_MS = 4_500;
const HEARTBEATS = 6;

const mongo = await testDatabase();
const way = await tcpProxy(Number(new URL(mongo.uri).port));
const slow = await openMongo(throughProxy(mongo.uri, way.port));
const clock = testClock(Date.now());
const app = await startLiveApp(slow, { clock });
t.teardown(async () => {
  way.resume();
  await app.close();
  await slow.close();
  await way.close();
  await mongo.drop();
});

t.test('while reading the log takes too long, clients are told so all the time and get no heartbeat', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const client = await openEvents(app.url, key);
  await client.next(({ type }) => type === 'ready');
  const behind = () => client.events.filter(({ type }) => type === 'behind').length;
  const lagMs = async () => (await app.metric('picket_events_lag_seconds')) * 1_000;
  const readFor = async (ms: number) => {
    way.pause();
    await clock.advance(POLL_MS);
    await clock.advance(ms);
    const lateMs = await lagMs();
    way.resume();
    await waitFor('the end of the read', 60_000, async () => (await lagMs()) < lateMs);
  };
  await readFor(2 * HEARTBEAT_MS);
  t.match(await client.next(({ type }) => type === 'behind'), { data: {} });
  const [told, heartbeats] = [behind(), client.comments()];
  for (let passedMs = 0; passedMs < HEARTBEATS * HEARTBEAT_MS; passedMs += POLL_MS + SLOW_MS) await readFor(SLOW_MS);
  await waitFor('as many as heartbeats', 60_000, () => behind() >= told + HEARTBEATS);
  const late = await openEvents(app.url, key);
  await late.next(({ type }) => type === 'behind');
  t.same(
    late.events.map(({ type }) => type),
    ['ready', 'behind'],
    'also a client that connects meanwhile',
  );
  t.same([client.comments(), late.comments()], [heartbeats, 0]);
  await waitFor('a heartbeat', 60_000, async () => {
    await clock.advance(500);
    return client.comments() > heartbeats && late.comments() > 0;
  });
  t.ok((await lagMs()) < SLOW_MS);
  late.close();
  client.close();
});
