import t from 'tap';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildIncident, buildNotifications, RESOLVED } from '../../helpers/notifications/build.js';
import { advance, expectDeliveries, idOf, settled, setUpDelivery, typeOf } from '../../helpers/notifications/setup.js';

const MINUTE = 60_000;
const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();

t.test('failures are retried with the same ID and body, in order, and each attempt is recorded', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave((_request, index) => (index < 2 ? { status: 503, body: 'busy' } : { status: 200 }));
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['webhook opened pending 1']);
  t.match(await controlPlane.sent(opened), [{ status: 'pending', error: 'HTTP 503: busy', sent_at_ms: null }]);
  await controlPlane.change(opened, RESOLUTION, 'resolved');
  await advance(mongo, clock, controlPlane, 1_000);
  t.equal(receiver.requests.length, 1, 'no retry before the backoff, and `resolved` waits for `opened`');
  await advance(mongo, clock, controlPlane, 2_000);
  await expectDeliveries(controlPlane, opened, ['webhook opened pending 2', 'webhook resolved pending 0']);
  await advance(mongo, clock, controlPlane, 6_000);
  await receiver.arrived(4);
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 3', 'webhook resolved sent 1']);
  t.match(await controlPlane.sent(opened), [{ sent_at_ms: clock.now() }, { sent_at_ms: clock.now() }]);
  t.same(receiver.requests.map(typeOf), ['incident.opened', 'incident.opened', 'incident.opened', 'incident.resolved']);
  t.equal(new Set(receiver.requests.slice(0, 3).map(idOf)).size, 1);
  t.equal(new Set(receiver.requests.slice(0, 3).map((request) => request.body)).size, 1);
  t.match(controlPlane.metrics.counts, { 'retried:webhook': 2, 'sent:webhook': 2 });
});

t.test('connection errors and timeouts are retried', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave((_request, index) => (index === 0 ? 'reset' : { status: 200 }));
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['webhook opened pending 1']);
  t.match((await controlPlane.sent(opened))[0]?.error, /connection_reset/);
  await advance(mongo, clock, controlPlane, 3_000);
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 2']);
});

t.test('Retry-After pauses all deliveries to the channel', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave((_request, index) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : { status: 200 },
  );
  const first = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, first, ['webhook opened pending 1']);
  const second = await controlPlane.open(incident());
  await advance(mongo, clock, controlPlane, 110_000);
  t.equal(receiver.requests.length, 1, 'neither notification within the two minutes');
  await advance(mongo, clock, controlPlane, 11_000);
  await expectDeliveries(controlPlane, first, ['webhook opened sent 2']);
  await expectDeliveries(controlPlane, second, ['webhook opened sent 1']);
});

t.test('a refused notification fails permanently after four attempts, and `resolved` is then not sent', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 404, body: 'no such hook' });
  const opened = await controlPlane.open(incident());
  for (let index = 0; index < 10; index++) await advance(mongo, clock, controlPlane, MINUTE);
  await expectDeliveries(controlPlane, opened, ['webhook opened failed 4']);
  t.match(await controlPlane.sent(opened), [{ status: 'failed', sent_at_ms: null }], 'no attempt was accepted');
  t.equal(receiver.requests.length, 4);
  await controlPlane.change(opened, RESOLUTION, 'resolved');
  await advance(mongo, clock, controlPlane, MINUTE);
  t.equal(receiver.requests.length, 4);
  t.match(controlPlane.metrics.counts, { 'failed:webhook': 1, 'retried:webhook': 3 });
});

t.test('a notification to an unreachable receiver fails permanently after 24 hours', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 500 });
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['webhook opened pending 1']);
  const startMs = clock.now();
  for (let index = 0; index < 60; index++) {
    const row = await mongo.db.collection('outbox').findOne({ incident_id: opened._id });
    if (row?.['state'] !== 'pending') break;
    await advance(mongo, clock, controlPlane, Math.max(0, row['next_attempt_ms'] - clock.now()));
  }
  const row = await mongo.db.collection('outbox').findOne({ incident_id: opened._id });
  t.equal(row?.['state'], 'failed');
  const hours = (clock.now() - startMs) / 3_600_000;
  t.ok(hours > 23.2 && hours <= 24, `${hours.toFixed(1)} h`);
  t.match(await controlPlane.sent(opened), [
    { status: 'failed', error: 'HTTP 500', attempts: receiver.requests.length },
  ]);
});

t.test('when a channel accepts a delivery again, all its waiting notifications are sent at once', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 500 });
  const waiting = [
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
  ];
  for (let index = 0; index < 6; index++) await advance(mongo, clock, controlPlane, 10 * MINUTE);
  receiver.behave({ status: 200 });
  const before = receiver.requests.length;
  const fresh = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, fresh, ['webhook opened sent 1']);
  await receiver.arrived(before + 4);
  t.same(new Set(receiver.requests.slice(before).map(idOf)).size, 4, 'without advancing the clock');
  await settled(mongo);
  for (const one of waiting) t.match((await controlPlane.deliveries(one))[0], /sent/);
});

t.test(
  'an escalation step is sent after its delay, unless the incident was acknowledged or resolved before',
  async (t) => {
    const clock = testClock();
    const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
    await webhook({}, 'first');
    await webhook({ delay_minutes: 10 }, 'step');
    const [escalated, acknowledged, resolved] = [incident(), incident(), incident()];
    for (const one of [escalated, acknowledged, resolved]) await controlPlane.open(one);
    await receiver.arrived(3);
    await controlPlane.change(
      acknowledged,
      { acknowledged_at_ms: clock.now(), acknowledged_by: 'ann' },
      'acknowledged',
    );
    await controlPlane.change(resolved, RESOLUTION, 'resolved');
    await receiver.arrived(5);
    await advance(mongo, clock, controlPlane, 9 * MINUTE);
    t.equal(receiver.requests.filter((request) => request.path === '/step').length, 0);
    await advance(mongo, clock, controlPlane, 2 * MINUTE);
    await receiver.arrived(6);
    const steps = () => receiver.requests.filter((request) => request.path === '/step');
    t.same(
      steps().map((request) => request.json.data.incident.id),
      [escalated._id],
    );
    await expectDeliveries(controlPlane, acknowledged, [
      'webhook opened sent 1',
      'webhook opened skipped 0',
      'webhook acknowledged sent 1',
    ]);
    await expectDeliveries(controlPlane, resolved, [
      'webhook opened sent 1',
      'webhook opened skipped 0',
      'webhook resolved sent 1',
    ]);
    t.equal((await controlPlane.sent(acknowledged))[1]?.error, 'acknowledged before it was due');
    await controlPlane.change(escalated, RESOLUTION, 'resolved');
    await receiver.arrived(8);
    t.same(
      steps().map(typeOf),
      ['incident.opened', 'incident.resolved'],
      'a notified escalation step is also notified of the end',
    );
  },
);

t.test('reminders are sent until the incident is acknowledged', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  const { id } = await webhook({ repeat_minutes: 30 });
  const opened = await controlPlane.open(incident());
  await receiver.arrived(1);
  await advance(mongo, clock, controlPlane, 29 * MINUTE);
  t.equal(receiver.requests.length, 1);
  await advance(mongo, clock, controlPlane, 2 * MINUTE);
  await advance(mongo, clock, controlPlane, 31 * MINUTE);
  await receiver.arrived(3);
  t.same(receiver.requests.map(typeOf), ['incident.opened', 'incident.reminder', 'incident.reminder']);
  t.equal(idOf(receiver.requests[2]), `${opened._id}:reminder#2:${id}`);
  t.equal(receiver.requests[2]?.json.data.reminder, 2);
  await controlPlane.change(opened, { acknowledged_at_ms: clock.now(), acknowledged_by: 'ann' }, 'acknowledged');
  await receiver.arrived(4);
  for (let index = 0; index < 3; index++) await advance(mongo, clock, controlPlane, 31 * MINUTE);
  t.equal(receiver.requests.length, 4);
  await controlPlane.change(opened, RESOLUTION, 'resolved');
  await receiver.arrived(5);
  t.same(receiver.requests.slice(3).map(typeOf), ['incident.acknowledged', 'incident.resolved']);
});

t.test(
  'a silenced incident sends nothing but `resolved`, to the channels that were notified of its opening',
  async (t) => {
    const clock = testClock();
    const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock });
    await webhook({ repeat_minutes: 5 }, 'first');
    await webhook({ delay_minutes: 10 }, 'step');
    const opened = await controlPlane.open(incident());
    await receiver.arrived(1);
    await controlPlane.change(opened, { status: 'silenced', silenced_at_ms: clock.now() }, null);
    for (let index = 0; index < 3; index++) await advance(mongo, clock, controlPlane, 6 * MINUTE);
    t.equal(receiver.requests.length, 1, 'neither a reminder nor an escalation step');
    await controlPlane.change(opened, { status: 'firing', silenced_at_ms: null }, 'opened');
    await advance(mongo, clock, controlPlane, 11 * MINUTE);
    await receiver.arrived(2);
    t.same(
      receiver.requests.map((request) => request.path),
      ['/first', '/step'],
      'the escalation step is pending again, and no channel is notified twice',
    );
    await controlPlane.change(opened, RESOLUTION, 'resolved');
    await receiver.arrived(4);
    t.same(receiver.requests.slice(2).map(typeOf), ['incident.resolved', 'incident.resolved']);
  },
);

t.test('a superseded incident is resolved for programs that keep alerts open, without notifying people', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, workspaceId, webhook, incident } = await setUpDelivery(t, mongo, { clock });
  await webhook();
  await controlPlane.channel(workspaceId, {
    type: 'ntfy',
    name: 'people',
    config: { url: receiver.url, topic: 'ops' },
  });
  const opened = await controlPlane.open(incident());
  await receiver.arrived(2);
  await controlPlane.change(opened, { ...RESOLUTION, resolution: 'superseded' }, 'resolved');
  await advance(mongo, clock, controlPlane, 1_000);
  await receiver.arrived(3);
  await expectDeliveries(controlPlane, opened, [
    'webhook opened sent 1',
    'ntfy opened sent 1',
    'webhook resolved sent 1',
  ]);
});

t.test('a private address is also refused when a notification is sent', async (t) => {
  const clock = testClock();
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock, allowPrivate: false });
  t.ok(createTargetGuard({ allowPrivate: false }).refusal('127.0.0.1'));
  await webhook();
  const opened = await controlPlane.open(incident());
  for (let index = 0; index < 6; index++) await advance(mongo, clock, controlPlane, MINUTE);
  await expectDeliveries(controlPlane, opened, ['webhook opened failed 4']);
  t.equal(
    (await controlPlane.sent(opened))[0]?.error,
    'blocked_target: 127.0.0.1 points to an address that is not allowed',
  );
  t.equal(receiver.requests.length, 0);
});
