import t from 'tap';
import type { ControlPlaneDocument } from '../../../control-plane/nodes/documents.js';
import { createControlPlaneStore } from '../../../control-plane/nodes/presence/control-planes-store.js';
import { PAUSE_MS } from '../../../control-plane/nodes/presence/lost.js';
import { createReception } from '../../../control-plane/nodes/presence/reception.js';
import { createPresenceStore } from '../../../control-plane/nodes/presence/store.js';
import type { Standing } from '../../../control-plane/plans/standing.js';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { createOfflineJob } from '../../../control-plane/servers/offline-job.js';
import { createStatusChanges } from '../../../control-plane/servers/status.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import { createDatabaseTime } from '../../../control-plane/storage/clock/database-time.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServer } from '../../helpers/factories.js';
import { controlPlanes } from '../../helpers/servers/control-planes.js';
import { neverSetAside } from '../../helpers/set-aside.js';
import { WORKING } from '../../helpers/standing.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const store = createServerStore(mongo.db, neverSetAside);
const planeStore = createControlPlaneStore(mongo.db);
const planes = controlPlanes(mongo.db);
const servers = mongo.db.collection<ServerDocument>('servers');
const planeDocuments = mongo.db.collection<ControlPlaneDocument>('control_planes');
await store.ensureIndexes();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The standing of every workspace. */
let standing: Standing = WORKING;
/**
 * Of the servers here. They must not miss another sample while a slow machine runs the test, so the interval is much longer
 * than that of real agents.
 */
const INTERVAL_MS = HOUR_MS;
/** Two samples are missing. */
const RECENT_MS = 2 * INTERVAL_MS;
/** Three samples are missing. */
const MISSED_MS = 3 * INTERVAL_MS + 1_000;

/** A control plane, `wrongMs` ahead of the database. */
async function scene({ owner = 'a', wrongMs = 0 }: { owner?: string; wrongMs?: number } = {}) {
  const clock = testClock(Date.now() + wrongMs);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const notified: { id: string; from: ServerStatus; to: ServerStatus }[] = [];
  let onChange = async (_id: string) => {};
  const changes = createStatusChanges({
    store,
    runTransaction: createRunTransaction(mongo.client),
    timeline: createTimelineStore(mongo.db, createIds(clock, systemRandom)),
    listener: {
      async changed(_tx, { _id }, { from, to }) {
        await onChange(_id);
        notified.push({ id: _id, from, to });
      },
      async edited() {},
      async deleted() {},
    },
    databaseTime: createDatabaseTime(mongo.db),
  });
  const presenceStore = createPresenceStore(mongo.db, 'agent_presence');
  const reception = createReception({
    ...{ store: planeStore, presenceStore, controlPlane: owner, standingOf: async () => standing, clock, logger },
  });
  const leases = createLeaseStore(mongo.db);
  const job = createOfflineJob({ store, changes, reception, leases, owner, clock, logger });
  return {
    clock,
    notified,
    changes,
    job,
    reception,
    leases,
    onChange(run: typeof onChange) {
      onChange = run;
    },
    statusOf: async (server: ServerDocument) => (await store.find(server.workspace_id, server._id))?.status,
  };
}

/** An online server whose last sample arrived this long ago. */
async function online(agoMs: number): Promise<ServerDocument> {
  const atMs = Date.now() - agoMs;
  const heard_at = new Date((await createDatabaseTime(mongo.db)()) - agoMs);
  return buildServer(mongo, { ...silentSince(atMs), heard_at });
}

/** What the document of an online server says whose last sample arrived at this time. */
function silentSince(atMs: number) {
  const live = { at_ms: atMs, received_at_ms: atMs };
  return { status: 'online', report_interval_ms: INTERVAL_MS, live } as const;
}

t.afterEach(async () => {
  for (const name of ['servers', 'leases', 'control_planes', 'agent_presence']) {
    await mongo.db.collection(name).deleteMany({});
  }
});

t.test('three missing samples set a server offline', async (t) => {
  const { job, notified, statusOf } = await scene();
  await planes.receives('a');
  const recent = await online(RECENT_MS);
  const server = await online(MISSED_MS);
  await job.runOnce();
  t.equal(await statusOf(recent), 'online', 'two samples are missing');
  t.equal(await statusOf(server), 'offline');
  t.match(notified, [{ id: server._id, from: 'online', to: 'offline' }]);
  const [line] = await mongo.db.collection('timeline').find({ 'resource.id': server._id }).toArray();
  t.match(line, { type: 'server.status_changed', message: /is offline/ });
});

t.test('no server of a stopped workspace, or of one that was resumed a moment ago, goes offline', async (t) => {
  const { job, statusOf } = await scene();
  await planes.receives('a');
  const server = await online(24 * HOUR_MS);
  standing = { ...WORKING, agentsExcused: true };
  t.teardown(() => {
    standing = WORKING;
  });
  await job.runOnce();
  t.equal(await statusOf(server), 'online');
  standing = WORKING;
  await job.runOnce();
  t.equal(await statusOf(server), 'offline');
});

t.test('no server goes offline while no control plane runs, or within a minute after one returned', async (t) => {
  const { job, notified } = await scene();
  const server = await online(24 * HOUR_MS);
  await job.runOnce();
  t.strictSame(notified, [], 'no control plane was heard');
  await planes.started('a');
  await job.runOnce();
  t.strictSame(notified, [], 'it has just started');
  const [plane] = await planeDocuments.find().toArray();
  t.equal(Number(plane?.complete_from) - Number(plane?.seen_at), MINUTE_MS);
  await planes.receives('a');
  await job.runOnce();
  t.match(notified, [{ id: server._id, to: 'offline' }], 'a minute later');
});

t.test('a server that was heard by an earlier version goes offline too', async (t) => {
  const { job, statusOf } = await scene();
  await planes.receives('a');
  const atMs = Date.now() - MISSED_MS;
  const server = await buildServer(mongo, silentSince(atMs));
  await job.runOnce();
  t.equal(await statusOf(server), 'offline');
});

t.test('after a pause of its heartbeats, a control plane waits for its agents, in proportion', async (t) => {
  const { job, notified } = await scene();
  await planes.receives('z');
  for (const agoMs of [1_000, 4_000, 30_000]) {
    await planes.heard('a', agoMs);
    const [before, after] = await planes.beat('a');
    const [pauseMs, waitsMs] = [after.seenMs - before.seenMs, after.completeMs - after.seenMs];
    // A slow machine makes the pause longer, so it is taken from what is stored.
    t.ok(pauseMs >= agoMs);
    if (pauseMs <= PAUSE_MS) {
      t.ok(waitsMs <= 0, `${waitsMs} ms after ${pauseMs} ms`);
      t.equal(after.receivedUntilMs, before.receivedUntilMs);
      continue;
    }
    t.equal(waitsMs, Math.min(MINUTE_MS, 10 * pauseMs), `after ${pauseMs} ms`);
    t.equal(after.receivedUntilMs, before.seenMs);
    let [earlier, later] = await planes.beat('a');
    while (later.seenMs - earlier.seenMs > PAUSE_MS) [earlier, later] = await planes.beat('a');
    t.equal(later.completeMs, earlier.completeMs, 'the next heartbeat does not postpone it');
  }
  const server = await online(MISSED_MS);
  await planes.waits('a');
  await planes.holds('a', server._id, HOUR_MS);
  await job.runOnce();
  t.strictSame(notified, [], 'the samples may be unread');
  await planes.holds('z', server._id, HOUR_MS);
  await job.runOnce();
  t.match(notified, [{ id: server._id }], 'the agent of a control plane without a pause');
});

t.test(
  'after the clock of the database was set back, a control plane that had just started waits no longer',
  async (t) => {
    await planes.started('set-back');
    const hour = { $add: ['$$NOW', 60 * MINUTE_MS] };
    await planeDocuments.updateOne({ _id: 'set-back' }, [{ $set: { seen_at: hour, complete_from: hour } }]);
    await planeStore.beat('set-back');
    const plane = (await planeStore.newest()).find(({ _id }) => _id === 'set-back');
    t.ok(plane !== undefined && plane.waits_ms <= MINUTE_MS, `it waits ${plane?.waits_ms} ms`);
    await planeDocuments.deleteOne({ _id: 'set-back' });
  },
);

t.test('agents of a control plane that failed or stopped get a minute, then are lost', async (t) => {
  const { job, statusOf } = await scene();
  await planes.receives('a');
  const server = await online(MISSED_MS);
  const checked = async () => {
    await job.runOnce();
    return statusOf(server);
  };
  await planes.holds('gone', server._id, HOUR_MS);
  await planes.heard('gone', PAUSE_MS + 1_000);
  t.equal(await checked(), 'online', 'it has just failed');
  await planes.receives('gone');
  await planeStore.leave('gone');
  t.equal(await checked(), 'online', 'it was stopped just now');
  await planes.heard('gone', MINUTE_MS + 1_000);
  await planes.started('new');
  t.equal(await checked(), 'online', 'another one has just started, maybe in its place');
  await planes.heard('gone', 150_000);
  t.equal(await checked(), 'offline', 'the end of the patience, whatever else restarts');

  await servers.updateMany({}, { $set: { status: 'online' } });
  await planeDocuments.deleteOne({ _id: 'new' });
  await planes.heard('gone', MINUTE_MS + 1_000);
  t.equal(await checked(), 'offline', 'a minute after it failed');
});

t.test('an agent that has just reconnected delivers first', async (t) => {
  const { job, statusOf } = await scene();
  await planes.receives('a');
  const short = { ...silentSince(Date.now() - 31_000), report_interval_ms: 10_000 };
  const [server, broken] = [await buildServer(mongo, short), await online(MISSED_MS)];
  // In the future, so that a slow machine does not use up the time that the agent has.
  await planes.holds('a', server._id, -HOUR_MS);
  await planes.holds('a', broken._id, -HOUR_MS);
  await job.runOnce();
  t.equal(await statusOf(server), 'online');
  t.equal(await statusOf(broken), 'offline', 'it only reconnects');
  await planes.holds('a', server._id, 11_000);
  await job.runOnce();
  t.equal(await statusOf(server), 'offline');
});

for (const wrongMs of [-4 * INTERVAL_MS, 4 * INTERVAL_MS]) {
  t.test(`a control plane whose clock is ${wrongMs} ms wrong decides as any other`, async (t) => {
    const { clock, job, notified, statusOf } = await scene({ wrongMs });
    await planes.receives('a');
    const [here, dead] = [await online(RECENT_MS), await online(MISSED_MS)];
    const sample = { workspaceId: here.workspace_id, serverId: here._id, atMs: Date.now(), receivedAtMs: clock.now() };
    t.match(await store.updateLive([{ ...sample, bytes: Buffer.alloc(0) }], 'online'), { matched: 1 });
    const received_at_ms = clock.now() - MISSED_MS;
    await servers.updateOne({ _id: dead._id }, { $set: { 'live.received_at_ms': received_at_ms } });
    const databaseTime = createDatabaseTime(mongo.db);
    const beforeMs = await databaseTime();
    await job.runOnce();
    const afterMs = await databaseTime();
    t.equal(await statusOf(here), 'online');
    t.equal(await statusOf(dead), 'offline');
    t.equal(notified.length, 1);
    const changedMs = (await store.find(dead.workspace_id, dead._id))?.status_changed_at_ms ?? 0;
    t.ok(beforeMs <= changedMs && changedMs <= afterMs, 'the change has the time of the database');
  });
}

t.test('a sample that is not the newest keeps its server online', async (t) => {
  const { job, statusOf } = await scene();
  await planes.receives('a');
  const server = await online(MISSED_MS);
  const atMs = (server.live?.at_ms ?? 0) - MINUTE_MS;
  const sample = { workspaceId: server.workspace_id, serverId: server._id, atMs, receivedAtMs: Date.now() };
  t.match(await store.updateLive([{ ...sample, bytes: Buffer.alloc(0) }], 'online'), { matched: 0 });
  await store.updateLive([{ ...sample, bytes: Buffer.alloc(0) }], 'any');
  await job.runOnce();
  t.equal(await statusOf(server), 'online', 'the clock of its previous control plane was ahead');
  t.equal((await store.find(server.workspace_id, server._id))?.live?.at_ms, server.live?.at_ms);
});

t.test('one check sets many servers offline, also behind those whose control plane has failed', async (t) => {
  const { job, notified } = await scene();
  await planes.receives('a');
  const lost: string[] = [];
  for (let index = 0; index < 450; index++) {
    const server = await online(MISSED_MS);
    if (index < 420) await planes.holds('gone', server._id, HOUR_MS);
    else lost.push(server._id);
  }
  // Last, because its agents have only a minute from then on.
  await planes.heard('gone', PAUSE_MS + 1_000);
  await job.runOnce();
  t.same(notified.map(({ id }) => id).sort(), lost.sort());
});

t.test('changes that take long do not delay the next ones', async (t) => {
  const { clock, job, notified, onChange } = await scene();
  await planes.receives('a');
  for (let index = 0; index < 4; index++) await online(MISSED_MS);
  onChange(async () => {
    await clock.advance(6_000);
    await planes.receives('a');
  });
  await job.runOnce();
  t.equal(notified.length, 4);
});

t.test('a server whose change fails does not hide the others', async (t) => {
  const { job, notified, onChange } = await scene();
  await planes.receives('a');
  const first = await online(MISSED_MS);
  const second = await online(MISSED_MS);
  onChange(async (id) => {
    if (id === first._id) throw new Error('no');
  });
  await job.runOnce();
  t.match(notified, [{ id: second._id }]);
  onChange(async () => {});
  await job.runOnce();
  t.match(notified, [{ id: second._id }, { id: first._id }], 'the next check retries');
});

t.test('a process that was stopped in the middle reads again before it continues', async (t) => {
  const { clock, job, notified, onChange, statusOf } = await scene();
  await planes.receives('a');
  const first = await online(MISSED_MS);
  const second = await online(MISSED_MS);
  onChange(async () => {
    // What the first heartbeat after the stop finds: it was stopped for an hour, and all samples are unread.
    clock.stall(HOUR_MS);
    await planes.heard('a', HOUR_MS);
    await planeStore.beat('a');
  });
  await job.runOnce();
  t.match(notified, [{ id: first._id }]);
  t.equal(await statusOf(second), 'online');
});

t.test('a control plane that loses the lease stops before the next server', async (t) => {
  const { clock, notified, job, leases, onChange } = await scene({ owner: 'e' });
  await planes.receives('e');
  onChange(async () => {
    await leases.release('servers-offline', 'e');
    await leases.acquire('servers-offline', 'another', HOUR_MS);
    await clock.advance(5_000);
  });
  await online(MISSED_MS);
  await online(MISSED_MS);
  await job.runOnce();
  t.equal(notified.length, 1);
});

t.test('a sample at the last moment keeps the server online', async (t) => {
  const { changes, notified, statusOf } = await scene();
  const server = await online(MISSED_MS);
  const atMs = Date.now();
  const move = { workspaceId: server.workspace_id, serverId: server._id, atMs, receivedAtMs: atMs };
  t.match(await store.updateLive([{ ...move, bytes: Buffer.alloc(0) }], 'online'), { matched: 1 });
  const heardAt = server.heard_at ?? null;
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'offline', heardAt }), false);
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'offline', heardAt: null }), false);
  t.equal(await statusOf(server), 'online');
  t.strictSame(notified, []);
});

t.test('pending never becomes offline, and no status becomes pending', async (t) => {
  const { changes, job, statusOf } = await scene();
  await planes.receives('a');
  const server = await buildServer(mongo, { status: 'pending', live: null });
  await job.runOnce();
  t.equal(await statusOf(server), 'pending');
  t.equal(await changes.transition({ id: server._id, from: 'pending', to: 'offline' }), false);
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'pending' }), false);
});

t.test('a control plane writes heartbeats while it runs, and the others know when it stops', async (t) => {
  const { clock, reception } = await scene();
  t.equal(reception.receivedUntilMs(), null, 'not known before the first read');
  const seen = async () => (await planeDocuments.findOne({ _id: 'a' }))?.seen_at.getTime() ?? 0;
  const beaten = async () => {
    const before = await seen();
    // A tick during a heartbeat that is still under way is skipped.
    do await clock.advance(1_000);
    while ((await seen()) <= before);
  };
  await reception.start();
  await beaten();
  await beaten();
  await reception.stop();
  t.match(await planeStore.newest(), [{ _id: 'a', stopped: true }]);
});
