import { spawn } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { testClock, withoutPeriods } from '../../helpers/clock.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { buildIncident, buildNotifications, RESOLVED } from '../../helpers/notifications/build.js';
import { gatedReceiver } from '../../helpers/notifications/gated-receiver.js';
import { expectDeliveries, idOf, settled, setUpDelivery, typeOf } from '../../helpers/notifications/setup.js';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';
import { waitFor } from '../../helpers/wait.js';

const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const HOUR_MS = 3_600_000;
/** How long a stop lets deliveries finish. */
const STOP_GRACE_MS = 5_000;
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();
const outboxRows = mongo.db.collection<OutboxRow>('outbox');

/** Does what time does: lets all leases end. */
const endLeases = () =>
  outboxRows.updateMany({ state: 'leased' }, [{ $set: { lease_until: { $subtract: ['$$NOW', 1] } } }]);

t.test('notifications of an incident are sent at once and signed, each with its own ID', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  const { id, secret } = await webhook();
  const startedMs = Date.now();
  const opened = await controlPlane.open(incident());
  await receiver.arrived(1);
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 1']);
  await controlPlane.change(opened, { acknowledged_at_ms: 1, acknowledged_by: 'ann' }, 'acknowledged');
  await controlPlane.change(opened, RESOLUTION, 'resolved');
  await receiver.arrived(3);
  t.same(receiver.requests.map(typeOf), ['incident.opened', 'incident.acknowledged', 'incident.resolved']);
  t.same(
    receiver.requests.map(idOf),
    ['opened', 'acknowledged', 'resolved'].map((event) => `${opened._id}:${event}:${id}`),
  );
  for (const request of receiver.requests) t.ok(new Webhook(secret ?? '').verify(request.body, request.headers));
  await expectDeliveries(controlPlane, opened, [
    'webhook opened sent 1',
    'webhook acknowledged sent 1',
    'webhook resolved sent 1',
  ]);
  const [entry] = await controlPlane.sent(opened);
  t.match(entry, { channel: 'webhook', channel_id: id, event: 'opened', status: 'sent', attempts: 1, error: null });
  const sentMs = entry?.sent_at_ms ?? 0;
  t.ok(startedMs <= sentMs && sentMs <= Date.now(), 'the time at which it was sent');
  t.match(controlPlane.metrics.counts, { 'sent:webhook': 3 });
});

t.test('a notification is sent right after the commit, without waiting for a poll', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { clock: withoutPeriods() });
  await webhook();
  for (let sent = 1; sent <= 40; sent++) {
    await controlPlane.open(incident());
    await receiver.arrived(sent);
  }
  t.equal(receiver.requests.length, 40);
});

t.test('a notification of a rolled back transaction is never sent', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await webhook();
  const rolledBack = controlPlane.runTransaction(async (tx) => {
    await controlPlane.notifications.enqueue(tx, [incident()], 'opened');
    throw new Error('rolled back');
  });
  await t.rejects(rolledBack, /rolled back/);
  const next = await controlPlane.open(incident());
  await receiver.arrived(1);
  await settled(mongo);
  t.same(
    receiver.requests.map((request) => request.json.data.incident.id),
    [next._id],
  );
});

t.test('only enabled channels of the incident are notified, and none of a silenced incident', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  const [one] = [await webhook({}, 'one'), await webhook({}, 'two'), await webhook({ disabled_at_ms: 1 }, 'off')];
  await controlPlane.open(incident());
  await receiver.arrived(2);
  t.same(receiver.requests.map((request) => request.path).sort(), ['/one', '/two'], 'null means every enabled channel');
  await controlPlane.open(incident({ channels: [one.id, 'chn_unknown'] }));
  await receiver.arrived(3);
  t.equal(receiver.requests[2]?.path, '/one');
  await controlPlane.open(incident({ channels: [] }));
  await controlPlane.open(incident({ status: 'silenced' }));
  await settled(mongo);
  t.equal(receiver.requests.length, 3);
  const silenced = incident({ status: 'silenced' });
  await controlPlane.open(silenced);
  await controlPlane.change(silenced, RESOLUTION, 'resolved');
  await settled(mongo);
  t.equal(receiver.requests.length, 3, 'a channel that was not notified of the opening is not notified of the end');
});

t.test('a channel that hangs delays no other channel, and gets one delivery at a time', async (t) => {
  const { receiver, controlPlane, webhook, incident, workspaceId } = await setUpDelivery(t, mongo, {
    exchangeTimeoutMs: 600_000,
  });
  const hanging = await startReceiver();
  t.teardown(() => hanging.close());
  hanging.behave('hang');
  await controlPlane.channel(workspaceId, { type: 'webhook', name: 'stuck', config: { url: hanging.url } });
  await webhook();
  for (let index = 0; index < 20; index++) await controlPlane.open(incident());
  await receiver.arrived(20);
  t.equal(hanging.requests.length, 1, 'the hanging channel has one delivery in progress');
});

t.test('410 disables the channel, writes an audit entry and withdraws its pending notifications', async (t) => {
  const { receiver, controlPlane, webhook, incident, workspaceId } = await setUpDelivery(t, mongo);
  const { id } = await webhook();
  receiver.behave({ status: 410, body: 'gone' });
  const [first, second] = [await controlPlane.open(incident()), await controlPlane.open(incident())];
  await expectDeliveries(controlPlane, first, ['webhook opened failed 1']);
  await expectDeliveries(controlPlane, second, ['webhook opened skipped 0']);
  t.equal((await controlPlane.sent(second))[0]?.error, 'the channel is disabled');
  t.match(await controlPlane.readChannel(workspaceId, id), { disabled_reason: 'HTTP 410: gone', version: 2 });
  await controlPlane.open(incident());
  await settled(mongo);
  t.equal(receiver.requests.length, 1);
  const names = (await mongo.db.listCollections().toArray())
    .map((one) => one.name)
    .filter((name) => name.includes('audit'));
  const filter = { 'resource.id': id, action: 'channel.updated' };
  const entries = (await Promise.all(names.map((name) => mongo.db.collection(name).find(filter).toArray()))).flat();
  t.match(entries, [
    {
      ...{ actor: { id: null, email: 'system' }, severity: 'critical' },
      metadata: { changes: { enabled: { from: true, to: false } }, no_channel_on: true },
    },
  ]);
});

t.test('without a mail server, an e-mail is skipped with a reason', async (t) => {
  const { controlPlane, incident, workspaceId } = await setUpDelivery(t, mongo);
  await controlPlane.channel(workspaceId, { type: 'email', name: 'Team', config: { to: ['ann@example.com'] } });
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['email opened skipped 1']);
  t.match((await controlPlane.sent(opened))[0]?.error, /PICKET_SMTP_URL/);
  await controlPlane.change(opened, RESOLUTION, 'resolved');
  await expectDeliveries(controlPlane, opened, ['email opened skipped 1', 'email resolved skipped 1']);
});

t.test('three control planes on one outbox send each notification once', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  const others = [buildNotifications(mongo), buildNotifications(mongo)];
  for (const other of others) await other.notifications.start();
  t.teardown(() => Promise.all(others.map((other) => other.notifications.stop())));
  for (const name of ['a', 'b', 'c']) await webhook({}, name);
  const opened: IncidentDocument[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const by = [controlPlane, ...others][index % 3] ?? controlPlane;
      const one = await by.open(incident());
      opened.push(one);
      await by.change(one, RESOLUTION, 'resolved');
    }),
  );
  await receiver.arrived(120, 60_000);
  await settled(mongo);
  t.equal(receiver.requests.length, 120);
  t.equal(new Set(receiver.requests.map(idOf)).size, 120, 'no ID twice');
  const seen = new Map<string, string[]>();
  for (const request of receiver.requests) {
    const key = `${request.json.data.incident.id}${request.path}`;
    seen.set(key, [...(seen.get(key) ?? []), typeOf(request)]);
  }
  t.ok(
    [...seen.values()].every((types) => types.join() === 'incident.opened,incident.resolved'),
    '`resolved` follows `opened`',
  );
});

t.test('kill -9 between sending and recording: exactly one second delivery, with the same ID', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  await webhook();
  const script = nodeArguments(new URL('../../helpers/notifications/delivery-process.ts', import.meta.url));
  const child = spawn(process.execPath, [...script, mongo.uri, String(HOUR_MS)], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const died = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  receiver.behave((_request, index) => {
    // The receiver has the message; the sender dies before it records the result.
    if (index === 0) child.kill('SIGKILL');
    return index === 0 ? 'hang' : { status: 200 };
  });
  const opened = await controlPlane.open(incident());
  await receiver.arrived(1, 60_000);
  t.equal(await died, 'SIGKILL');
  t.same(await controlPlane.deliveries(opened), ['webhook opened pending 0']);
  await endLeases();
  const survivor = buildNotifications(mongo, { leaseMs: HOUR_MS });
  await survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  await receiver.arrived(2);
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 2']);
  t.equal(idOf(receiver.requests[1]), idOf(receiver.requests[0]));
  t.equal(receiver.requests[1]?.body, receiver.requests[0]?.body);
  const next = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, next, ['webhook opened sent 1']);
  t.same(
    receiver.requests.map(idOf).slice(1),
    [idOf(receiver.requests[0]), idOf(receiver.requests[2])],
    'and no third',
  );
});

t.test('only the holder of a row can record its result', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  const opened = await controlPlane.open(incident());
  const outbox = createOutboxStore(mongo.db, systemClock);
  const claim = async (holder: string, leaseMs: number) =>
    (await outbox.claim(id, Date.now(), { holder, leaseMs, rowsMax: 5, busyIncidents: [] }))[0];
  const settle = (row: OutboxRow | undefined) =>
    outbox.settle(row === undefined ? [] : [{ row, settlement: { state: 'sent', finished_ms: 1 } }]);

  const first = await claim('one', 60_000);
  t.equal(first?.incident_id, opened._id);
  t.equal(await claim('two', 60_000), undefined, 'a leased row cannot be claimed');
  t.equal(await outbox.reclaim(Date.now()), 0);
  await endLeases();
  t.equal(await outbox.reclaim(Date.now()), 1, 'after the end of the lease');
  const second = await claim('three', 60_000);
  t.match(second, { attempts: 2, fence: (first?.fence ?? 0) + 1 });
  t.equal(await settle(first), 0, 'the first holder is too late');
  t.equal(await settle(second), 1);
  t.equal(await settle(second), 0, 'a result is recorded once');
});

t.test('an unavailable database while a result is recorded does not cause a second delivery', async (t) => {
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const proxy = await tcpProxy(Number(new URL(mongo.uri).port));
  const remote = await openMongo(throughProxy(mongo.uri, proxy.port));
  const sender = buildNotifications(remote, { leaseMs: HOUR_MS });
  await sender.notifications.start();
  t.teardown(async () => {
    await sender.notifications.stop();
    await remote.close();
    await proxy.close();
  });
  await webhook();
  receiver.behave(() => {
    proxy.blackHole();
    proxy.cut();
    return { status: 200 };
  });
  const opened = await controlPlane.open(incident());
  await receiver.arrived(1);
  await waitFor('a connection attempt to the database', 60_000, () => proxy.connections() > 0);
  t.same(await controlPlane.deliveries(opened), ['webhook opened pending 0'], 'sent, but not recorded');
  proxy.heal();
  proxy.cut();
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 1']);
  t.equal(receiver.requests.length, 1);
});

t.test('a result that the database refuses keeps its lease, so that nobody delivers a second time', async (t) => {
  const clock = testClock(Date.now());
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, mongo, { leaseMs: HOUR_MS, clock });
  await webhook();
  const refuse = (validator: object) => mongo.db.command({ collMod: 'outbox', validator });
  t.teardown(() => refuse({}));
  // Claims and leases can be written, results cannot.
  await refuse({ state: { $ne: 'sent' } });
  const opened = await controlPlane.open(incident());
  await receiver.arrived(1);
  const leaseEnd = async () => (await outboxRows.findOne({ incident_id: opened._id }))?.lease_until?.getTime() ?? 0;
  const startedMs = clock.monotonic();
  let end = await leaseEnd();
  for (let renewals = 0; renewals < 4; renewals++) {
    clock.stall(HOUR_MS / 3);
    end = await waitFor('a longer lease', 20_000, async () => {
      // The pause between two tries to store the result.
      await clock.advance(1_000);
      const next = await leaseEnd();
      return next > end && next;
    });
  }
  t.ok(clock.monotonic() > startedMs + HOUR_MS, 'without them, the lease had ended');
  t.equal(await createOutboxStore(mongo.db, clock).reclaim(Date.now()), 0, 'another control plane cannot claim it');
  t.equal(receiver.requests.length, 1);
  await refuse({});
  await waitFor('the result', 20_000, async () => {
    await clock.advance(1_000);
    return (await controlPlane.deliveries(opened)).join() === 'webhook opened sent 1';
  });
  t.equal(receiver.requests.length, 1);
});

t.test('a lease can be renewed until its row is claimed again or its result is stored', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  await controlPlane.open(incident());
  const outbox = createOutboxStore(mongo.db, systemClock);
  const claim = async (holder: string, leaseMs: number) => {
    const lease = { holder, leaseMs, rowsMax: 5, busyIncidents: [] };
    const [row] = await outbox.claim(id, Date.now(), lease);
    if (row === undefined) throw new Error(`${holder} could claim no row`);
    return row;
  };
  const first = await claim('one', 100);
  t.equal(await outbox.renew(first, 100), true);
  await waitFor('the end of the lease', 20_000, async () => (await outbox.reclaim(Date.now())) === 1, 10);
  t.equal(await outbox.renew(first, 100), true, 'a row that nobody has claimed since is leased again');
  await waitFor('the end of that lease', 20_000, async () => (await outbox.reclaim(Date.now())) === 1, 10);
  const second = await claim('two', 60_000);
  t.equal(await outbox.renew(first, 60_000), false);
  t.equal(await outbox.settle([{ row: second, settlement: { state: 'sent', finished_ms: 1 } }]), 1);
  t.equal(await outbox.renew(second, 60_000), false, 'a recorded row has no lease');
});

t.test('a clean stop finishes deliveries and aborts slow ones, which another process repeats', async (t) => {
  const clock = testClock(Date.now());
  const { receiver, controlPlane, webhook, incident, workspaceId } = await setUpDelivery(t, mongo, { clock });
  const slow = await gatedReceiver(t, 200);
  const { id } = await controlPlane.channel(workspaceId, { type: 'webhook', name: 'slow', config: { url: slow.url } });
  const opened = await controlPlane.open(incident({ channels: [id] }));
  await slow.gate.reached;
  const stopped = controlPlane.notifications.stop();
  await clock.advance(STOP_GRACE_MS - 1);
  slow.gate.open();
  await stopped;
  t.same(await controlPlane.deliveries(opened), ['webhook opened sent 1'], 'recorded before the stop ended');

  const second = buildNotifications(mongo, { clock, exchangeTimeoutMs: HOUR_MS });
  await second.notifications.start();
  receiver.behave('hang');
  const stuck = await second.open(incident({ channels: [(await webhook()).id] }));
  await receiver.arrived(1);
  const aborted = second.notifications.stop();
  await clock.advance(STOP_GRACE_MS);
  await aborted;
  receiver.behave({ status: 200 });
  const third = buildNotifications(mongo);
  await third.notifications.start();
  t.teardown(() => third.notifications.stop());
  await expectDeliveries(controlPlane, stuck, ['webhook opened sent 2']);
  t.equal(idOf(receiver.requests[1]), idOf(receiver.requests[0]));
});
