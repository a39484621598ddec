import t from 'tap';
import { createTargetGuard } from '../../../kernel/target-guard.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { idOf, pass, setting, settled, told, typeOf } from '../../helpers/notifications/delivery.js';
import { buildIncident, buildNotifying, RESOLVED } from '../../helpers/notifications/notifying.js';

const MINUTE = 60_000;
const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifying(mongo).ensureIndexes();

t.test(
  'failures are tried again with the same id and body, in order, and each attempt is on the incident',
  async (t) => {
    const clock = testClock();
    const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
    await webhook();
    receiver.behave((_request, index) => (index < 2 ? { status: 503, body: 'busy' } : { status: 200 }));
    const opened = await side.open(incident());
    await told(side, opened, ['webhook opened pending 1']);
    t.match(await side.sent(opened), [{ status: 'pending', error: 'HTTP 503: busy', sent_at_ms: clock.now() }]);
    await side.change(opened, RESOLUTION, 'resolved');
    await pass(mongo, clock, side, 1_000);
    t.equal(receiver.requests.length, 1, 'not before the pause is over; and the end waits for the beginning');
    await pass(mongo, clock, side, 2_000);
    await told(side, opened, ['webhook opened pending 2', 'webhook resolved pending 0']);
    await pass(mongo, clock, side, 6_000);
    await receiver.arrived(4);
    await told(side, opened, ['webhook opened sent 3', 'webhook resolved sent 1']);
    t.same(receiver.requests.map(typeOf), [
      'incident.opened',
      'incident.opened',
      'incident.opened',
      'incident.resolved',
    ]);
    t.equal(new Set(receiver.requests.slice(0, 3).map(idOf)).size, 1);
    t.equal(new Set(receiver.requests.slice(0, 3).map((request) => request.body)).size, 1);
    t.match(side.metrics.counts, { 'retried:webhook': 2, 'sent:webhook': 2 });
  },
);

t.test('connection errors and timeouts are tried again too', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  receiver.behave((_request, index) => (index === 0 ? 'reset' : { status: 200 }));
  const opened = await side.open(incident());
  await told(side, opened, ['webhook opened pending 1']);
  t.match((await side.sent(opened))[0]?.error, /connection_reset/);
  await pass(mongo, clock, side, 3_000);
  await told(side, opened, ['webhook opened sent 2']);
});

t.test('Retry-After holds back everything for that channel until then', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  receiver.behave((_request, index) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : { status: 200 },
  );
  const first = await side.open(incident());
  await told(side, first, ['webhook opened pending 1']);
  const second = await side.open(incident());
  await pass(mongo, clock, side, 110_000);
  t.equal(receiver.requests.length, 1, 'neither the first nor the second before the two minutes are over');
  await pass(mongo, clock, side, 11_000);
  await told(side, first, ['webhook opened sent 2']);
  await told(side, second, ['webhook opened sent 1']);
});

t.test('a refusal is given up after four tries, and the end is then not told', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 404, body: 'no such hook' });
  const opened = await side.open(incident());
  for (let index = 0; index < 10; index++) await pass(mongo, clock, side, MINUTE);
  await told(side, opened, ['webhook opened failed 4']);
  t.equal(receiver.requests.length, 4);
  await side.change(opened, RESOLUTION, 'resolved');
  await pass(mongo, clock, side, MINUTE);
  t.equal(receiver.requests.length, 4);
  t.match(side.metrics.counts, { 'failed:webhook': 1, 'retried:webhook': 3 });
});

t.test('a receiver that stays away is given up after 24 hours', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 500 });
  const opened = await side.open(incident());
  await told(side, opened, ['webhook opened pending 1']);
  const startMs = clock.now();
  for (let index = 0; index < 60; index++) {
    const row = await mongo.db.collection('outbox').findOne({ incident_id: opened._id });
    if (row?.['state'] !== 'pending') break;
    await pass(mongo, clock, side, Math.max(0, row['next_attempt_ms'] - clock.now()));
  }
  const row = await mongo.db.collection('outbox').findOne({ incident_id: opened._id });
  t.equal(row?.['state'], 'failed');
  const hours = (clock.now() - startMs) / 3_600_000;
  t.ok(hours > 23.2 && hours <= 24, `${hours.toFixed(1)} h`);
  t.match(await side.sent(opened), [{ status: 'failed', error: 'HTTP 500', attempts: receiver.requests.length }]);
  t.comment(`${receiver.requests.length} attempts`);
});

t.test('once a channel answers again, everything that waits for it goes at once', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  receiver.behave({ status: 500 });
  const waiting = [await side.open(incident()), await side.open(incident()), await side.open(incident())];
  for (let index = 0; index < 6; index++) await pass(mongo, clock, side, 10 * MINUTE);
  receiver.behave({ status: 200 });
  const before = receiver.requests.length;
  const fresh = await side.open(incident());
  await told(side, fresh, ['webhook opened sent 1']);
  await receiver.arrived(before + 4);
  t.same(new Set(receiver.requests.slice(before).map(idOf)).size, 4, 'without the clock moving on');
  await settled(mongo);
  for (const one of waiting) t.match((await side.told(one))[0], /sent/);
});

t.test('a step comes after its delay, unless somebody acknowledged or it resolved before', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook({}, 'first');
  await webhook({ delay_minutes: 10 }, 'step');
  const [escalated, acknowledged, resolved] = [incident(), incident(), incident()];
  for (const one of [escalated, acknowledged, resolved]) await side.open(one);
  await receiver.arrived(3);
  await side.change(acknowledged, { acknowledged_at_ms: clock.now(), acknowledged_by: 'ann' }, 'acknowledged');
  await side.change(resolved, RESOLUTION, 'resolved');
  await receiver.arrived(5);
  await pass(mongo, clock, side, 9 * MINUTE);
  t.equal(receiver.requests.filter((request) => request.path === '/step').length, 0);
  await pass(mongo, clock, side, 2 * MINUTE);
  await receiver.arrived(6);
  const steps = () => receiver.requests.filter((request) => request.path === '/step');
  t.same(
    steps().map((request) => request.json.data.incident.id),
    [escalated._id],
  );
  await told(side, acknowledged, ['webhook opened sent 1', 'webhook opened skipped 0', 'webhook acknowledged sent 1']);
  await told(side, resolved, ['webhook opened sent 1', 'webhook opened skipped 0', 'webhook resolved sent 1']);
  t.equal((await side.sent(acknowledged))[1]?.error, 'acknowledged before it was due');
  await side.change(escalated, RESOLUTION, 'resolved');
  await receiver.arrived(8);
  t.same(steps().map(typeOf), ['incident.opened', 'incident.resolved'], 'a step that was told hears the end as well');
});

t.test('reminders come until someone acknowledges', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  const { id } = await webhook({ repeat_minutes: 30 });
  const opened = await side.open(incident());
  await receiver.arrived(1);
  await pass(mongo, clock, side, 29 * MINUTE);
  t.equal(receiver.requests.length, 1);
  await pass(mongo, clock, side, 2 * MINUTE);
  await pass(mongo, clock, side, 31 * MINUTE);
  await receiver.arrived(3);
  t.same(receiver.requests.map(typeOf), ['incident.opened', 'incident.reminder', 'incident.reminder']);
  t.equal(idOf(receiver.requests[2]), `${opened._id}:reminder#2:${id}`);
  t.equal(receiver.requests[2]?.json.data.reminder, 2);
  await side.change(opened, { acknowledged_at_ms: clock.now(), acknowledged_by: 'ann' }, 'acknowledged');
  await receiver.arrived(4);
  for (let index = 0; index < 3; index++) await pass(mongo, clock, side, 31 * MINUTE);
  t.equal(receiver.requests.length, 4);
  await side.change(opened, RESOLUTION, 'resolved');
  await receiver.arrived(5);
  t.same(receiver.requests.slice(3).map(typeOf), ['incident.acknowledged', 'incident.resolved']);
});

t.test('an incident that is silenced falls silent, and its end is told to those who know of it', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock });
  await webhook({ repeat_minutes: 5 }, 'told');
  await webhook({ delay_minutes: 10 }, 'step');
  const opened = await side.open(incident());
  await receiver.arrived(1);
  await side.change(opened, { status: 'silenced', silenced_at_ms: clock.now() }, null);
  for (let index = 0; index < 3; index++) await pass(mongo, clock, side, 6 * MINUTE);
  t.equal(receiver.requests.length, 1, 'neither reminder nor step');
  await side.change(opened, { status: 'firing', silenced_at_ms: null }, 'opened');
  await pass(mongo, clock, side, 11 * MINUTE);
  await receiver.arrived(2);
  t.same(
    receiver.requests.map((request) => request.path),
    ['/told', '/step'],
    'the step is live again, nobody is told twice',
  );
  await side.change(opened, RESOLUTION, 'resolved');
  await receiver.arrived(4);
  t.same(receiver.requests.slice(2).map(typeOf), ['incident.resolved', 'incident.resolved']);
});

t.test('that another incident took its place is told to programs that hold it open, not to people', async (t) => {
  const clock = testClock();
  const { receiver, side, workspaceId, webhook, incident } = await setting(t, mongo, { clock });
  await webhook();
  await side.channel(workspaceId, { type: 'ntfy', name: 'people', config: { url: receiver.url, topic: 'ops' } });
  const opened = await side.open(incident());
  await receiver.arrived(2);
  await side.change(opened, { ...RESOLUTION, resolution: 'superseded' }, 'resolved');
  await pass(mongo, clock, side, 1_000);
  await receiver.arrived(3);
  await told(side, opened, ['webhook opened sent 1', 'ntfy opened sent 1', 'webhook resolved sent 1']);
});

t.test('a private address is refused at the time of sending too', async (t) => {
  const clock = testClock();
  const { receiver, side, webhook, incident } = await setting(t, mongo, { clock, allowPrivate: false });
  t.ok(createTargetGuard({ allowPrivate: false }).refusal('127.0.0.1'));
  await webhook();
  const opened = await side.open(incident());
  for (let index = 0; index < 6; index++) await pass(mongo, clock, side, MINUTE);
  await told(side, opened, ['webhook opened failed 4']);
  t.match((await side.sent(opened))[0]?.error, /blocked_target/);
  t.equal(receiver.requests.length, 0);
});
