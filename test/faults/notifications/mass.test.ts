import { spawn } from 'node:child_process';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import { CONCURRENCY_MAX } from '../../../control-plane/notifications/delivery/queues/concurrency.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { reportFault } from '../../helpers/fault-report.js';
import { buildIncident, buildNotifications, RESOLVED } from '../../helpers/notifications/build.js';
import { advance, expectDeliveries, idOf, settled, setUpDelivery, typeOf } from '../../helpers/notifications/setup.js';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';
import { waitFor } from '../../helpers/wait.js';

const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();
const incidentsStored = mongo.db.collection<IncidentDocument>('incidents');
const outboxStored = mongo.db.collection<OutboxRow>('outbox');

type Setup = Awaited<ReturnType<typeof setUpDelivery>>;
/** So few that each transaction gets a connection of the pool. */
const AT_ONCE = 25;

async function inGroups<In, Out>(items: readonly In[], run: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  while (done.length < items.length) {
    done.push(...(await Promise.all(items.slice(done.length, done.length + AT_ONCE).map(run))));
  }
  return done;
}

const openMany = ({ controlPlane, incident }: Setup, count: number) =>
  inGroups(Array.from({ length: count }), () => controlPlane.open(incident()));

/** Counts the concurrent requests of a receiver, and their maximum. */
function gauge({ receiver }: Setup, answer: (index: number) => { status: number; afterMs: number }) {
  const seen = { now: 0, most: 0 };
  receiver.behave((_request, index) => {
    const how = answer(index);
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    setTimeout(() => {
      seen.now -= 1;
    }, how.afterMs);
    return how;
  });
  return seen;
}

t.test('deliveries to a working channel run concurrently, to a failing one sequentially', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  await setup.controlPlane.notifications.stop();
  await setup.webhook();
  const opened = await openMany(setup, 80);
  const good = gauge(setup, () => ({ status: 200, afterMs: 40 }));
  const sender = buildNotifications(mongo);
  await sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await setup.receiver.arrived(80, 20_000);
  t.ok(good.most > 4 && good.most <= CONCURRENCY_MAX, `${good.most} at once`);
  for (const one of opened) await expectDeliveries(setup.controlPlane, one, ['webhook opened sent 1']);

  await sender.notifications.stop();
  const bad = gauge(setup, () => ({ status: 500, afterMs: 20 }));
  await openMany(setup, 5);
  const second = buildNotifications(mongo);
  await second.notifications.start();
  t.teardown(() => second.notifications.stop());
  await setup.receiver.arrived(85, 20_000);
  t.equal(bad.most, 1);
});

t.test('many incidents at once: `resolved` follows `opened`, no ID is sent twice, and all are recorded', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  const others = [buildNotifications(mongo)];
  for (const other of others) await other.notifications.start();
  t.teardown(() => Promise.all(others.map((other) => other.notifications.stop())));
  for (const name of ['a', 'b']) await setup.webhook({}, name);
  const answered = new Set<string>();
  const tooEarly: string[] = [];
  setup.receiver.behave((request) => {
    const key = `${request.json.data.incident.id}${request.path}`;
    if (typeOf(request) === 'incident.resolved' && !answered.has(key)) tooEarly.push(key);
    // After the response, because `resolved` must wait for the response to `opened`.
    setTimeout(() => answered.add(key), 5);
    return { status: 200, afterMs: 6 };
  });
  const opened = await openMany(setup, 100);
  await inGroups(opened, (one) => setup.controlPlane.change(one, RESOLUTION, 'resolved'));
  await setup.receiver.arrived(400, 30_000);
  await settled(mongo);
  t.equal(setup.receiver.requests.length, 400);
  t.equal(new Set(setup.receiver.requests.map(idOf)).size, 400, 'no ID twice');
  t.same(tooEarly, [], 'no `resolved` before the response to `opened`');
  for (const one of opened) {
    const expected = [
      'webhook opened sent 1',
      'webhook opened sent 1',
      'webhook resolved sent 1',
      'webhook resolved sent 1',
    ];
    t.same(await setup.controlPlane.deliveries(one), expected);
  }
});

t.test('a delivery does not write to the incident, so it cannot conflict with changes of it', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  await setup.webhook();
  const opened = await setup.controlPlane.open(setup.incident());
  const before = await incidentsStored.findOne({ _id: opened._id });
  await expectDeliveries(setup.controlPlane, opened, ['webhook opened sent 1']);
  t.same(await incidentsStored.findOne({ _id: opened._id }), before);
  const row = await outboxStored.findOne({ incident_id: opened._id });
  t.equal(row?.snapshot, null, 'a final row has no snapshot');
});

t.test('kill -9 during many deliveries: nothing is lost, and only deliveries in progress are repeated', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  await setup.controlPlane.notifications.stop();
  await setup.webhook();
  const opened = await openMany(setup, 120);
  const script = nodeArguments(new URL('../../helpers/notifications/delivery-process.ts', import.meta.url));
  const child = spawn(process.execPath, [...script, mongo.uri, '1500'], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const died = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  setup.receiver.behave((_request, index) => {
    if (index === 60) child.kill('SIGKILL');
    return { status: 200, afterMs: 15 };
  });
  await setup.receiver.arrived(61, 30_000);
  t.equal(await died, 'SIGKILL');
  const before = setup.receiver.requests.length;
  const recorded = await outboxStored.countDocuments({ state: 'sent' });
  const survivor = buildNotifications(mongo, { leaseMs: 1_500 });
  await survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  await waitFor('all notifications', 20_000, () => new Set(setup.receiver.requests.map(idOf)).size === 120);
  await settled(mongo, Date.now());
  const counts = new Map<string | undefined, number>();
  for (const request of setup.receiver.requests) counts.set(idOf(request), (counts.get(idOf(request)) ?? 0) + 1);
  const twice = [...counts.values()].filter((count) => count > 1).length;
  reportFault({
    fault: 'kill -9 during deliveries',
    of: 'notifications',
    expected: opened.length,
    seen: setup.receiver.requests.length,
    lost: opened.length - counts.size,
    doubled: twice,
    falsePages: 0,
  });
  t.ok([...counts.values()].every((count) => count <= 2));
  t.ok(twice <= before - recorded, `${twice} arrived twice; ${before} had arrived and ${recorded} were recorded`);
  t.ok(twice <= CONCURRENCY_MAX, 'at most the concurrency');
  for (const one of opened) t.match((await setup.controlPlane.deliveries(one)).join(), /^webhook opened sent [12]$/);
});

t.test('a result that cannot be written does not block others, and its notification is not sent again', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  await setup.controlPlane.notifications.stop();
  const { id } = await setup.webhook();
  const opened = await openMany(setup, 20);
  const stuck = `${opened[3]?._id}:opened:${id}`;
  await mongo.db.command({ collMod: 'outbox', validator: { $nor: [{ _id: stuck, state: 'sent' }] } });
  t.teardown(() => mongo.db.command({ collMod: 'outbox', validator: {} }));
  const sender = buildNotifications(mongo);
  await sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await setup.receiver.arrived(20, 20_000);
  await waitFor('the other results', 10_000, async () => (await outboxStored.countDocuments({ state: 'sent' })) === 19);
  t.equal((await outboxStored.findOne({ _id: stuck }))?.state, 'leased');
  await mongo.db.command({ collMod: 'outbox', validator: {} });
  await waitFor('the last result', 10_000, async () => (await outboxStored.countDocuments({ state: 'sent' })) === 20);
  t.equal(setup.receiver.requests.length, 20);
});

t.test('a row that was claimed ahead and starts late is evaluated again', async (t) => {
  const setup = await setUpDelivery(t, mongo);
  await setup.controlPlane.notifications.stop();
  await setup.webhook();
  await openMany(setup, 120);
  // Turns the rows into due escalation steps, which an acknowledgement withdraws.
  await outboxStored.updateMany({}, { $set: { step: true, snapshot: null } });
  setup.receiver.behave((_request, index) => ({ status: 200, afterMs: index < 40 ? 0 : 2_500 }));
  const sender = buildNotifications(mongo);
  await sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await setup.receiver.arrived(40 + CONCURRENCY_MAX / 2, 20_000);
  t.ok((await outboxStored.countDocuments({ state: 'leased' })) > CONCURRENCY_MAX, 'more rows are claimed than sent');
  await incidentsStored.updateMany({}, { $set: { acknowledged_at_ms: 1 } });
  await waitFor('the other rows', 15_000, async () => (await outboxStored.countDocuments({ finished_ms: null })) === 0);
  const sent = setup.receiver.requests.length;
  t.ok(sent <= 40 + CONCURRENCY_MAX, `${sent} of 120 were sent`);
  t.equal(await outboxStored.countDocuments({ state: 'withdrawn', error: /acknowledged/ }), 120 - sent);
});

t.test('a crash between writing a reminder and recording the result does not repeat the reminder', async (t) => {
  const clock = testClock();
  const setup = await setUpDelivery(t, mongo, { clock });
  await setup.controlPlane.notifications.stop();
  const { id } = await setup.webhook({ repeat_minutes: 30 });
  const opened = await setup.controlPlane.open(setup.incident());
  const row = await outboxStored.findOne({ incident_id: opened._id });
  if (row === null) throw new Error('no row');
  const reminder: OutboxRow = {
    ...row,
    _id: `${opened._id}:reminder#1:${id}`,
    event: 'reminder#1',
    sequence: 1,
    next_attempt_ms: clock.now() + 1_000_000,
    snapshot: null,
  };
  await createOutboxStore(mongo.db, clock).insertMissing([reminder]);
  const sender = buildNotifications(mongo, { clock });
  await sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await expectDeliveries(setup.controlPlane, opened, ['webhook opened sent 1']);
  const reminders = await outboxStored.find({ event: 'reminder#1' }).toArray();
  t.match(reminders, [{ next_attempt_ms: reminder.next_attempt_ms, state: 'pending' }]);
});

t.test('the oldest reminders of an incident are removed when there are too many', async (t) => {
  const clock = testClock();
  const setup = await setUpDelivery(t, mongo, { clock });
  const { id } = await setup.webhook({ repeat_minutes: 30 });
  const opened = await setup.controlPlane.open(setup.incident());
  await expectDeliveries(setup.controlPlane, opened, ['webhook opened sent 1']);
  const first = await outboxStored.findOne({ _id: `${opened._id}:reminder#1:${id}` });
  if (first === null) throw new Error('no reminder');
  const numbered = (number: number, change: Partial<OutboxRow>): OutboxRow => ({
    ...first,
    _id: `${opened._id}:reminder#${number}:${id}`,
    event: `reminder#${number}`,
    sequence: number,
    ...change,
  });
  await outboxStored.replaceOne({ _id: first._id }, numbered(1, { state: 'sent', attempts: 1 }));
  await outboxStored.insertMany([
    numbered(2, { state: 'sent', attempts: 1 }),
    numbered(500, { next_attempt_ms: clock.now() + 1 }),
  ]);
  await advance(mongo, clock, setup.controlPlane, 1);
  await waitFor('the next reminder', 5_000, () => outboxStored.findOne({ event: 'reminder#501' }));
  t.same(await setup.controlPlane.deliveries(opened), [
    'webhook opened sent 1',
    'webhook reminder#2 sent 1',
    'webhook reminder#500 sent 1',
  ]);
});
