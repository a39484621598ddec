import { setImmediate as turn } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import t from 'tap';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { fakeHandler, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { advanceUntil, batchOf, everythingRead, pong, stopSide } from '../../helpers/node-link/stream-steps.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
const registry = new Registry();
const side = await startNodeSide(mongo, monitors, { registry });
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };

t.teardown(async () => {
  await side.stop();
  await mongo.drop();
});

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
  const stopping = other.stop();
  await last.next((message) => message.drain);
  // Less than a batch is held for: a control plane that stops does not wait for the database.
  await clock.advance(10_000);
  await stopping;
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
  await stopSide(other, clock);
  t.equal(handler.taken.length, 8, 'a control plane that stops does not wait for it');
});
