import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { LANE_WIDTH_MAX } from '../../../control-plane/notifications/delivery/lanes.js';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { idOf, pass, setting, settled, told, typeOf } from '../../helpers/notifications/delivery.js';
import { buildIncident, buildNotifying, RESOLVED } from '../../helpers/notifications/notifying.js';
import { waitFor } from '../../helpers/wait.js';

const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifying(mongo).ensureIndexes();
const incidentsStored = mongo.db.collection<IncidentDocument>('incidents');
const outboxStored = mongo.db.collection<OutboxRow>('outbox');

type Setting = Awaited<ReturnType<typeof setting>>;
const openMany = ({ side, incident }: Setting, count: number) =>
  Promise.all(Array.from({ length: count }, () => side.open(incident())));

/** How many requests a receiver has in hand at once, at most. */
function gauge({ receiver }: Setting, answer: (index: number) => { status: number; afterMs: number }) {
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

t.test('a channel that answers gets more at once, up to a limit; one that fails one at a time', async (t) => {
  const it = await setting(t, mongo);
  await it.side.notifications.stop();
  await it.webhook();
  const opened = await openMany(it, 80);
  const good = gauge(it, () => ({ status: 200, afterMs: 40 }));
  const sender = buildNotifying(mongo);
  sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await it.receiver.arrived(80, 20_000);
  t.ok(good.most > 4 && good.most <= LANE_WIDTH_MAX, `${good.most} at once`);
  for (const one of opened) await told(it.side, one, ['webhook opened sent 1']);

  await sender.notifications.stop();
  const bad = gauge(it, () => ({ status: 500, afterMs: 20 }));
  await openMany(it, 5);
  const second = buildNotifying(mongo);
  second.notifications.start();
  t.teardown(() => second.notifications.stop());
  await it.receiver.arrived(85, 20_000);
  t.equal(bad.most, 1);
});

t.test('many incidents at once: each end after its beginning, no id twice, all on record', async (t) => {
  const it = await setting(t, mongo);
  const others = [buildNotifying(mongo)];
  for (const other of others) other.notifications.start();
  t.teardown(() => Promise.all(others.map((other) => other.notifications.stop())));
  for (const name of ['a', 'b']) await it.webhook({}, name);
  const answered = new Set<string>();
  const early: string[] = [];
  it.receiver.behave((request) => {
    const key = `${request.json.data.incident.id}${request.path}`;
    if (typeOf(request) === 'incident.resolved' && !answered.has(key)) early.push(key);
    // Not yet when it arrives: the end may only come when the beginning was answered.
    setTimeout(() => answered.add(key), 5);
    return { status: 200, afterMs: 6 };
  });
  const opened = await openMany(it, 100);
  await Promise.all(opened.map((one) => it.side.change(one, RESOLUTION, 'resolved')));
  await it.receiver.arrived(400, 30_000);
  await settled(mongo);
  t.equal(it.receiver.requests.length, 400);
  t.equal(new Set(it.receiver.requests.map(idOf)).size, 400, 'no id twice');
  t.same(early, [], 'no end before its beginning was answered');
  for (const one of opened) {
    const said = [
      'webhook opened sent 1',
      'webhook opened sent 1',
      'webhook resolved sent 1',
      'webhook resolved sent 1',
    ];
    t.same(await it.side.told(one), said);
  }
});

t.test('a delivery does not touch the incident, on which others are at work', async (t) => {
  const it = await setting(t, mongo);
  await it.webhook();
  const opened = await it.side.open(it.incident());
  const before = await incidentsStored.findOne({ _id: opened._id });
  await told(it.side, opened, ['webhook opened sent 1']);
  t.same(await incidentsStored.findOne({ _id: opened._id }), before);
  const row = await outboxStored.findOne({ incident_id: opened._id });
  t.equal(row?.snapshot, null, 'a row that is final no longer carries the incident');
});

t.test('kill -9 with many under way: nothing is lost, and twice comes only what was under way', async (t) => {
  const it = await setting(t, mongo);
  await it.side.notifications.stop();
  await it.webhook();
  const opened = await openMany(it, 120);
  const script = fileURLToPath(new URL('../../helpers/notifications/process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx', script, mongo.uri, '1500'], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const died = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  it.receiver.behave((_request, index) => {
    if (index === 60) child.kill('SIGKILL');
    return { status: 200, afterMs: 15 };
  });
  await it.receiver.arrived(61, 30_000);
  t.equal(await died, 'SIGKILL');
  const before = it.receiver.requests.length;
  const noted = await outboxStored.countDocuments({ state: 'sent' });
  const survivor = buildNotifying(mongo, { leaseMs: 1_500 });
  survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  await waitFor('all of them', 20_000, () => new Set(it.receiver.requests.map(idOf)).size === 120);
  await settled(mongo, Date.now());
  const counts = new Map<string | undefined, number>();
  for (const request of it.receiver.requests) counts.set(idOf(request), (counts.get(idOf(request)) ?? 0) + 1);
  const twice = [...counts.values()].filter((count) => count > 1).length;
  t.ok([...counts.values()].every((count) => count <= 2));
  t.ok(twice <= before - noted, `${twice} came twice; ${before} had arrived and ${noted} were noted`);
  t.ok(twice <= LANE_WIDTH_MAX, 'no more than are sent at once');
  for (const one of opened) t.match((await it.side.told(one)).join(), /^webhook opened sent [12]$/);
});

t.test('one outcome that cannot be written keeps no other from it, and is not sent again', async (t) => {
  const it = await setting(t, mongo);
  await it.side.notifications.stop();
  const { id } = await it.webhook();
  const opened = await openMany(it, 20);
  const stuck = `${opened[3]?._id}:opened:${id}`;
  await mongo.db.command({ collMod: 'outbox', validator: { $nor: [{ _id: stuck, state: 'sent' }] } });
  t.teardown(() => mongo.db.command({ collMod: 'outbox', validator: {} }));
  const sender = buildNotifying(mongo);
  sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await it.receiver.arrived(20, 20_000);
  await waitFor('the others', 10_000, async () => (await outboxStored.countDocuments({ state: 'sent' })) === 19);
  t.equal((await outboxStored.findOne({ _id: stuck }))?.state, 'leased');
  await mongo.db.command({ collMod: 'outbox', validator: {} });
  await waitFor('the last', 10_000, async () => (await outboxStored.countDocuments({ state: 'sent' })) === 20);
  t.equal(it.receiver.requests.length, 20);
});

t.test('what was claimed ahead is judged anew before it is sent late', async (t) => {
  const it = await setting(t, mongo);
  await it.side.notifications.stop();
  await it.webhook();
  await openMany(it, 120);
  // As steps whose time has come: nobody is to get them once somebody has acknowledged.
  await outboxStored.updateMany({}, { $set: { step: true, snapshot: null } });
  it.receiver.behave((_request, index) => ({ status: 200, afterMs: index < 40 ? 0 : 2_500 }));
  const sender = buildNotifying(mongo);
  sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await it.receiver.arrived(40 + LANE_WIDTH_MAX / 2, 20_000);
  t.ok((await outboxStored.countDocuments({ state: 'leased' })) > LANE_WIDTH_MAX, 'more is claimed than is sent');
  await incidentsStored.updateMany({}, { $set: { acknowledged_at_ms: 1 } });
  await waitFor('the rest', 15_000, async () => (await outboxStored.countDocuments({ finished_ms: null })) === 0);
  const sent = it.receiver.requests.length;
  t.ok(sent <= 40 + LANE_WIDTH_MAX, `${sent} of 120 were sent`);
  t.equal(await outboxStored.countDocuments({ state: 'withdrawn', error: /acknowledged/ }), 120 - sent);
});

t.test('a reminder that was planned by whoever died before the note is planned once', async (t) => {
  const clock = testClock();
  const it = await setting(t, mongo, { clock });
  await it.side.notifications.stop();
  const { id } = await it.webhook({ repeat_minutes: 30 });
  const opened = await it.side.open(it.incident());
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
  await createOutboxStore(mongo.db).insertMissing([reminder]);
  const sender = buildNotifying(mongo, { clock });
  sender.notifications.start();
  t.teardown(() => sender.notifications.stop());
  await told(it.side, opened, ['webhook opened sent 1']);
  const reminders = await outboxStored.find({ event: 'reminder#1' }).toArray();
  t.match(reminders, [{ next_attempt_ms: reminder.next_attempt_ms, state: 'pending' }]);
});

t.test('of an incident that nobody looks at for weeks the oldest reminders are forgotten', async (t) => {
  const clock = testClock();
  const it = await setting(t, mongo, { clock });
  const { id } = await it.webhook({ repeat_minutes: 30 });
  const opened = await it.side.open(it.incident());
  await told(it.side, opened, ['webhook opened sent 1']);
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
  await pass(mongo, clock, it.side, 1);
  await waitFor('the next', 5_000, () => outboxStored.findOne({ event: 'reminder#501' }));
  t.same(await it.side.told(opened), [
    'webhook opened sent 1',
    'webhook reminder#2 sent 1',
    'webhook reminder#500 sent 1',
  ]);
});
