import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { startReceiver } from '../../helpers/machine/receivers.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { idOf, setting, settled, told, typeOf } from '../../helpers/notifications/delivery.js';
import { buildIncident, buildNotifying, RESOLVED } from '../../helpers/notifications/notifying.js';
import { waitFor } from '../../helpers/wait.js';

const RESOLUTION = RESOLVED(buildIncident('x').started_at_ms);
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifying(mongo).ensureIndexes();

t.test('an incident is told at once, signed, with its own id, and its end as well', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  const { id, secret } = await webhook();
  const opened = await side.open(incident());
  await receiver.arrived(1);
  await told(side, opened, ['webhook opened sent 1']);
  await side.change(opened, { acknowledged_at_ms: 1, acknowledged_by: 'ann' }, 'acknowledged');
  await side.change(opened, RESOLUTION, 'resolved');
  await receiver.arrived(3);
  t.same(receiver.requests.map(typeOf), ['incident.opened', 'incident.acknowledged', 'incident.resolved']);
  t.same(
    receiver.requests.map(idOf),
    ['opened', 'acknowledged', 'resolved'].map((event) => `${opened._id}:${event}:${id}`),
  );
  for (const request of receiver.requests) t.ok(new Webhook(secret ?? '').verify(request.body, request.headers));
  await told(side, opened, ['webhook opened sent 1', 'webhook acknowledged sent 1', 'webhook resolved sent 1']);
  const [entry] = await side.sent(opened);
  t.match(entry, { channel: 'webhook', channel_id: id, event: 'opened', status: 'sent', attempts: 1, error: null });
  t.ok(Math.abs(Date.now() - (entry?.sent_at_ms ?? 0)) < 10_000);
  t.match(side.metrics.counts, { 'sent:webhook': 3 });
});

t.test('from the commit to the arrival it takes milliseconds, not a poll', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  await webhook();
  const delays: number[] = [];
  for (let index = 0; index < 40; index++) {
    const startedAt = performance.now();
    await side.open(incident());
    const committed = performance.now() - startedAt;
    const [arrival] = (await receiver.arrived(index + 1)).slice(-1);
    delays.push((arrival?.at ?? 0) - startedAt);
    if (index === 0) t.comment(`transaction ${committed.toFixed(1)} ms`);
  }
  delays.sort((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [delays[20], delays[39]];
  t.comment(
    `from the start of the transaction to the arrival: p50 ${p50.toFixed(1)} ms, max of 40 ${p99.toFixed(1)} ms`,
  );
  t.ok(p50 < 500, 'a poll each second would make it 500 ms');
});

t.test('what a rolled back transaction enqueued is never sent', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  await webhook();
  const rolledBack = side.runTransaction(async (tx) => {
    await side.notifications.enqueue(tx, [incident()], 'opened');
    throw new Error('rolled back');
  });
  await t.rejects(rolledBack, /rolled back/);
  const next = await side.open(incident());
  await receiver.arrived(1);
  await settled(mongo);
  t.same(
    receiver.requests.map((request) => request.json.data.incident.id),
    [next._id],
  );
});

t.test('only the channels of the incident are told, disabled ones never, silenced incidents nobody', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  const [one] = [await webhook({}, 'one'), await webhook({}, 'two'), await webhook({ disabled_at_ms: 1 }, 'off')];
  await side.open(incident());
  await receiver.arrived(2);
  t.same(receiver.requests.map((request) => request.path).sort(), ['/one', '/two'], 'null is every channel in use');
  await side.open(incident({ channels: [one.id, 'chn_of_nobody'] }));
  await receiver.arrived(3);
  t.equal(receiver.requests[2]?.path, '/one');
  await side.open(incident({ channels: [] }));
  await side.open(incident({ status: 'silenced' }));
  await settled(mongo);
  t.equal(receiver.requests.length, 3);
  const silenced = incident({ status: 'silenced' });
  await side.open(silenced);
  await side.change(silenced, RESOLUTION, 'resolved');
  await settled(mongo);
  t.equal(receiver.requests.length, 3, 'whoever was not told of the beginning is not told of the end');
});

t.test('a channel that hangs delays no other, and is itself served one at a time', async (t) => {
  const { receiver, side, webhook, incident, workspaceId } = await setting(t, mongo, { exchangeTimeoutMs: 3_000 });
  const hanging = await startReceiver();
  t.teardown(() => hanging.close());
  hanging.behave('hang');
  await side.channel(workspaceId, { type: 'webhook', name: 'stuck', config: { url: hanging.url } });
  await webhook();
  const startedAt = performance.now();
  for (let index = 0; index < 20; index++) await side.open(incident());
  await receiver.arrived(20);
  const tookMs = performance.now() - startedAt;
  t.ok(tookMs < 2_900, `20 notifications of the other took ${tookMs.toFixed(0)} ms`);
  t.equal(hanging.requests.length, 1, 'the one that hangs has one exchange under way');
});

t.test('410 disables the channel, which is audited; what still waits for it is withdrawn', async (t) => {
  const { receiver, side, webhook, incident, workspaceId } = await setting(t, mongo);
  const { id } = await webhook();
  receiver.behave({ status: 410, body: 'gone' });
  const [first, second] = [await side.open(incident()), await side.open(incident())];
  await told(side, first, ['webhook opened failed 1']);
  await told(side, second, ['webhook opened skipped 0']);
  t.equal((await side.sent(second))[0]?.error, 'the channel is disabled');
  t.match(await side.readChannel(workspaceId, id), { disabled_reason: 'HTTP 410: gone', version: 2 });
  await side.open(incident());
  await settled(mongo);
  t.equal(receiver.requests.length, 1);
  const names = (await mongo.db.listCollections().toArray())
    .map((one) => one.name)
    .filter((name) => name.includes('audit'));
  const filter = { 'resource.id': id, action: 'channel.updated' };
  const entries = (await Promise.all(names.map((name) => mongo.db.collection(name).find(filter).toArray()))).flat();
  t.match(entries, [
    { actor: { id: null, email: 'system' }, metadata: { changes: { enabled: { from: true, to: false } } } },
  ]);
});

t.test('without a mail server e-mail is skipped, and said to be', async (t) => {
  const { side, incident, workspaceId } = await setting(t, mongo);
  await side.channel(workspaceId, { type: 'email', name: 'Team', config: { to: ['ann@example.com'] } });
  const opened = await side.open(incident());
  await told(side, opened, ['email opened skipped 1']);
  t.match((await side.sent(opened))[0]?.error, /PICKET_SMTP_URL/);
  await side.change(opened, RESOLUTION, 'resolved');
  await told(side, opened, ['email opened skipped 1', 'email resolved skipped 1']);
});

t.test('three control planes on one outbox send each notification once', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  const others = [buildNotifying(mongo), buildNotifying(mongo)];
  for (const other of others) other.notifications.start();
  t.teardown(() => Promise.all(others.map((other) => other.notifications.stop())));
  for (const name of ['a', 'b', 'c']) await webhook({}, name);
  const opened: IncidentDocument[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const by = [side, ...others][index % 3] ?? side;
      const one = await by.open(incident());
      opened.push(one);
      await by.change(one, RESOLUTION, 'resolved');
    }),
  );
  await receiver.arrived(120, 20_000);
  await settled(mongo);
  t.equal(receiver.requests.length, 120);
  t.equal(new Set(receiver.requests.map(idOf)).size, 120, 'no id twice');
  const seen = new Map<string, string[]>();
  for (const request of receiver.requests) {
    const key = `${request.json.data.incident.id}${request.path}`;
    seen.set(key, [...(seen.get(key) ?? []), typeOf(request)]);
  }
  t.ok(
    [...seen.values()].every((types) => types.join() === 'incident.opened,incident.resolved'),
    'each end after its beginning',
  );
});

t.test('kill -9 between sending and noting: exactly one second delivery, with the same id', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  await side.notifications.stop();
  await webhook();
  const script = fileURLToPath(new URL('../../helpers/notifications/process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx', script, mongo.uri, '1500'], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const died = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  receiver.behave((_request, index) => {
    // The receiver has it; the sender dies before it can note so.
    if (index === 0) child.kill('SIGKILL');
    return { status: 200, afterMs: index === 0 ? 500 : 0 };
  });
  const opened = await side.open(incident());
  await receiver.arrived(1, 15_000);
  t.equal(await died, 'SIGKILL');
  t.same(await side.told(opened), ['webhook opened pending 0']);
  const survivor = buildNotifying(mongo, { leaseMs: 1_500 });
  survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  await receiver.arrived(2, 10_000);
  await told(side, opened, ['webhook opened sent 2']);
  t.equal(idOf(receiver.requests[1]), idOf(receiver.requests[0]));
  t.equal(receiver.requests[1]?.body, receiver.requests[0]?.body);
  await systemClock.sleep(2_500);
  t.equal(receiver.requests.length, 2, 'and no third');
});

t.test('an outcome is noted by the holder of the row only', async (t) => {
  const { side, webhook, incident } = await setting(t, mongo);
  await side.notifications.stop();
  const { id } = await webhook();
  const opened = await side.open(incident());
  const outbox = createOutboxStore(mongo.db);
  const claim = async (holder: string, leaseMs: number) =>
    (await outbox.claim(id, Date.now(), { holder, leaseMs, rowsMax: 5, busyIncidents: [] }))[0];
  const settle = (row: OutboxRow | undefined) =>
    outbox.settle(row === undefined ? [] : [{ row, settlement: { state: 'sent', finished_ms: 1 } }]);

  const first = await claim('one', 100);
  t.equal(first?.incident_id, opened._id);
  t.equal(await claim('two', 100), undefined, 'a leased row is nobody else’s');
  t.equal(await outbox.reclaim(Date.now()), 0);
  await systemClock.sleep(150);
  t.equal(await outbox.reclaim(Date.now()), 1);
  const second = await claim('three', 60_000);
  t.match(second, { attempts: 2, fence: (first?.fence ?? 0) + 1 });
  t.equal(await settle(first), 0, 'the first came back too late');
  t.equal(await settle(second), 1);
  t.equal(await settle(second), 0, 'once is enough');
});

t.test('a database that is away when the outcome is noted does not lead to a second delivery', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  await side.notifications.stop();
  const through = new URL(mongo.uri);
  const proxy = await tcpProxy(Number(through.port));
  through.port = String(proxy.port);
  // Otherwise the driver would go where the replica set says it lives.
  through.searchParams.delete('replicaSet');
  through.searchParams.set('directConnection', 'true');
  const remote = await openMongo(through.href);
  const sender = buildNotifying(remote);
  sender.notifications.start();
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
  const opened = await side.open(incident());
  await receiver.arrived(1);
  await waitFor('a try to reach the database', 5_000, () => proxy.connections() > 0);
  t.same(await side.told(opened), ['webhook opened pending 0'], 'sent, and nobody could be told so');
  proxy.heal();
  proxy.cut();
  await told(side, opened, ['webhook opened sent 1']);
  t.equal(receiver.requests.length, 1);
});

t.test('a clean stop finishes what is under way, and hands on what takes too long', async (t) => {
  const { receiver, side, webhook, incident } = await setting(t, mongo);
  await webhook();
  receiver.behave({ status: 200, afterMs: 700 });
  const opened = await side.open(incident());
  await receiver.arrived(1);
  await side.notifications.stop();
  t.same(await side.told(opened), ['webhook opened sent 1'], 'noted before the stop was over');

  const second = buildNotifying(mongo);
  second.notifications.start();
  receiver.behave('hang');
  const stuck = await second.open(incident());
  await receiver.arrived(2);
  const startedAt = performance.now();
  await second.notifications.stop();
  const tookMs = performance.now() - startedAt;
  t.ok(tookMs > 4_500 && tookMs < 6_500, `stopped after ${tookMs.toFixed(0)} ms`);
  receiver.behave({ status: 200 });
  const third = buildNotifying(mongo);
  third.notifications.start();
  t.teardown(() => third.notifications.stop());
  await told(side, stuck, ['webhook opened sent 2']);
  t.equal(idOf(receiver.requests[2]), idOf(receiver.requests[1]));
});
