import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import type { CheckResult } from '../../proto/generated/picket/link/v1/CheckResult.js';
import { testDatabase } from '../helpers/database.js';
import { assignmentOf, fakeHandler, fakeMonitors, startNodeSide } from '../helpers/node-side.js';
import { waitFor } from '../helpers/wait.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
const [one, two] = await Promise.all([startNodeSide(mongo, monitors), startNodeSide(mongo, monitors)]);
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };
const presenceRows = mongo.db.collection<{ _id: string; seen_at: Date; control_plane: string; connected: boolean }>(
  'node_presence',
);

t.teardown(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await mongo.drop();
});

t.test('run-now reaches the one probe that has the monitor, through any control plane, once', async (t) => {
  const ids = ['mon_a', 'mon_b', 'mon_c', 'mon_d', 'mon_e', 'mon_f'];
  for (const location of ['nyc', 'sfo']) monitors.put(location, ...ids.map((id) => assignmentOf(id)));
  const nodes = await Promise.all([one.enrol('nyc'), two.enrol('nyc'), two.enrol('sfo')]);
  const streams = await Promise.all(nodes.map((node) => node.connect()));
  const [here, there, away] = streams;
  if (here === undefined || there === undefined || away === undefined) throw new Error('no streams');
  await waitFor(
    'both know both',
    10_000,
    () =>
      one.nodes.locations.presence('nyc').connectedProbes === 2 &&
      two.nodes.locations.presence('nyc').connectedProbes === 2 &&
      one.nodes.locations.presence('sfo').connectedProbes === 1,
  );
  const slotMs = Date.now();
  const askedAt = performance.now();
  for (const monitorId of ids) {
    for (let repeat = 0; repeat < 2; repeat++) {
      one.nodes.commands.runNow({ monitorId, locations: ['nyc', 'sfo'], slotMs, reason: 'confirm' });
    }
  }
  await waitFor(
    'all commands',
    5_000,
    () => here.runNows.length + there.runNows.length === 6 && away.runNows.length === 6,
    5,
  );
  const tookMs = performance.now() - askedAt;
  t.ok(tookMs < 2_000, `the change stream wakes: ${Math.round(tookMs)} ms`);
  t.ok(here.runNows.length > 0 && there.runNows.length > 0, 'each probe of a location has its share');
  t.match(away.runNows[0], {
    slotMs,
    reason: 'confirm',
    assignment: { monitorId: away.runNows[0]?.monitorId, version: 1 },
  });
  await sleep(3_000);
  t.equal(here.runNows.length + there.runNows.length + away.runNows.length, 12, 'polls bring none a second time');

  two.nodes.commands.runNow({ monitorId: 'mon_late', locations: ['sfo'], slotMs, reason: 'resume' });
  await sleep(400);
  t.equal(away.runNows.length, 6, 'a monitor that is not known yet waits');
  monitors.put('sfo', assignmentOf('mon_late'));
  await waitFor('the late one', 5_000, () => away.runNows.some((command) => command.monitorId === 'mon_late'));
  one.nodes.commands.runNow({ monitorId: 'mon_a', locations: ['sin', 'xyz'], slotMs, reason: 'manual' });
  for (const stream of streams) stream.end();
  await Promise.all(streams.map((stream) => stream.ended));
});

t.test('without the change stream, polling brings run-now commands within seconds', async (t) => {
  const node = await two.enrol('sin');
  monitors.put('sin', assignmentOf('mon_s'));
  const stream = await node.connect();
  const commands = mongo.db.collection<{ _id: string }>('probe_commands');
  // Renaming the collection ends every change stream on it, as error 286 would; they are opened again 5 s later.
  await commands.insertOne({ _id: 'x' });
  await commands.rename('probe_commands_old');
  await mongo.db.createCollection('probe_commands');
  await waitFor('presence', 10_000, () => one.nodes.locations.presence('sin').connectedProbes === 1);
  one.nodes.commands.runNow({ monitorId: 'mon_s', locations: ['sin'], slotMs: 5, reason: 'manual' });
  await waitFor('the command', 4_000, () => stream.runNows.length === 1);
  t.match(stream.runNows, [{ monitorId: 'mon_s', slotMs: 5, reason: 'manual' }]);
  await sleep(5_500);
  const askedAt = performance.now();
  one.nodes.commands.runNow({ monitorId: 'mon_s', locations: ['sin'], slotMs: 6, reason: 'manual' });
  await waitFor('the command', 4_000, () => stream.runNows.length === 2, 5);
  t.ok(performance.now() - askedAt < 1_500, 'and the change stream is back');
  stream.end();
});

t.test('drain: nodes are sent elsewhere, what is in hand is stored and acknowledged, the port closes', async (t) => {
  const handler = fakeHandler();
  const leaving = await startNodeSide(mongo, monitors, { handler });
  const node = await leaving.enrol('fra');
  const other = await leaving.enrol('fra');
  const [stream, idle] = await Promise.all([node.connect(), other.connect({ instance: null })]);
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  handler.before = async () => {
    await held;
    return undefined;
  };
  const acked = stream.results([result, result]);
  await sleep(100);
  const startedAt = performance.now();
  const drained = leaving.server.drain();
  const drain = await stream.next((message) => message.drain);
  t.ok(drain.reconnectAfterMs < 1_000);
  await t.rejects(leaving.enrol('fra'), 'nobody is taken in any more');
  await idle.next((message) => message.drain);
  const moved = await waitFor('the node moves over, even one that names no instance', 5_000, () =>
    other.connect({ instance: null, address: two.address }),
  );
  idle.end();
  await sleep(2_500);
  t.notOk(stream.isOver(), 'a batch in hand keeps the stream open');
  release();
  t.equal((await acked).upToSeq, 2, 'its ack still arrives');
  t.match(await stream.ended, { code: status.UNAVAILABLE });
  await drained;
  t.ok(performance.now() - startedAt < 8_500);
  t.notOk(moved.isOver());
  t.match(await presenceRows.findOne({ _id: node.id }), { connected: false }, 'the others know that it is gone');
  moved.end();
  await leaving.nodes.stop();
});

t.test('drain waits for what is being stored, also when its node has gone', async (t) => {
  const handler = fakeHandler();
  const leaving = await startNodeSide(mongo, monitors, { handler });
  const stream = await (await leaving.enrol('fra')).connect();
  handler.before = async () => {
    await sleep(1_500);
    return undefined;
  };
  stream.send({ batch: { firstSeq: 1, records: [Buffer.alloc(4)], droppedTotal: 0 } });
  await sleep(100);
  stream.cut();
  await leaving.server.drain();
  t.equal(handler.taken.length, 1, 'the database may be closed now');
  await leaving.nodes.stop();
});

t.test('drain has an end, whatever hangs', async (t) => {
  const handler = fakeHandler();
  handler.before = () => new Promise(() => {});
  const leaving = await startNodeSide(mongo, monitors, { handler });
  const stream = await (await leaving.enrol('fra')).connect();
  stream.send({ batch: { firstSeq: 1, records: [Buffer.alloc(4)], droppedTotal: 0 } });
  await sleep(100);
  const startedAt = performance.now();
  await leaving.server.drain();
  const tookMs = performance.now() - startedAt;
  t.ok(tookMs > 7_000 && tookMs < 9_500, `${Math.round(tookMs)} ms`);
  t.not((await stream.ended).code, status.OK, 'the connection is cut');
  t.same(stream.acks, [], 'what was not stored is not acknowledged');
  await leaving.nodes.stop();
});
