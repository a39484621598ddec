import { Registry } from 'prom-client';
import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { PresenceDocument } from '../../../control-plane/nodes/documents.js';
import type { AssignedSlots } from '../../../control-plane/nodes/nodes.js';
import { createShareStore } from '../../../control-plane/nodes/probes/shares-store.js';
import { createNodeStore } from '../../../control-plane/nodes/store.js';
import { createResultMetrics } from '../../../control-plane/results/metrics.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testDatabase } from '../../helpers/database.js';
import type { FakeNode, FakeStream } from '../../helpers/node-link/fake-node.js';
import { fakeHandler, type NodeSide, startNodeSide } from '../../helpers/node-link/node-side.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';
import { waitFor } from '../../helpers/wait.js';

/** Later than the hand-over, in which the previous owner of a monitor may still deliver. */
const AFTER_HAND_OVER_MS = 61_000;

const mongo = await testDatabase();
let aheadMs = 0;
/** The clock of all control planes, which the tests set forward. Timers run as usual. */
const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };
const now = () => clock.now();
const store = createNodeStore(mongo.db);
const runTransaction = createRunTransaction(mongo.client);
const monitors = mongo.db.collection<MonitorDocument>('monitors');
t.teardown(() => mongo.drop());

/** A control plane that stores results, with a real gRPC port. */
async function controlPlane(
  over: Partial<Clock> = {},
): Promise<NodeSide & { refusals: string[]; stop(): Promise<void> }> {
  let nodes: AssignedSlots | null = null;
  const slots = () => {
    if (nodes === null) throw new Error('not open yet');
    return nodes;
  };
  const history = await buildHistory(mongo, {
    clock,
    assigned: {
      ready: (nodeId) => slots().ready(nodeId),
      refresh: () => slots().refresh(),
      isAssigned: (...slot) => slots().isAssigned(...slot),
    },
  });
  history.directory.start();
  await history.directory.ready();
  const handler = fakeHandler();
  handler.before = (node, records) => history.record.accept(node, records, now());
  const side = await startNodeSide(mongo, history.directory, { clock: { ...clock, ...over }, handler });
  nodes = side.nodes.assignedSlots;
  return {
    ...side,
    refusals: history.refusals,
    async stop() {
      await side.stop();
      await history.directory.stop();
    },
  };
}

/** Stores monitors of one location. Returns their ids. */
async function monitorsOf(location: string, count: number): Promise<string[]> {
  const documents = Array.from({ length: count }, () => buildMonitor({ locations: [location] }));
  await monitors.insertMany(documents);
  return documents.map(({ _id }) => _id);
}

const reasons = async (stream: FakeStream, ...results: CheckResult[]) =>
  (await stream.results(results)).rejections.map(({ reason }) => reason);
const up = (monitorId: string, slotMs: number, over: object = {}) =>
  checkResult({ monitorId, slotMs: Math.round(slotMs), ...over });
const stored = (filter: object) => mongo.db.collection('results').countDocuments(filter);

const connected = async (node: FakeNode, address?: string) => {
  const stream = await node.connect(address === undefined ? {} : { address });
  await stream.next((message) => message.assignments?.last);
  return stream;
};

t.test('a drained probe cannot hide an outage with results of monitors that it no longer has', async (t) => {
  const [monitorId = ''] = await monitorsOf('fra', 1);
  const plane = await controlPlane();
  t.teardown(() => plane.stop());
  const node = await plane.enrol('fra');
  const stream = await connected(node);
  t.same([...stream.assignments.keys()], [monitorId]);
  t.same(await reasons(stream, up(monitorId, now() - 20_000)), []);
  t.same(
    await reasons(stream, up(monitorId, now() + 290_000), up(monitorId, now() + 6_000)),
    ['slot_ms is in the future', 'slot_ms is in the future'],
    'not even for a monitor that it has',
  );

  await runTransaction((tx) => store.setDrained(tx, node.id, now()));
  await stream.next((message) => message.welcome?.drained);
  await waitFor('the end of its assignments', 30_000, () => stream.assignments.size === 0);
  t.same(await reasons(stream, up(monitorId, now() - 1_000)), [], 'a check that was under way');
  const drainedMs = now();
  aheadMs += AFTER_HAND_OVER_MS;
  t.same(await reasons(stream, up(monitorId, drainedMs - 600)), [], 'a check from before, that was on its disk');
  t.same(await reasons(stream, up(monitorId, now())), ['not assigned to this probe']);
  t.same(await reasons(stream, up(monitorId, now() + 290_000)), ['slot_ms is in the future']);
  t.same(
    await reasons(stream, up(monitorId, drainedMs - 700, { checkedAtMs: Math.round(now()) })),
    ['not assigned to this probe'],
    'an old slot with a new time would be its latest result',
  );
  stream.cut();
  const again = await node.connect();
  t.same(await reasons(again, up(monitorId, now())), ['not assigned to this probe'], 'nor after a reconnect');
  t.equal(await stored({ monitor_id: monitorId }), 3);
  t.same([...plane.refusals].sort(), [
    'not_assigned',
    'not_assigned',
    'not_assigned',
    'slot_ahead',
    'slot_ahead',
    'slot_ahead',
  ]);
  await runTransaction((tx) => store.setDrained(tx, node.id, null));
  await waitFor('its assignments', 30_000, () => again.assignments.size === 1);
  t.same(await reasons(again, up(monitorId, now())), [], 'until it is no longer drained');
});

t.test('the time of a check is at most that of its receipt', async (t) => {
  const [monitorId = ''] = await monitorsOf('lon', 1);
  const plane = await controlPlane();
  t.teardown(() => plane.stop());
  const stream = await connected(await plane.enrol('lon'));
  const slotMs = Math.round(now());
  const certificate = { grade: 'A', notAfterMs: slotMs, fingerprint: 'ab'.repeat(32), issuer: 'a', subject: 'b' };
  t.same(await reasons(stream, up(monitorId, slotMs, { checkedAtMs: slotMs + 3_600_000, certificate })), []);
  const monitor = await monitors.findOne({ _id: monitorId });
  const receivedAtMs = monitor?.live['lon']?.received_at_ms;
  t.type(receivedAtMs, 'number');
  t.equal(monitor?.live['lon']?.checked_at_ms, receivedAtMs);
  t.equal(monitor?.certificate?.checked_at_ms, receivedAtMs, 'a certificate of the future could never be replaced');
  const real = up(monitorId, Math.round(now()), { up: false, errorCode: 'dns_failure' });
  await reasons(stream, real);
  const after = await monitors.findOne({ _id: monitorId });
  t.equal(after?.live['lon']?.up, false, 'a later check replaces it');
});

t.test('probes of a location deliver results of their own monitors, and of others from a hand-over on', async (t) => {
  const ids = await monitorsOf('nyc', 40);
  const plane = await controlPlane();
  const [first, second] = [await plane.enrol('nyc'), await plane.enrol('nyc')];
  const a = await connected(first);
  const b = await connected(second);
  await waitFor('both shares', 30_000, () => a.assignments.size + b.assignments.size === ids.length);
  const ofA = [...a.assignments.keys()];
  const ofB = [...b.assignments.keys()];
  t.ok(ofA.length > 0 && ofB.length > 0);
  aheadMs += AFTER_HAND_OVER_MS;
  const sharedMs = now();
  t.same(await reasons(a, ...ofA.map((id) => up(id, sharedMs))), []);
  t.same(await reasons(b, ...ofB.map((id) => up(id, sharedMs))), []);
  t.same(
    await reasons(a, ...ofB.map((id) => up(id, sharedMs))),
    ofB.map(() => 'not assigned to this probe'),
  );

  const beforeMs = sharedMs - 600_000;
  t.same(
    await reasons(b, ...ofB.map((id) => up(id, beforeMs, { checkedAtMs: Math.round(sharedMs) }))),
    ofB.map(() => 'not assigned to this probe'),
    'not slots from before they were enrolled, even if they check them now',
  );

  b.cut();
  await waitFor('the hand-over to the other probe', 20_000, () => a.assignments.size === ids.length);
  t.same(await reasons(a, ...ofB.map((id) => up(id, now()))), [], 'the other probe takes over');
  aheadMs += 3 * AFTER_HAND_OVER_MS;
  const goneMs = now() - AFTER_HAND_OVER_MS;
  await plane.stop();

  // Nothing of the above is in the memory of this one.
  const next = await controlPlane();
  t.teardown(() => next.stop());
  const againB = await connected(second, next.address);
  const againA = await connected(first, next.address);
  await waitFor('both shares again', 30_000, () => againA.assignments.size === ofA.length);
  t.same(
    await reasons(againA, ...ofB.map((id) => up(id, goneMs + 1))),
    [],
    'what a probe had while the other was gone, it had on every control plane',
  );
  t.same(
    await reasons(againB, ...ofB.map((id) => up(id, goneMs + 2))),
    [],
    'a probe that was cut off kept its monitors, and delivers late what it checked',
  );
  const early = await reasons(againB, ...ofA.map((id) => up(id, goneMs)));
  t.same(
    early,
    ofA.map(() => 'not assigned to this probe'),
  );
});

t.test('a probe that took over from a probe of another control plane is not refused meanwhile', async (t) => {
  const ids = await monitorsOf('sin', 20);
  // It reads the other control planes only when it is asked to.
  const one = await controlPlane({ every: () => ({ cancel() {} }) });
  const two = await controlPlane();
  t.teardown(() => Promise.all([one.stop(), two.stop()]));
  const leaving = await two.enrol('sin');
  const b = await connected(leaving);
  await waitFor('its presence', 30_000, async () => {
    await one.nodes.assignedSlots.refresh();
    return one.nodes.connectedProbes() === 1;
  });
  const a = await connected(await one.enrol('sin'));
  const ofA = [...a.assignments.keys()];
  const ofB = ids.filter((id) => !ofA.includes(id));
  t.ok(ofB.length > 0);
  aheadMs += AFTER_HAND_OVER_MS;
  t.same(
    await reasons(a, ...ofB.map((id) => up(id, now()))),
    ofB.map(() => 'not assigned to this probe'),
    'the other probe has them',
  );
  b.end();
  await b.ended;
  await waitFor('the end of its presence', 30_000, async () => {
    const row = await mongo.db.collection<PresenceDocument>('node_presence').findOne({ _id: leaving.id });
    return row?.connected === false;
  });
  t.same(await reasons(a, ...ofB.map((id) => up(id, now()))), []);
});

t.test('the database forgets what a probe was assigned after 90 days', async (t) => {
  await createShareStore(mongo.db).ensureIndexes();
  const indexes = await mongo.db.collection('probe_shares').indexes();
  t.match(
    indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined),
    { key: { last: 1 }, expireAfterSeconds: 90 * 86_400 },
  );
});

t.test('refusals are counted by reason', async (t) => {
  const registry = new Registry();
  createResultMetrics(registry).refused('slot_ahead');
  t.match(await registry.metrics(), 'picket_results_refused_total{reason="slot_ahead"} 1');
});
