import { setImmediate as turn } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import t from 'tap';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import type { FakeStream } from '../../helpers/node-link/fake-node.js';
import {
  assignmentOf,
  fakeHandler,
  fakeMonitors,
  type NodeSide,
  startNodeSide,
} from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
const registry = new Registry();
const side = await startNodeSide(mongo, monitors, { registry });
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };

t.teardown(async () => {
  await side.stop();
  await mongo.drop();
});

const batchOf = (firstSeq: number, records: number, bytes = 10) => ({
  batch: { firstSeq, records: Array.from({ length: records }, () => Buffer.alloc(bytes, 1)), droppedTotal: 0 },
});
const pong = (stream: FakeStream, nonce: number) =>
  stream.next((message) => (message.pong?.nonce === nonce ? message.pong : null));

t.test('batches are handled one after another, in order, and each is acknowledged', async (t) => {
  const node = await side.enrol('fra');
  const stream = await node.connect();
  let inHand = 0;
  let most = 0;
  side.handler.before = async () => {
    inHand += 1;
    most = Math.max(most, inHand);
    await turn();
    inHand -= 1;
    return undefined;
  };
  for (let batch = 0; batch < 8; batch++) stream.send(batchOf(1 + batch * 3, 3));
  await stream.next((message) => message.ack?.upToSeq === 24);
  t.equal(most, 1, 'never two batches of a node at once');
  const taken = side.handler.taken.filter((entry) => entry.node.nodeId === node.id);
  t.same(
    taken.flatMap((entry) => entry.seqs),
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
  t.same(taken[0]?.node, { nodeId: node.id, kind: 'probe', location: 'fra' }, 'with the identity of the credential');
  t.same(
    stream.acks.map((ack) => ack.upToSeq),
    [3, 6, 9, 12, 15, 18, 21, 24],
  );
  side.handler.before = () => undefined;
  stream.end();
  t.match(await stream.ended, { code: status.OK });
});

t.test('a record that is refused, too large or empty is named in the acknowledgement, and counted', async (t) => {
  const stream = await (await side.enrol('fra')).connect();
  side.handler.before = async () => [{ seq: 12, reason: 'unknown_monitor' }];
  const records = [Buffer.alloc(65_537), Buffer.alloc(5), Buffer.alloc(5), Buffer.alloc(0)];
  stream.send({ batch: { firstSeq: 10, records, droppedTotal: 0 } });
  const ack = await stream.next((message) => message.ack);
  t.equal(ack.upToSeq, 13, 'none of them blocks later records');
  t.same(
    ack.rejections.map(({ seq, reason }) => [seq, reason]),
    [
      [10, 'record_too_large'],
      [13, 'record_empty'],
      [12, 'unknown_monitor'],
    ],
  );
  t.same(side.handler.taken.at(-1)?.seqs, [11, 12], 'the handler never sees the other two');
  const counts = await registry.metrics();
  for (const reason of ['record_too_large', 'record_empty']) {
    t.ok(counts.includes(`picket_node_messages_refused_total{kind="probe",reason="${reason}"} 1\n`), reason);
  }
  side.handler.before = () => undefined;
  stream.end();
});

t.test('a malformed batch is refused and ends the stream', async (t) => {
  const node = await side.enrol('fra');
  const wrong = [
    { code: 'batch_too_large', message: batchOf(1, 501) },
    { code: 'batch_too_large', message: batchOf(1, 17, 61_800) },
    { code: 'batch_malformed', message: batchOf(1, 0) },
    { code: 'batch_malformed', message: batchOf(Number.MAX_SAFE_INTEGER, 2) },
  ];
  for (const { code, message } of wrong) {
    const stream = await node.connect();
    stream.send(message);
    t.equal((await stream.refusal()).code, code);
    t.match(await stream.ended, { code: status.INVALID_ARGUMENT, details: new RegExp(code) });
  }
  const stream = await node.connect();
  stream.send(batchOf(1, 17, 65_000));
  t.match(await stream.ended, { code: status.RESOURCE_EXHAUSTED }, 'a message over 1 MiB is not read');
  const again = await node.connect();
  t.ok(await again.results([result]), 'the node can reconnect');
  again.end();
});

t.test('after a storage failure nothing is acknowledged and the stream ends', async (t) => {
  const node = await side.enrol('fra');
  const stream = await node.connect();
  let tries = 0;
  const gate = createGate();
  side.handler.before = async () => {
    tries += 1;
    if (tries === 2) {
      await gate.pass();
      throw new Error('the database is away');
    }
    return undefined;
  };
  for (let batch = 0; batch < 4; batch++) stream.send(batchOf(1 + batch, 1));
  stream.send({ ping: { nonce: 4 } });
  t.ok(await pong(stream, 4), 'the others are waiting');
  gate.open();
  t.match(await stream.ended, { code: status.UNAVAILABLE });
  t.same(
    stream.acks.map((ack) => ack.upToSeq),
    [1],
    'batches stored earlier are acknowledged',
  );
  t.equal(tries, 2, 'later batches are not stored out of order');
  side.handler.before = () => undefined;
  const again = await node.connect();
  t.ok(await again.results([result]));
  again.end();
});

t.test('while the database is unavailable, a batch is held and its stream stays open', async (t) => {
  const clock = testClock(Date.now());
  const handler = fakeHandler();
  const counts = new Registry();
  const other = await startNodeSide(mongo, monitors, { clock, handler, registry: counts });
  const held = async () => /^picket_node_batches_held{kind="probe"} (\d+)$/m.exec(await counts.metrics())?.[1];
  const stream = await (await other.enrol('lon')).connect({ pingMs: 0 });
  let [tries, isAway] = [0, true];
  handler.before = async () => {
    tries += 1;
    if (isAway) throw Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
    return undefined;
  };
  const arrivedMs = clock.now();
  for (let batch = 0; batch < 8; batch++) stream.send(batchOf(1 + batch * 2, 2));
  stream.send({ ping: { nonce: 1 } });
  await pong(stream, 1);
  await clock.advance(24_000);
  stream.send({ ping: { nonce: 2 } });
  t.ok(await pong(stream, 2), 'the node is still answered');
  t.ok(tries > 8, `${tries} tries`);
  t.same(stream.acks, [], 'nothing is acknowledged before it is stored');
  t.equal(await held(), '1', 'the batches of a node are stored one after another');
  isAway = false;
  await clock.advance(2_500);
  await stream.next((message) => message.ack?.upToSeq === 16);
  t.same(
    handler.taken.flatMap(({ seqs }) => seqs),
    Array.from({ length: 16 }, (_, index) => index + 1),
    'everything is stored once and in order',
  );
  t.ok(
    handler.taken.every(({ receivedAtMs }) => receivedAtMs === arrivedMs),
    'with the time of its arrival',
  );
  t.equal(await held(), '0');

  isAway = true;
  stream.send(batchOf(17, 1));
  stream.send({ ping: { nonce: 3 } });
  await pong(stream, 3);
  await advanceUntil(clock, 'the end of the stream after 30 s', () => stream.isOver());
  t.match(await stream.ended, { code: status.UNAVAILABLE });
  t.equal(await held(), '0', 'the node has it again');
  const last = await (await other.enrol('lon')).connect({ pingMs: 0 });
  last.send(batchOf(1, 1));
  last.send({ ping: { nonce: 1 } });
  await pong(last, 1);
  const stoppingMs = clock.monotonic();
  await stop(other, clock);
  t.ok(clock.monotonic() - stoppingMs < 10_000, 'a control plane that stops does not wait for the database');
  t.notOk(last.acks.length > 0);
});

t.test('reading pauses while eight batches wait behind the one in progress', async (t) => {
  const node = await side.enrol('fra');
  const stream = await node.connect();
  const { open, pass } = createGate();
  side.handler.before = async () => {
    await pass();
    return undefined;
  };
  // A node has at most eight unacknowledged batches. With these, pings are still answered.
  for (let batch = 0; batch < 8; batch++) stream.send(batchOf(1 + batch, 1));
  stream.send({ ping: { nonce: 100 } });
  t.ok(await pong(stream, 100), 'with eight unacknowledged batches the control plane still answers pings');
  for (let batch = 8; batch < 40; batch++) stream.send(batchOf(1 + batch, 1));
  stream.send({ ping: { nonce: 101 } });
  await everythingRead(side);
  t.notOk(
    stream.received.some((message) => message.pong?.nonce === 101),
    'later messages are not read',
  );
  open();
  t.ok(await pong(stream, 101), 'until they are handled');
  await stream.next((message) => message.ack?.upToSeq === 40);
  t.equal(stream.acks.length, 40, 'none is lost');
  side.handler.before = () => undefined;
  stream.end();
});

t.test('a batch beyond the budget of its node waits, and the node is still answered', async (t) => {
  const clock = testClock(Date.now());
  const handler = fakeHandler();
  const other = await startNodeSide(mongo, monitors, { clock, handler });
  const stream = await (await other.enrol('lon')).connect({ pingMs: 0 });
  handler.waitMs = 20_000;
  for (let batch = 0; batch < 8; batch++) stream.send(batchOf(1 + batch, 1));
  stream.send({ ping: { nonce: 1 } });
  t.ok(await pong(stream, 1), 'with eight unacknowledged batches');
  await clock.advance(19_999);
  t.same(handler.taken, [], 'none is stored before its time');
  handler.waitMs = 0;
  await clock.advance(1);
  await stream.next((message) => message.ack?.upToSeq === 8);
  handler.waitMs = 3_600_000;
  stream.send(batchOf(9, 1));
  stream.send({ ping: { nonce: 2 } });
  await pong(stream, 2);
  await stop(other, clock);
  t.equal(handler.taken.length, 8, 'a control plane that stops does not wait for it');
});

t.test('a node that sends too many messages is read more slowly', async (t) => {
  const clock = testClock(Date.now());
  const other = await startNodeSide(mongo, monitors, { clock });
  const stream = await (await other.enrol('lon')).connect({ pingMs: 0 });
  for (let nonce = 1; nonce <= 3_000; nonce++) stream.send({ ping: { nonce } });
  const answered = () => stream.received.filter((message) => message.pong).length;
  await waitFor('those that are read at once', 10_000, () => answered() >= 2_000, 5);
  for (let count = 0; count < 10; count++) await everythingRead(other);
  t.ok(answered() <= 2_001, `${answered()} pings were read at once`);
  await waitFor('the others', 10_000, async () => {
    await clock.advance(100);
    return answered() === 3_000;
  });
  t.notOk(stream.isOver());
  await stop(other, clock);
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
  await waitFor('the version', 5_000, () =>
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
  const third = await waitFor('the place is free', 5_000, () => node.connect({ instance: 'three' }));
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
  const elsewhere = await waitFor('another control plane may take it', 5_000, () =>
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
  await stop(other, clock);
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
  await stop(other, clock);
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
  const before = process.memoryUsage().rss;
  for (let version = 1; version <= 60; version++) {
    monitors.put('sfo', ...ids.map((id) => heavy(id, version)));
    // Changes are sent together after 25 ms.
    await clock.advance(30);
  }
  const grownBy = process.memoryUsage().rss - before;
  t.ok(grownBy < 500 * 1_048_576, `1.2 GB of changes: grown by ${Math.round(grownBy / 1_048_576)} MiB`);
  stream.resume();
  stream.send({ ping: { nonce: 1 } });
  // The test's clock must not pass the limit of silence while real data is on its way.
  let advancedMs = 0;
  await waitFor('all of it', 20_000, async () => {
    if (advancedMs < 5_000) await clock.advance(100);
    advancedMs += 100;
    return ids.every((id) => stream.assignments.get(id)?.version === 60);
  });
  t.notOk(stream.isOver());
  monitors.remove('sfo', ...ids);
  stream.end();
  await stop(other, clock);
});

/** What was sent to this control plane before has been read by then, or is not read at all. */
async function everythingRead(by: NodeSide): Promise<void> {
  const stream = await (await by.enrol('nyc')).connect({ pingMs: 0 });
  for (let nonce = 0; nonce < 20; nonce++) {
    stream.send({ ping: { nonce } });
    await pong(stream, nonce);
  }
  stream.end();
}

function advanceUntil(clock: TestClock, what: string, isTrue: () => boolean): Promise<boolean> {
  const step = async () => {
    await clock.advance(1_000);
    return isTrue();
  };
  return waitFor(what, 10_000, step, 1);
}

/** Its drain waits for the test's clock. */
async function stop(stopped: NodeSide, clock: TestClock): Promise<void> {
  let over = false;
  const stopping = stopped.stop().finally(() => {
    over = true;
  });
  await advanceUntil(clock, 'the control plane to stop', () => over);
  await stopping;
}
