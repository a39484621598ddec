import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { createMonitorChanges } from '../../../control-plane/monitors/changes-store.js';
import { createMonitorDirectory } from '../../../control-plane/monitors/directory.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { AssignmentSource } from '../../../control-plane/nodes/nodes.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testDatabase } from '../../helpers/database.js';
import { assignmentOf, fakeHandler, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { waitFor } from '../../helpers/wait.js';

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
  t.ok(tookMs < 2_000, `seen soon: ${Math.round(tookMs)} ms`);
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

/** A control plane's own directory, which is never told of a change: what it knows it has asked for. */
function deafDirectory(): AssignmentSource {
  const directory = createMonitorDirectory({
    store: createMonitorStore(mongo.db),
    changes: createMonitorChanges(mongo.db),
    plans: { plans: async () => new Map() },
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  return { ...directory, ready: () => Promise.resolve() };
}

t.test('run-now that is faster than the news of the monitor: the other control plane asks the database', async (t) => {
  const [asking, holding] = await Promise.all(
    [deafDirectory(), deafDirectory()].map((source) => startNodeSide(mongo, source)),
  );
  if (asking === undefined || holding === undefined) throw new Error('two control planes are needed');
  t.teardown(() => Promise.all([asking.stop(), holding.stop()]));
  const stream = await (await holding.enrol('lon')).connect();
  await waitFor('presence', 10_000, () => asking.nodes.locations.presence('lon').connectedProbes === 1);
  const made = Array.from({ length: 3 }, () => buildMonitor({ locations: ['lon'], version: 4 }));
  await createRunTransaction(mongo.client)((tx) => createMonitorStore(mongo.db).insert(tx, made));
  const paused = buildMonitor({ locations: ['lon'], paused_at_ms: Date.now() });
  await createRunTransaction(mongo.client)((tx) => createMonitorStore(mongo.db).insert(tx, [paused]));
  const slotMs = Date.now();
  for (const { _id: monitorId } of [...made, paused, { _id: 'mon_gone' }]) {
    asking.nodes.commands.runNow({ monitorId, locations: ['lon'], slotMs, reason: 'manual' });
  }
  await waitFor('the commands', 4_000, () => stream.runNows.length === 3, 10);
  t.strictSame(
    new Set(stream.runNows.map(({ monitorId, assignment }) => `${monitorId} ${assignment?.version}`)),
    new Set(made.map(({ _id }) => `${_id} 4`)),
    'with the settings that the database has',
  );
  const back = new Date();
  await mongo.db
    .collection<{ _id: string }>('monitors')
    .updateOne({ _id: paused._id }, { $set: { paused_at_ms: null, version: 2, updated_at_ms: back.getTime() } });
  asking.nodes.commands.runNow({ monitorId: paused._id, locations: ['lon'], slotMs: slotMs + 1, reason: 'resume' });
  await waitFor('a resumed one', 4_000, () => stream.runNows.some(({ reason }) => reason === 'resume'), 10);
  await sleep(1_000);
  const told = stream.runNows.map(({ monitorId, slotMs: at }) => `${monitorId} ${at}`);
  t.equal(new Set(told).size, told.length, 'each once');
  t.notMatch(told.join(), /mon_gone/, 'and none for what is not there');
  stream.end();
  await stream.ended;
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
