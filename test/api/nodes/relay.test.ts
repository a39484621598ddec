import { status } from '@grpc/grpc-js';
import t from 'tap';
import { createMonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import { createMonitorDirectory } from '../../../control-plane/monitors/directory/directory.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { AssignmentSource } from '../../../control-plane/nodes/nodes.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { quickClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { monitorSecrets } from '../../helpers/monitors/secrets.js';
import { assignmentOf, fakeHandler, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { stopSide } from '../../helpers/node-link/stream-steps.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
const clock = quickClock(5);
/** For a control plane that must not forget a command on a slow machine while it asks for its monitor. */
const forbearing = { ...clock, monotonic: () => systemClock.monotonic() / 60 };
const [one, two] = await Promise.all([1, 2].map(() => startNodeSide(mongo, monitors, { clock })));
if (one === undefined || two === undefined) throw new Error('two control planes are needed');
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };
const presenceRows = mongo.db.collection<{ _id: string; seen_at: Date; control_plane: string; connected: boolean }>(
  'node_presence',
);

t.teardown(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await mongo.drop();
});

t.test('a run-now command reaches the probe with the monitor once, through any control plane', async (t) => {
  // So many that each of two probes has its share for certain.
  const ids = Array.from({ length: 40 }, (_, index) => `mon_${index}`);
  for (const location of ['nyc', 'sfo']) monitors.put(location, ...ids.map((id) => assignmentOf(id)));
  const nodes = await Promise.all([one.enrol('nyc'), two.enrol('nyc'), two.enrol('sfo')]);
  const streams = await Promise.all(nodes.map((node) => node.connect()));
  const [here, there, away] = streams;
  if (here === undefined || there === undefined || away === undefined) throw new Error('no streams');
  await waitFor(
    'both control planes know both probes',
    30_000,
    () =>
      one.nodes.locations.presence('nyc').connectedProbes === 2 &&
      two.nodes.locations.presence('nyc').connectedProbes === 2 &&
      one.nodes.locations.presence('sfo').connectedProbes === 1,
  );
  const slotMs = Date.now();
  for (const monitorId of ids) {
    for (let repeat = 0; repeat < 2; repeat++) {
      one.nodes.commands.runNow({ monitorId, locations: ['nyc', 'sfo'], slotMs, reason: 'confirm' });
    }
  }
  await waitFor(
    'all commands',
    30_000,
    () => here.runNows.length + there.runNows.length === ids.length && away.runNows.length === ids.length,
    5,
  );
  t.ok(here.runNows.length > 0 && there.runNows.length > 0, 'each probe of a location has its share');
  t.match(away.runNows[0], {
    slotMs,
    reason: 'confirm',
    assignment: { monitorId: away.runNows[0]?.monitorId, version: 1 },
  });
  // Each poll reads the commands of the last five seconds again, so the polls that read these read the first ones too.
  const all = () => streams.flatMap((stream) => stream.runNows);
  for (const monitorId of ids) {
    one.nodes.commands.runNow({ monitorId, locations: ['nyc', 'sfo'], slotMs: slotMs + 1, reason: 'confirm' });
    two.nodes.commands.runNow({ monitorId, locations: ['nyc', 'sfo'], slotMs: slotMs + 2, reason: 'confirm' });
  }
  await waitFor('the later commands', 30_000, () => all().length >= 6 * ids.length, 5);
  t.equal(all().length, 6 * ids.length, 'further polls deliver no command twice');

  one.nodes.commands.runNow({ monitorId: 'mon_0', locations: ['sin', 'xyz'], slotMs, reason: 'manual' });
  for (const stream of streams) stream.end();
  await Promise.all(streams.map((stream) => stream.ended));
});

t.test('a run-now command for an unknown monitor waits for the monitor', async (t) => {
  const standing = testClock(Date.now());
  const side = await startNodeSide(mongo, monitors, { clock: standing });
  monitors.put('sin', assignmentOf('mon_known'));
  const stream = await (await side.enrol('sin')).connect({ pingMs: 0 });
  const slotMs = Date.now();
  for (const monitorId of ['mon_late', 'mon_known']) {
    side.nodes.commands.runNow({ monitorId, locations: ['sin'], slotMs, reason: 'resume' });
  }
  const commandFor = (id: string) => stream.next(({ runNow }) => runNow?.monitorId === id);
  await commandFor('mon_known');
  await standing.advance(4_000);
  t.notOk(stream.runNows.some(({ monitorId }) => monitorId === 'mon_late'));
  monitors.put('sin', assignmentOf('mon_late'));
  await standing.advance(500);
  t.ok(await commandFor('mon_late'));
  monitors.remove('sin', 'mon_known', 'mon_late');
  await stopSide(side, standing);
});

/** The directory of a control plane that gets no changes: it only knows the monitors that it has read. */
function deafDirectory(): AssignmentSource {
  const directory = createMonitorDirectory({
    store: createMonitorStore(mongo.db),
    secrets: monitorSecrets(),
    changes: createMonitorChanges(mongo.db),
    plans: { plans: async () => new Map() },
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  return { ...directory, ready: () => Promise.resolve() };
}

t.test('if a run-now command arrives before the monitor is known, the control plane reads the monitor', async (t) => {
  const [asking, holding] = await Promise.all(
    [deafDirectory(), deafDirectory()].map((source) => startNodeSide(mongo, source, { clock: forbearing })),
  );
  if (asking === undefined || holding === undefined) throw new Error('two control planes are needed');
  t.teardown(() => Promise.all([asking.stop(), holding.stop()]));
  const stream = await (await holding.enrol('lon')).connect();
  await waitFor('presence', 30_000, () => asking.nodes.locations.presence('lon').connectedProbes === 1);
  const made = Array.from({ length: 3 }, () => buildMonitor({ locations: ['lon'], version: 4 }));
  await createRunTransaction(mongo.client)((tx) => createMonitorStore(mongo.db).insert(tx, made));
  const paused = buildMonitor({ locations: ['lon'], paused_at_ms: Date.now() });
  await createRunTransaction(mongo.client)((tx) => createMonitorStore(mongo.db).insert(tx, [paused]));
  const slotMs = Date.now();
  for (const { _id: monitorId } of [...made, paused, { _id: 'mon_gone' }]) {
    asking.nodes.commands.runNow({ monitorId, locations: ['lon'], slotMs, reason: 'manual' });
  }
  await waitFor('the commands', 30_000, () => stream.runNows.length === 3, 10);
  t.strictSame(
    new Set(stream.runNows.map(({ monitorId, assignment }) => `${monitorId} ${assignment?.version}`)),
    new Set(made.map(({ _id }) => `${_id} 4`)),
    'with the settings in the database',
  );
  const back = new Date();
  await mongo.db
    .collection<{ _id: string }>('monitors')
    .updateOne({ _id: paused._id }, { $set: { paused_at_ms: null, version: 2, updated_at_ms: back.getTime() } });
  asking.nodes.commands.runNow({ monitorId: paused._id, locations: ['lon'], slotMs: slotMs + 1, reason: 'resume' });
  await waitFor('a resumed one', 30_000, () => stream.runNows.some(({ reason }) => reason === 'resume'), 10);
  // One more that has to be asked for: with it what was not found is tried again.
  const newest = buildMonitor({ locations: ['lon'] });
  await createRunTransaction(mongo.client)((tx) => createMonitorStore(mongo.db).insert(tx, [newest]));
  asking.nodes.commands.runNow({ monitorId: newest._id, locations: ['lon'], slotMs: slotMs + 2, reason: 'manual' });
  await waitFor('the newest one', 30_000, () => stream.runNows.some(({ monitorId }) => monitorId === newest._id), 10);
  const commands = stream.runNows.map(({ monitorId, slotMs: at }) => `${monitorId} ${at}`);
  t.equal(new Set(commands).size, commands.length, 'each command once');
  t.notMatch(commands.join(), /mon_gone/, 'no command for a monitor that does not exist');
  stream.end();
  await stream.ended;
});

t.test('a drain moves the nodes, stores and acknowledges batches in progress, and closes the port', async (t) => {
  const handler = fakeHandler();
  const clock = testClock(Date.now());
  const leaving = await startNodeSide(mongo, monitors, { handler, clock });
  const node = await leaving.enrol('fra');
  const other = await leaving.enrol('fra');
  const [stream, idle] = await Promise.all([node.connect(), other.connect({ instance: null })]);
  const staying = await (await leaving.enrol('fra')).connect();
  const gate = createGate();
  handler.before = async () => {
    await gate.pass();
    return undefined;
  };
  const acked = stream.results([result, result]);
  await gate.reached;
  const drained = leaving.server.drain();
  const drain = await stream.next((message) => message.drain);
  t.ok(drain.reconnectAfterMs < 1_000);
  await t.rejects(leaving.enrol('fra'), 'no further node is admitted');
  await idle.next((message) => message.drain);
  const moved = await waitFor('the node moves over, even one that names no instance', 30_000, () =>
    other.connect({ instance: null, address: two.address }),
  );
  idle.end();
  await staying.next((message) => message.drain);
  await clock.advance(1_999);
  t.notOk(staying.isOver(), 'a node has two seconds to move by itself');
  await clock.advance(1);
  t.match(await staying.ended, { code: status.UNAVAILABLE });
  t.notOk(stream.isOver(), 'a batch in progress keeps the stream open');
  gate.open();
  t.equal((await acked).upToSeq, 2, 'it is still acknowledged');
  t.match(await stream.ended, { code: status.UNAVAILABLE });
  await drained;
  t.notOk(moved.isOver());
  t.match(
    await presenceRows.findOne({ _id: node.id }),
    { connected: false },
    'the other control planes know that it has disconnected',
  );
  moved.end();
  await leaving.nodes.stop();
});

t.test('a drain waits for batches in progress, even if the node has disconnected', async (t) => {
  const handler = fakeHandler();
  const leaving = await startNodeSide(mongo, monitors, { handler, clock: testClock(Date.now()) });
  const stream = await (await leaving.enrol('fra')).connect();
  const gate = createGate();
  handler.before = async () => {
    await gate.pass();
    return undefined;
  };
  stream.send({ batch: { firstSeq: 1, records: [Buffer.alloc(4)], droppedTotal: 0 } });
  await gate.reached;
  stream.cut();
  await waitFor('the node to be gone', 30_000, () => leaving.nodes.locations.presence('fra').connectedProbes === 0, 5);
  let over = false;
  const drained = leaving.server.drain().then(() => {
    over = true;
  });
  // A drain that has nothing to wait for is over long before this.
  for (let times = 0; times < 20; times++) await mongo.db.command({ ping: 1 });
  t.notOk(over, 'not while a batch is being stored');
  gate.open();
  await drained;
  t.equal(handler.taken.length, 1, 'the database can be closed now');
  await leaving.nodes.stop();
});

t.test('a drain ends at its deadline even if something hangs', async (t) => {
  const handler = fakeHandler();
  const gate = createGate();
  handler.before = async () => {
    await gate.pass();
    return undefined;
  };
  const clock = testClock(Date.now());
  const leaving = await startNodeSide(mongo, monitors, { handler, clock });
  const stream = await (await leaving.enrol('fra')).connect();
  stream.send({ batch: { firstSeq: 1, records: [Buffer.alloc(4)], droppedTotal: 0 } });
  await gate.reached;
  const drained = leaving.server.drain();
  await stream.next((message) => message.drain);
  await clock.advance(7_999);
  t.notOk(stream.isOver(), 'not before 8 s');
  await clock.advance(1);
  await drained;
  t.not((await stream.ended).code, status.OK, 'the connection is closed');
  t.same(stream.acks, [], 'a batch that is not stored is not acknowledged');
  await leaving.nodes.stop();
});
