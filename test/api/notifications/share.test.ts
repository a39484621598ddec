import t from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import { PLACE_LIMITS } from '../../../control-plane/notifications/delivery/queues/places.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { buildIncident, buildNotifications } from '../../helpers/notifications/build.js';
import { setUpDelivery } from '../../helpers/notifications/setup.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();

t.test('workspaces with more channels that hang than there are places delay no other workspace', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { exchangeTimeoutMs: 600_000 });
  const hanging = await startReceiver();
  t.teardown(() => hanging.close());
  hanging.behave('hang');
  const hostile = ['hostile_1', 'hostile_2'];
  const channelsOfEach = PLACE_LIMITS.all / hostile.length + 1;
  for (const workspaceId of hostile) {
    const names = Array.from({ length: channelsOfEach }, (_, index) => `stuck ${index}`);
    await inParallel(names, 8, async (name) => {
      await controlPlane.channel(workspaceId, { type: 'webhook', name, config: { url: hanging.url } });
    });
    await controlPlane.open(buildIncident(workspaceId));
  }
  await hanging.arrived(PLACE_LIMITS.crowded);
  await webhook();
  await controlPlane.open(incident());
  await receiver.arrived(1);
  const most = PLACE_LIMITS.crowded + PLACE_LIMITS.workspace * hostile.length;
  t.ok(hanging.requests.length <= most, 'then no workspace has more than its share');
});

/** The fields of `system.profile` that tests read. */
interface Read {
  docsExamined: number;
  keysExamined: number;
}

t.test('each second, the database reads one key of each channel, and no row', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const outbox = createOutboxStore(database.db, testClock());
  await outbox.ensureIndexes();
  const rows = ['a', 'b', 'c'].flatMap((channel_id) =>
    Array.from({ length: 50 }, (_, index) => {
      const id = `${channel_id}_${index}`;
      const due = { state: 'pending', next_attempt_ms: 1_000 - index, sequence: index };
      return { ...due, _id: id as never, channel_id, workspace_id: `ws_${channel_id}`, incident_id: id };
    }),
  );
  await database.db.collection('outbox').insertMany(rows);
  await database.db.command({ profile: 1, filter: { 'command.aggregate': 'outbox' } });
  const waiting = await outbox.waitingChannels();
  const workspaces = await outbox.workspacesOf(['a', 'c', 'none']);
  await database.db.command({ profile: 0 });
  const inOrder = <C extends { channelId: string }>(channels: C[]) =>
    channels.sort((one, other) => one.channelId.localeCompare(other.channelId));
  t.same(
    inOrder(waiting),
    ['a', 'b', 'c'].map((channelId) => ({ channelId, dueMs: 951 })),
  );
  t.same(
    inOrder(workspaces),
    ['a', 'c'].map((channelId) => ({ channelId, workspaceId: `ws_${channelId}` })),
  );
  const [scan, lookUp] = await database.db.collection<Read>('system.profile').find().sort({ ts: 1 }).toArray();
  t.match(scan, { docsExamined: 0 });
  t.ok((scan?.keysExamined ?? 100) < 10, `${scan?.keysExamined} keys`);
  t.match(lookUp, { docsExamined: 2 }, 'a row of each that was asked for');
  t.ok((lookUp?.keysExamined ?? 100) < 10, `${lookUp?.keysExamined} keys`);
});

t.test('the workspace of a channel is looked up when it is begun, not while it is served', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  await buildNotifications(database).ensureIndexes();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, database, {
    exchangeTimeoutMs: 600_000,
  });
  receiver.behave((_request, index) => (index === 0 ? 'hang' : { status: 200 }));
  await webhook();
  await controlPlane.open(incident());
  await receiver.arrived(1);
  await controlPlane.open(incident());
  await database.db.command({ profile: 1, filter: { 'command.aggregate': 'outbox' } });
  const reads = (channels: object) => {
    const filter = { 'command.pipeline.0.$match.channel_id': channels };
    return database.db.collection('system.profile').countDocuments(filter);
  };
  await waitFor('three scans', 20_000, async () => {
    controlPlane.notifications.wake();
    return (await reads({ $exists: false })) >= 3;
  });
  t.equal(await reads({ $exists: true }), 0, 'a row is due for a channel that is served');
  const next = buildNotifications(database);
  await next.notifications.start();
  t.teardown(() => next.notifications.stop());
  await receiver.arrived(2);
  t.ok((await reads({ $exists: true })) >= 1, 'another control plane does not serve it yet');
});
