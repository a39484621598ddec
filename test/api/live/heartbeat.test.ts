import t from 'tap';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { openEvents } from '../../helpers/live/event-client.js';
import { startLiveApp } from '../../helpers/live/live-app.js';
import { recordedChanges } from '../../helpers/live/record-changes.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const clock = testClock(Date.now());
const app = await startLiveApp(mongo, { clock });
const changes = recordedChanges(mongo);
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

t.test('a heartbeat comes every 5 seconds, and moves the position of clients to which nothing happened', async (t) => {
  const [quiet, busy] = await Promise.all([buildWorkspace(mongo), buildWorkspace(mongo)]);
  const { key } = await buildKey(mongo, quiet);
  const client = await openEvents(app.url, key);
  const { id } = await client.next(({ type }) => type === 'ready');
  t.equal(client.comments(), 0);
  await changes.down(busy.id, 'elsewhere');
  const heartbeats = client.comments();
  await waitFor('the next position', 60_000, async () => {
    await clock.advance(500);
    return client.comments() > heartbeats && client.lastId() !== id;
  });
  t.ok(Number(client.lastId()) > Number(id), 'it is behind what happened elsewhere');
  t.same(
    client.events.map(({ type }) => type).filter((type) => type !== 'behind'),
    ['ready'],
    'without an event, but that time went faster here than reading',
  );
  client.close();
});

t.test('a session or key that ends without an entry in the audit log is noticed', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const client = await openEvents(app.url, key);
  await client.next(({ type }) => type === 'ready');
  await mongo.db
    .collection('api_keys')
    .updateOne({ hash: { $exists: true }, workspace_id: workspace.id }, [{ $set: { revoked_at_ms: 1 } }]);
  const ended = client.next(({ type }) => type === 'end');
  await waitFor('the end', 60_000, async () => {
    await clock.advance(1_000);
    return client.events.some(({ type }) => type === 'end');
  });
  t.match(await ended, { data: { reason: 'access_ended', reconnect: false } });
  await client.ended;
});

t.test('a stream ends within an hour, and its client continues behind the last event', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const client = await openEvents(app.url, key);
  await client.next(({ type }) => type === 'ready');
  clock.stall(47 * 60_000);
  await clock.advance(1_000);
  t.notOk(
    client.events.some(({ type }) => type === 'end'),
    'not long before',
  );
  clock.stall(13 * 60_000);
  await clock.advance(1_000);
  const end = await client.next(({ type }) => type === 'end');
  t.match(end, { data: { reason: 'expired', reconnect: true } });
  await client.ended;
  const again = await openEvents(app.url, key, { lastId: client.lastId() });
  t.match(await again.next(({ type }) => type === 'ready'), { data: { resumed: true } });
  again.close();
});
