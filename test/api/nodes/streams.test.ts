import { status } from '@grpc/grpc-js';
import t from 'tap';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { assignmentOf, fakeHandler, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { advanceUntil, batchOf, everythingRead, pong, stopSide } from '../../helpers/node-link/stream-steps.js';
import { waitFor } from '../../helpers/wait.js';

/** Of the versions that a node misses, at most this many wait for it in memory. */
const VERSIONS_QUEUED_MAX = 10;

const mongo = await testDatabase();
const monitors = fakeMonitors();
const side = await startNodeSide(mongo, monitors);
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };

t.teardown(async () => {
  await side.stop();
  await mongo.drop();
});

t.test('a node that sends too many messages is read more slowly', async (t) => {
  const clock = testClock(Date.now());
  const other = await startNodeSide(mongo, monitors, { clock });
  const stream = await (await other.enrol('lon')).connect({ pingMs: 0 });
  for (let nonce = 1; nonce <= 3_000; nonce++) stream.send({ ping: { nonce } });
  const answered = () => stream.received.filter((message) => message.pong).length;
  await waitFor('those that are read at once', 30_000, () => answered() >= 2_000, 5);
  for (let count = 0; count < 10; count++) await everythingRead(other);
  t.ok(answered() <= 2_001, `${answered()} pings were read at once`);
  await waitFor('the others', 30_000, async () => {
    await clock.advance(100);
    return answered() === 3_000;
  });
  t.notOk(stream.isOver());
  await stopSide(other, clock);
});

t.test('the first message must be a Hello with a supported protocol', async (t) => {
  const node = await side.enrol('fra');
  const mute = await node.open({ hello: false });
  mute.send({ ping: { nonce: 1 } });
  t.match(await mute.refusal(), { code: 'hello_missing' });
  t.match(await mute.ended, { code: status.INVALID_ARGUMENT });
  const future = await node.open({ protocol: 2 });
  t.match(await future.refusal(), { code: 'version' });
  t.match(await future.ended, { code: status.FAILED_PRECONDITION });
  const stream = await node.connect({ version: '7.7.7' });
  await waitFor('the version', 30_000, () =>
    mongo.db.collection<{ _id: string }>('nodes').findOne({ _id: node.id, version: '7.7.7' }),
  );
  stream.end();
});

t.test('a second process with the same credential is refused while the first is connected', async (t) => {
  const node = await side.enrol('fra');
  const first = await node.connect({ instance: 'one' });
  const second = await node.open({ instance: 'two' });
  t.match(await second.refusal(), { code: 'duplicate' });
  t.match(await second.ended, { code: status.ALREADY_EXISTS });
  const nameless = await node.open({ instance: null });
  t.match(await nameless.refusal(), { code: 'duplicate' }, 'a process without an instance counts as another one');
  t.notOk(first.isOver());
  const reopened = await node.connect({ instance: 'one' });
  t.match(await first.ended, { code: status.ABORTED }, 'the same process replaces its own stream');
  reopened.cut();
  const third = await waitFor('the place is free', 30_000, () => node.connect({ instance: 'three' }));
  t.ok(await third.results([result]), 'after the first has disconnected, another process is admitted');
  third.end();
});

t.test('a node that opens streams all the time is refused for a while, and other nodes are not', async (t) => {
  const clock = testClock(Date.now());
  const paced = await startNodeSide(mongo, monitors, { clock });
  t.teardown(() => paced.stop());
  const [node, other] = [await paced.enrol('fra'), await paced.enrol('nyc')];
  const reconnect = async () => {
    const stream = await node.connect({ instance: 'one' });
    stream.cut();
    await stream.ended;
  };
  for (let count = 0; count < 20; count++) await reconnect();
  for (let count = 0; count < 5; count++) {
    const refused = await node.open({ instance: 'one' });
    t.match(await refused.ended, { code: status.RESOURCE_EXHAUSTED, details: /retry in 2 s/ });
  }
  (await other.connect()).cut();
  await clock.advance(2_000);
  await reconnect();
});

t.test('batches of the replaced stream are stored and acknowledged before those of the new one', async (t) => {
  const node = await side.enrol('fra');
  const { open, pass, reached } = createGate();
  const order: number[] = [];
  side.handler.before = async (_node, records) => {
    if (records[0]?.seq === 1) await pass();
    order.push(records[0]?.seq ?? 0);
    return undefined;
  };
  const old = await node.connect();
  old.send(batchOf(1, 1));
  await reached;
  const fresh = await node.connect();
  fresh.send(batchOf(2, 1));
  fresh.send({ ping: { nonce: 2 } });
  t.ok(await pong(fresh, 2), 'the new batch has been read');
  t.same(order, [], 'the new stream waits');
  open();
  await fresh.next((message) => message.ack?.upToSeq === 2);
  t.same(order, [1, 2]);
  t.match(await old.ended, { code: status.ABORTED });
  t.same(
    old.acks.map((ack) => ack.upToSeq),
    [1],
    'the batch of the old stream is acknowledged',
  );
  side.handler.before = () => undefined;
  fresh.end();
});

t.test('another process can replace a node that is silent for 15 s, and its stream ends after 25 s', async (t) => {
  const clock = testClock(Date.now());
  const other = await startNodeSide(mongo, monitors, { clock });
  const node = await other.enrol('lon');
  const silent = await node.connect({ instance: 'one', pingMs: 0 });
  await clock.advance(14_000);
  const early = await node.open({ instance: 'two', pingMs: 0 });
  t.match(await early.refusal(), { code: 'duplicate' }, '14 s do not count as silence');
  await clock.advance(2_000);
  const second = await node.connect({ instance: 'two', pingMs: 0 });
  t.match(await silent.ended, { code: status.ABORTED }, 'after 16 s the newer process is admitted');

  await clock.advance(21_000);
  const elsewhere = await waitFor('another control plane may take it', 30_000, () =>
    node.connect({ instance: 'three', address: side.address }),
  );
  elsewhere.end();
  await elsewhere.ended;
  await clock.advance(6_000);
  t.not((await second.ended).code, status.OK, 'the first stream ends');

  const third = await node.connect({ instance: 'four', pingMs: 0 });
  await clock.advance(20_000);
  third.send({ ping: { nonce: 5 } });
  t.match(await pong(third, 5), { serverTimeMs: clock.now() }, 'a pong carries the control plane’s time');
  await clock.advance(24_000);
  t.notOk(third.isOver(), 'a ping counts');
  await clock.advance(3_000);
  t.match(await third.ended, { code: status.UNAVAILABLE, details: /25 s/ });
  const mute = await node.open({ hello: false, pingMs: 0, instance: 'five' });
  await advanceUntil(clock, 'the end of a stream without a Hello', () => mute.isOver());
  t.match(await mute.ended, { code: status.UNAVAILABLE }, 'with its connection');
  await stopSide(other, clock);
});

t.test('time in which reading is paused does not count as silence', async (t) => {
  const clock = testClock(Date.now());
  const handler = fakeHandler();
  const { open, pass } = createGate();
  handler.before = async () => {
    await pass();
    return undefined;
  };
  const other = await startNodeSide(mongo, monitors, { clock, handler });
  const stream = await (await other.enrol('lon')).connect({ pingMs: 0 });
  for (let batch = 0; batch < 12; batch++) stream.send(batchOf(1 + batch, 1));
  await everythingRead(other);
  await clock.advance(60_000);
  t.notOk(stream.isOver(), 'the stream survives a slow database');
  open();
  await stream.next((message) => message.ack?.upToSeq === 12);
  await stopSide(other, clock);
});

t.test('a slow node gets the final state in the end, and its queue is bounded', async (t) => {
  const heavy = (monitorId: string, version: number) => ({
    ...assignmentOf(monitorId, version),
    http: { method: 'POST', expectedStatus: 200, headers: {}, body: 'x'.repeat(65_536) },
  });
  const clock = testClock(Date.now());
  const other = await startNodeSide(mongo, monitors, { clock });
  const node = await other.enrol('sfo');
  const stream = await node.connect({ pingMs: 0 });
  stream.pause();
  const ids = Array.from({ length: 300 }, (_, index) => `mon_${index}`);
  for (let version = 1; version <= 60; version++) {
    monitors.put('sfo', ...ids.map((id) => heavy(id, version)));
    // Changes are sent together after 25 ms.
    await clock.advance(30);
  }
  stream.resume();
  stream.send({ ping: { nonce: 1 } });
  // The test's clock must not pass the limit of silence while real data is on its way.
  let advancedMs = 0;
  await waitFor('all of it', 60_000, async () => {
    if (advancedMs < 5_000) await clock.advance(100);
    advancedMs += 100;
    return ids.every((id) => stream.assignments.get(id)?.version === 60);
  });
  t.notOk(stream.isOver());
  const sent = stream.received.reduce((sum, { assignments }) => sum + (assignments?.put.length ?? 0), 0);
  t.ok(sent <= VERSIONS_QUEUED_MAX * ids.length, `${sent} of ${60 * ids.length} assignments were queued`);
  monitors.remove('sfo', ...ids);
  stream.end();
  await stopSide(other, clock);
});
