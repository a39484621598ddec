import { status } from '@grpc/grpc-js';
import t from 'tap';
import { createNodeStore } from '../../../control-plane/nodes/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { quickClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import type { FakeStream } from '../../helpers/node-link/fake-node.js';
import { assignmentOf, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { stopSide } from '../../helpers/node-link/stream-steps.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
/** What control planes read of each other each few seconds they read here each few tenths. */
const clock = quickClock(10);
const [one, two] = await Promise.all([1, 2].map(() => startNodeSide(mongo, monitors, { clock })));
if (one === undefined || two === undefined) throw new Error('two control planes are needed');
const store = createNodeStore(mongo.db);
const runTransaction = createRunTransaction(mongo.client);
const HOUR_MS = 3_600_000;
/** As in `probes/sync.ts`: how soon a control plane notices a revocation. */
const REFRESH_MS = 2_000;
const WAIT_MS = 30_000;
const result: CheckResult = { monitorId: 'mon_1', slotMs: 1, up: true };
const presenceRows = mongo.db.collection<{ _id: string; seen_at: Date; control_plane: string; connected: boolean }>(
  'node_presence',
);

t.teardown(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await mongo.drop();
});

const heldBy = (...streams: FakeStream[]) => streams.map((stream) => [...stream.assignments.keys()].sort());
const idsOf = (location: string) => Array.from(monitors.monitors(location), ({ id }) => id);

t.test('the five built-in locations exist once, on every control plane', async (t) => {
  t.same(one.nodes.locations.codes(), ['fra', 'nyc', 'sin', 'lon', 'sfo']);
  t.same(two.nodes.locations.codes(), ['fra', 'nyc', 'sin', 'lon', 'sfo']);
  t.equal(one.nodes.locations.name('sin'), 'Singapore');
  t.equal(one.nodes.locations.name('xyz'), 'xyz');
  t.equal(await mongo.db.collection('locations').countDocuments(), 5);
});

t.test('the streams of a revoked node end on every control plane', async (t) => {
  const standing = testClock(Date.now());
  const other = await startNodeSide(mongo, monitors, { clock: standing });
  const node = await one.enrol('fra');
  const stream = await node.connect({ address: other.address });
  await runTransaction((tx) => store.revoke(tx, node.id, Date.now()));
  // Its clock moves no further, so this is how soon it notices the revocation.
  await standing.advance(REFRESH_MS);
  t.match(await stream.refusal(), { code: 'revoked' });
  t.match(await stream.ended, { code: status.PERMISSION_DENIED });
  await stopSide(other, standing);
  const late = await node.open();
  t.match(await late.refusal(), { code: 'revoked' }, 'it gets the reason at every reconnect');
  t.match(await late.ended, { code: status.PERMISSION_DENIED });
  await t.rejects(node.rotate(), { code: status.UNAUTHENTICATED }, 'it gets no new credential');
});

t.test('every control plane knows the connected probes of all control planes', async (t) => {
  const node = await one.enrol('sin');
  t.match(two.nodes.locations.presence('sin'), {
    connectedProbes: 0,
    checkingProbes: 0,
    lastCheckingAtMs: null,
    canaryOk: null,
  });
  const startedMs = Date.now();
  const stream = await node.connect();
  t.equal(one.nodes.locations.presence('sin').connectedProbes, 1, 'at once on the same control plane');
  await waitFor('presence elsewhere', WAIT_MS, () => two.nodes.locations.presence('sin').connectedProbes === 1);
  const lastMs = Number(two.nodes.locations.presence('sin').lastCheckingAtMs);
  t.ok(startedMs <= lastMs && lastMs <= Date.now());
  await waitFor('the same number on both', WAIT_MS, () => two.nodes.connectedProbes() === one.nodes.connectedProbes());
  stream.status({ canaries: 2, canaryOk: false, spoolRecords: 3 });
  await waitFor('the canary here', WAIT_MS, () => one.nodes.locations.presence('sin').canaryOk === false);
  await waitFor('the canary elsewhere', WAIT_MS, () => two.nodes.locations.presence('sin').canaryOk === false);
  stream.end();
  await waitFor('the end elsewhere', WAIT_MS, () => two.nodes.locations.presence('sin').connectedProbes === 0);
  t.equal(one.nodes.locations.presence('sin').connectedProbes, 0);
  t.type(two.nodes.locations.presence('sin').lastCheckingAtMs, 'number');
});

t.test('a node has one process on all control planes; the process can reconnect elsewhere', async (t) => {
  const node = await one.enrol('sin');
  const first = await node.connect({ instance: 'p1' });
  const rival = await node.open({ instance: 'p2', address: two.address });
  t.match(await rival.refusal(), { code: 'duplicate' });
  const moved = await node.connect({ instance: 'p1', address: two.address });
  t.match(await first.ended, { code: status.ABORTED }, 'the previous control plane ends its stream');
  t.ok(await moved.results([result]));
  moved.end();
});

t.test(
  'presence expires after 30 s without renewal, and another control plane can accept the nodes of a crashed one',
  async (t) => {
    const node = await one.enrol('nyc');
    const stream = await node.connect();
    await waitFor('presence', WAIT_MS, () => two.nodes.locations.presence('nyc').connectedProbes === 1);
    /** Does what a control plane does that crashed so long ago, and that nobody has replaced. */
    const crashed = (agoMs: number) => {
      const dead = { control_plane: 'gone', stream_id: 'gone', connected: true };
      return presenceRows.updateOne({ _id: node.id }, { $set: { ...dead, seen_at: new Date(Date.now() - agoMs) } });
    };
    stream.cut();
    await waitFor('the end', WAIT_MS, () => one.nodes.locations.presence('nyc').connectedProbes === 0);
    await crashed(31_000);
    await waitFor('no longer counted', WAIT_MS, () => two.nodes.locations.presence('nyc').connectedProbes === 0);
    // Again and again, because on a slow machine the age may pass its limit before it is read.
    await waitFor('counted within 30 s', WAIT_MS, async () => {
      await crashed(20_000);
      return two.nodes.locations.presence('nyc').connectedProbes === 1;
    });
    await waitFor('a refusal while its control plane may be running', WAIT_MS, async () => {
      await crashed(5_000);
      const early = await node.open({ instance: 'new', address: two.address });
      const answer = await early.next((message) => message.refused ?? message.welcome);
      early.end();
      await early.ended;
      return 'code' in answer && answer.code === 'duplicate';
    });
    await crashed(16_000);
    const late = await node.connect({ instance: 'new', address: two.address });
    t.ok(late);
    late.end();
  },
);

t.test('the monitors of a location are shared among its probes on all control planes', async (t) => {
  const ids = Array.from({ length: 1_201 }, (_, index) => `mon_${index}`);
  monitors.put('lon', ...ids.map((id) => assignmentOf(id)));
  const nodes = await Promise.all([one.enrol('lon'), two.enrol('lon'), two.enrol('lon')]);
  const [a, b, c] = nodes;
  if (a === undefined || b === undefined || c === undefined) throw new Error('no nodes');
  const first = await a.connect();
  await first.next((message) => message.assignments?.last);
  const sizes = first.received.flatMap((message) => (message.assignments ? [message.assignments.put.length] : []));
  t.same(sizes, [500, 500, 201], 'a snapshot is sent in parts');
  t.equal(first.assignments.size, 1_201, 'the only probe has all monitors');

  const [second, third] = await Promise.all([b.connect(), c.connect()]);
  const complete = (...streams: FakeStream[]) =>
    waitFor('each monitor at exactly one probe', WAIT_MS, () => {
      const all = heldBy(...streams).flat();
      const each = streams.every((stream) => stream.assignments.size > 0);
      return each && all.length === idsOf('lon').length && new Set(all).size === all.length;
    });
  await complete(first, second, third);
  for (const stream of [first, second, third]) t.ok(stream.assignments.size > 300, `${stream.assignments.size}`);

  monitors.put('lon', assignmentOf('mon_new'));
  monitors.remove('lon', 'mon_0', 'mon_1');
  await complete(first, second, third);
  t.ok(heldBy(first, second, third).flat().includes('mon_new'));

  const kept = new Set(first.assignments.keys());
  // Its presence does not expire, so only the end of its stream makes it leave.
  const lasting = { $set: { seen_at: new Date(Date.now() + HOUR_MS) } };
  second.cut();
  await presenceRows.updateOne({ _id: b.id }, lasting);
  await complete(first, third);
  t.ok(
    [...kept].every((id) => first.assignments.has(id)),
    'no probe loses a monitor',
  );

  await runTransaction((tx) => store.setDrained(tx, c.id, Date.now()));
  await waitFor('the drained probe has none', WAIT_MS, () => third.assignments.size === 0);
  await complete(first);
  t.ok(third.received.at(-1)?.assignments ?? third.received.some((message) => message.welcome?.drained));
  t.ok(await third.results([result]), 'it still delivers results');
  third.end();
  await third.ended;
  const again = await c.connect();
  t.match(await again.next((message) => message.welcome), { drained: true }, 'the next welcome says so too');
  t.equal(again.assignments.size, 0);
  await runTransaction((tx) => store.setDrained(tx, c.id, null));
  await complete(first, again);
  t.ok(again.assignments.size > 0, 'it gets its share again');

  const held = again.revision();
  again.end();
  await again.ended;
  await waitFor('all back at the first', WAIT_MS, () => first.assignments.size === idsOf('lon').length);
  first.end();
  await first.ended;
  const resumed = await a.connect({ heldRevision: first.revision() });
  monitors.put('lon', assignmentOf('mon_last'));
  const change = await resumed.next((received) => received.assignments);
  t.match(
    change,
    { snapshot: false, put: [{ monitorId: 'mon_last' }] },
    'a probe that has all assignments gets changes only',
  );
  const elsewhere = await c.connect({ heldRevision: held, address: one.address });
  const message = await elsewhere.next((received) => received.assignments);
  t.ok(message.snapshot, 'a revision of another control plane is unknown here');
  resumed.end();
  elsewhere.end();
  await Promise.all([resumed.ended, elsewhere.ended]);
  monitors.remove('lon', ...idsOf('lon'));
});
