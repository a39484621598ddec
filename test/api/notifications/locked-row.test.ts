import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Document, type Filter, MongoClient } from 'mongodb';
import t, { type Test } from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { ChannelDocument, OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { buildNotifications } from '../../helpers/notifications/build.js';
import { expectDeliveries, setUpDelivery } from '../../helpers/notifications/setup.js';
import { waitFor } from '../../helpers/wait.js';

/** Below the time in which the database unlocks what a dead process has left, and in which a call without an answer ends. */
const WHILE_LOCKED_MS = 20_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();
const rows = mongo.db.collection<OutboxRow>('outbox');
const rowOf = async (incidentId: string) => {
  const row = await rows.findOne({ incident_id: incidentId });
  if (row === null) throw new Error('no such notification');
  return row;
};

t.test('a locked notification holds back no result and no due notification of others', async (t) => {
  const leaseMs = 4_000;
  const { receiver, controlPlane, webhook, incident, workspaceId } = await setUpDelivery(t, mongo, { leaseMs });
  const slow = await gatedReceiver(t, 204);
  await controlPlane.channel(workspaceId, { type: 'webhook', name: 'slow', config: { url: slow.url } });
  const opened = await controlPlane.open(incident());
  await slow.gate.reached;
  const unlock = await lock<OutboxRow>(t, 'outbox', { incident_id: opened._id });
  slow.gate.open();
  const { id: free } = await webhook({}, 'free');
  const other = await controlPlane.open(incident({ channels: [free] }));
  await waitFor(
    'the result of another channel',
    WHILE_LOCKED_MS,
    async () => (await rowOf(other._id)).state === 'sent',
  );

  const survivor = buildNotifications(mongo, { leaseMs });
  await survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  await waitFor('the end of the lease', 15_000, async () => Number((await rowOf(opened._id)).lease_until) < Date.now());
  // It does not deliver, so only a scan of the others finds this.
  const due = await buildNotifications(mongo).open(incident({ channels: [free] }));
  await waitFor('a due notification', WHILE_LOCKED_MS, async () => (await rowOf(due._id)).state === 'sent');
  t.equal((await rowOf(opened._id)).state, 'leased', 'it is still locked');
  await unlock();
  await waitFor('the result', 20_000, async () => (await rowOf(opened._id)).state === 'sent');
  t.match(await rowOf(opened._id), { attempts: 1, fence: 1 });
  t.equal(slow.requests(), 1, 'it was sent once');
  t.equal(receiver.requests.length, 2);
});

t.test('results that are stored together with one of a locked notification are stored', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  for (let index = 0; index < 5; index++) await controlPlane.open(incident());
  const outbox = createOutboxStore(mongo.db);
  const claimed = await outbox.claim(id, Date.now(), claimOf({ rowsMax: 5 }));
  const [first, second] = [claimed[2]?._id ?? '', claimed[3]?._id ?? ''];
  const unlock = await lock<OutboxRow>(t, 'outbox', { _id: first });
  const results = claimed.map((row) => ({ row, settlement: { state: 'sent' as const, finished_ms: 1 } }));
  await rows.updateOne({ _id: second }, { $inc: { fence: 1 } });
  await t.rejects(outbox.settle(results), { name: 'RowsLocked', settled: 3, locked: new Set([first]) });
  t.equal(await rows.countDocuments({ state: 'sent' }), 3, 'all but those that are locked or claimed again');
  await unlock();
  t.equal(await outbox.settle(results.filter(({ row }) => row._id === first)), 1);
});

t.test('a locked notification is not claimed again before its holder could store the result', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  const [alive, dead, free] = [
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
  ];
  const outbox = createOutboxStore(mongo.db);
  const claimed = await outbox.claim(id, Date.now(), claimOf({ rowsMax: 5, leaseMs: 1 }));
  t.equal(claimed.length, 3);
  const unlock = await lock<OutboxRow>(t, 'outbox', { incident_id: { $in: [alive._id, dead._id] } });
  t.equal(await outbox.reclaim(Date.now()), 1, 'the one that is not locked');
  t.equal((await rowOf(free._id)).state, 'pending');
  t.equal(await outbox.reclaim(Date.now()), 0);
  await unlock();
  t.equal(await outbox.reclaim(Date.now()), 0, 'right after the end of the lock');
  const row = claimed.find((one) => one.incident_id === alive._id);
  if (row === undefined) throw new Error('it was not claimed');
  t.equal(await outbox.settle([{ row, settlement: { state: 'sent', finished_ms: 1 } }]), 1);
  await waitFor('the other one', 30_000, async () => (await outbox.reclaim(Date.now())) === 1);
  t.equal((await rowOf(dead._id)).state, 'pending');
});

t.test('while the channel of a receiver that is gone is locked, the lease is renewed', async (t) => {
  const { controlPlane, incident, workspaceId } = await setUpDelivery(t, mongo);
  const gone = await gatedReceiver(t, 410);
  const config = { url: gone.url };
  const { id } = await controlPlane.channel(workspaceId, { type: 'webhook', name: 'gone', config });
  const opened = await controlPlane.open(incident());
  await gone.gate.reached;
  const first = Number((await rowOf(opened._id)).lease_until);
  const unlock = await lock<ChannelDocument>(t, 'channels', { _id: id });
  gone.gate.open();
  await waitFor('a new lease', WHILE_LOCKED_MS, async () => Number((await rowOf(opened._id)).lease_until) > first);
  await unlock();
  await expectDeliveries(controlPlane, opened, ['webhook opened failed 1']);
  t.equal(gone.requests(), 1);
});

t.test('a channel that starts with one delivery finds the notification after locked ones', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  const locked: string[] = [];
  for (let index = 0; index < 6; index++) locked.push((await controlPlane.open(incident()))._id);
  const free = await controlPlane.open(incident());
  const unlock = await lock<OutboxRow>(t, 'outbox', { incident_id: { $in: locked } });
  const outbox = createOutboxStore(mongo.db);
  const startedMs = performance.now();
  t.match(await outbox.claim(id, Date.now(), claimOf({ rowsMax: 1 })), [{ incident_id: free._id, state: 'leased' }]);
  t.ok(performance.now() - startedMs < WHILE_LOCKED_MS);
  const againMs = performance.now();
  t.same(await outbox.claim(id, Date.now(), claimOf({ rowsMax: 1 })), []);
  t.ok(performance.now() - againMs < 3_000, 'the next claim does not try the locked ones again');
  await unlock();
  await waitFor('a claim of the first one', WHILE_LOCKED_MS, async () => {
    const [row] = await outbox.claim(id, Date.now(), claimOf({ rowsMax: 1 }));
    return row !== undefined && locked.includes(row.incident_id);
  });
});

t.test('claims of many channels with locked notifications make few writes at a time', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const channels = [await webhook({}, 'a'), await webhook({}, 'b'), await webhook({}, 'c')];
  const free = await controlPlane.open(incident());
  await rows.updateMany({ incident_id: free._id }, { $inc: { next_attempt_ms: 30_000 } });
  for (let index = 0; index < 12; index++) await controlPlane.open(incident());
  await lock<OutboxRow>(t, 'outbox', { incident_id: { $ne: free._id } });

  const client = new MongoClient(mongo.uri, { monitorCommands: true });
  t.teardown(() => client.close());
  const single = new Set<number>();
  let singleMax = 0;
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    if (commandName === 'update' && command['updates'].length === 1) single.add(requestId);
    singleMax = Math.max(singleMax, single.size);
  });
  const ended = ({ requestId }: { requestId: number }) => single.delete(requestId);
  client.on('commandSucceeded', ended);
  client.on('commandFailed', ended);
  const outbox = createOutboxStore(client.db());
  // As of later, so that all are due, and the one that is not locked after the others.
  const claims = channels.map(({ id }) => outbox.claim(id, Date.now() + 60_000, claimOf({ rowsMax: 64 })));
  for (const claimed of await Promise.all(claims)) t.match(claimed, [{ incident_id: free._id }]);
  t.ok(singleMax <= 8, `${singleMax} at a time`);
});

t.test('a notification whose claim took long is claimed again before it is sent', async (t) => {
  const clock = testClock(Date.now());
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  const opened = await buildNotifications(mongo, { clock }).open(incident());
  const unlock = await lock<OutboxRow>(t, 'outbox', { incident_id: opened._id });
  controlPlane.notifications.wake();
  await waitFor('the claim', 5_000, isUpdating, 10);
  clock.stall(11_000);
  await unlock();
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 1']);
  t.equal((await rowOf(opened._id)).fence, 2, 'the lease of the first claim could have ended while it was sent');
  t.equal(receiver.requests.length, 1);
});

function claimOf(over: { rowsMax: number; leaseMs?: number }) {
  return { holder: 'other', leaseMs: 60_000, busyIncidents: [], ...over };
}

/** Whether the database writes to the outbox at this moment, as it does for as long as a row is locked. */
async function isUpdating(): Promise<boolean> {
  const match = { ns: rows.namespace, active: true, op: 'update' };
  const found = await mongo.client
    .db('admin')
    .aggregate([{ $currentOp: {} }, { $match: match }], { readConcern: { level: 'local' } })
    .toArray();
  return found.length > 0;
}

/** Starts a receiver that answers when the test opens its gate. */
async function gatedReceiver(t: Pick<Test, 'teardown'>, status: number) {
  const gate = createGate();
  let requests = 0;
  const server = createServer(async (_request, response) => {
    requests += 1;
    await gate.pass();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    gate.open();
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, gate, requests: () => requests };
}

/** Locks documents as a control plane does that is killed between a write of its transaction and the commit. */
async function lock<T extends Document>(
  t: Pick<Test, 'teardown'>,
  collection: 'outbox' | 'channels',
  filter: Filter<T>,
): Promise<() => Promise<void>> {
  const client = new MongoClient(mongo.uri);
  const session = client.startSession();
  const unlock = async () => {
    if (session.inTransaction()) await session.abortTransaction();
    await client.close();
  };
  t.teardown(unlock);
  session.startTransaction();
  const change: Document = { $set: { locked_by: 'a dead process' } };
  await client.db().collection<T>(collection).updateMany(filter, change, { session });
  return unlock;
}
