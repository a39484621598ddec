import t from 'tap';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import type { AgentFacts } from '../../../control-plane/servers/live-store.js';
import { createOfflineJob } from '../../../control-plane/servers/offline-job.js';
import { createRecordSamples } from '../../../control-plane/servers/samples/record.js';
import { createSamplesStore } from '../../../control-plane/servers/samples/store.js';
import { createStatusChanges, type StatusChanges } from '../../../control-plane/servers/status.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import { createDatabaseTime } from '../../../control-plane/storage/clock/database-time.js';
import { TASK_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServer } from '../../helpers/factories.js';
import { lockDocument, lockServer } from '../../helpers/locked-monitor.js';
import { encodeSample } from '../../helpers/servers/history.js';
import { keepSetAside, neverSetAside } from '../../helpers/set-aside.js';

const DAY_MS = 86_400_000;
const TOUCH_MS_MAX = 200;

type Write = 'updateLive' | 'addDropped';

interface Scene {
  /** Runs before each of the writes to servers. */
  before?: (write: Write) => Promise<void>;
  /** Changes the status of the servers, which are offline then. Otherwise, they are online. */
  changes?: (mongo: Mongo) => StatusChanges;
}

const workspaceOf = (serverId: string) => (serverId.startsWith('srv_other') ? 'ws_2' : 'ws_1');

/** The samples of agents of servers with these ids, as a control plane accepts them. */
async function scene(ids: readonly string[], { before = async () => {}, changes }: Scene = {}) {
  const mongo = await testDatabase();
  const { setAside, kept } = keepSetAside();
  const store = createServerStore(mongo.db, setAside);
  const heard: string[] = [];
  const handler = createRecordSamples({
    codec: loadMetricSampleCodec(),
    samples: createSamplesStore(mongo.db, neverSetAside),
    store: {
      ...store,
      async updateLive(...update) {
        await before('updateLive');
        return store.updateLive(...update);
      },
      async addDropped(counts) {
        await before('addDropped');
        return store.addDropped(counts);
      },
    },
    changes: changes?.(mongo) ?? { transition: async () => true },
    listener: { accepted: (samples) => void heard.push(...samples.map(({ serverId }) => serverId)) },
    metrics: { samplesRefused() {} },
    planOf: async () => 'Enterprise',
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const status = changes === undefined ? 'online' : 'offline';
  for (const _id of ids) await buildServer(mongo, { _id, workspace_id: workspaceOf(_id), status });
  const servers = mongo.db.collection<ServerDocument>('servers');
  const accept = (nodeId: string, ...timesMs: number[]) => {
    const records = timesMs.map((atMs, index) => ({ seq: index + 1, bytes: encodeSample(atMs, { cpu_percent: 1 }) }));
    return handler.accept({ nodeId, kind: 'agent', workspaceId: workspaceOf(nodeId) }, records, Date.now());
  };
  /** Does what the agent does: on a slow machine, an unlocked server may not be written in time either. */
  const acceptAgain: typeof accept = (...sample) =>
    accept(...sample).catch((error: Error) => {
      if (!/locked/.test(error.message)) throw error;
      return acceptAgain(...sample);
    });
  /** Rejects with error 50 while the server is locked. */
  const touch = (id: string) =>
    servers.updateOne({ _id: id }, { $currentDate: { heard_at: true } }, { maxTimeMS: TOUCH_MS_MAX });
  return { mongo, accept, acceptAgain, touch, heard, kept, find: (id: string) => servers.findOne({ _id: id }) };
}

t.test('a server that a dead transaction has locked keeps no other server waiting', async (t) => {
  const { mongo, accept, acceptAgain, touch, heard, find } = await scene(['srv_1', 'srv_locked', 'srv_2']);
  const release = await lockServer(mongo.uri, 'srv_locked');
  t.teardown(async () => {
    await release();
    await mongo.drop();
  });
  const atMs = Date.now();
  const locked = accept('srv_locked', atMs);
  const others = [acceptAgain('srv_1', atMs), acceptAgain('srv_2', atMs)];
  await t.rejects(locked, /locked/, 'its agent sends them again');
  await Promise.all(others);
  // The database would have kept all of them waiting until it ends the transaction.
  await t.rejects(touch('srv_locked'), { code: 50 }, 'the server is still locked');
  for (const id of ['srv_1', 'srv_2']) t.equal((await find(id))?.live?.at_ms, atMs, id);
  t.same(heard.toSorted(), ['srv_1', 'srv_2'], 'rules see only what is acknowledged');

  await release();
  t.same(await accept('srv_locked', atMs), []);
  t.equal((await find('srv_locked'))?.live?.at_ms, atMs);
});

t.test('what a locked server dropped is counted once, when its agent sends it again', async (t) => {
  const { mongo, accept, acceptAgain, find } = await scene(['srv_1', 'srv_locked']);
  const release = await lockServer(mongo.uri, 'srv_locked');
  t.teardown(async () => {
    await release();
    await mongo.drop();
  });
  const longAgoMs = Date.now() - 4_000 * DAY_MS;
  const locked = accept('srv_locked', longAgoMs);
  const other = acceptAgain('srv_1', longAgoMs);
  await t.rejects(locked, /locked/);
  t.match(await other, [{ reason: 'report_too_old' }]);
  t.equal((await find('srv_1'))?.dropped.too_old, 1);
  await release();
  t.match(await accept('srv_locked', longAgoMs), [{ reason: 'report_too_old' }]);
  t.equal((await find('srv_locked'))?.dropped.too_old, 1);
});

/** A server that another transaction locks just before the first of these writes. */
async function lockedBefore(t: Pick<typeof import('tap').default, 'teardown'>, write: Write) {
  let release: (() => Promise<void>) | null = null;
  const it = await scene(['srv_1'], {
    async before(next) {
      if (next === write) release ??= await lockServer(it.mongo.uri, 'srv_1');
    },
  });
  const unlock = async () => release?.();
  t.teardown(async () => {
    await unlock();
    await it.mongo.drop();
  });
  return { ...it, unlock };
}

t.test('samples that are sent again because a server was locked do not count their drops again', async (t) => {
  const { accept, find, unlock } = await lockedBefore(t, 'updateLive');
  const timesMs = [Date.now() - 4_000 * DAY_MS, Date.now()];
  await t.rejects(accept('srv_1', ...timesMs), /locked/);
  await unlock();
  t.match(await accept('srv_1', ...timesMs), [{ seq: 1, reason: 'report_too_old' }]);
  t.equal((await find('srv_1'))?.dropped.too_old, 1);
});

t.test('drops that cannot be counted in time keep no samples from being accepted', async (t) => {
  const { accept, find, heard, unlock } = await lockedBefore(t, 'addDropped');
  const atMs = Date.now();
  t.match(await accept('srv_1', atMs - 4_000 * DAY_MS, atMs), [{ seq: 1, reason: 'report_too_old' }]);
  await unlock();
  t.match(await find('srv_1'), { live: { at_ms: atMs }, dropped: { too_old: 0 } });
  t.same(heard, ['srv_1']);
});

t.test('an error while drops are counted refuses no samples', async (t) => {
  const { mongo, accept, find, heard } = await scene(['srv_1', 'srv_2'], {
    async before(write) {
      if (write === 'addDropped') throw new Error('the primary has stepped down');
    },
  });
  t.teardown(() => mongo.drop());
  const atMs = Date.now();
  const both = await Promise.all([accept('srv_1', atMs - 4_000 * DAY_MS, atMs), accept('srv_2', atMs)]);
  t.match(both, [[{ seq: 1, reason: 'report_too_old' }], []]);
  t.same(heard.toSorted(), ['srv_1', 'srv_2']);
  t.equal((await find('srv_2'))?.live?.at_ms, atMs);
});

t.test('a sample that the database refuses to show keeps no other from being stored', async (t) => {
  const { mongo, accept, kept, find } = await scene(['srv_1', 'srv_bad']);
  t.teardown(() => mongo.drop());
  const validator = { $or: [{ _id: { $ne: 'srv_bad' } }, { live: null }] };
  await mongo.db.command({ collMod: 'servers', validator });
  const atMs = Date.now();
  await Promise.all([accept('srv_bad', atMs), accept('srv_1', atMs)]);
  t.equal((await find('srv_1'))?.live?.at_ms, atMs);
  t.match(kept, [{ collection: 'servers', record: { _id: 'srv_bad', workspace_id: 'ws_1' }, error: { code: 121 } }]);
  t.equal(kept.length, 1);
});

/** Changes of status that also write a document of the workspace, as that of its audit log. Conflicts end them at once. */
function changesOf(mongo: Mongo, tried: string[]): StatusChanges {
  const limits = { ...TASK_TRANSACTION, lock: { conflicts: 1, afterMs: 0 } };
  return createStatusChanges({
    runTransaction: createRunTransaction(mongo.client, limits),
    store: createServerStore(mongo.db, neverSetAside),
    databaseTime: createDatabaseTime(mongo.db),
    timeline: { record: async () => {} },
    listener: {
      async changed(tx, { _id, workspace_id }) {
        tried.push(_id);
        const ends = mongo.db.collection<{ _id: string; entries: number }>('ends');
        await ends.updateOne({ _id: workspace_id }, { $inc: { entries: 1 } }, { session: tx.session });
      },
      edited: async () => {},
      deleted: async () => {},
    },
  });
}

/** Locks the document of `ws_1` that changes of status write. */
async function lockWorkspace({ db, uri }: Pick<Awaited<ReturnType<typeof testDatabase>>, 'db' | 'uri'>) {
  await db.collection<{ _id: string }>('ends').insertMany([{ _id: 'ws_1' }, { _id: 'ws_2' }]);
  return lockDocument(uri, 'ends', 'ws_1');
}

t.test('servers that cannot be set online in time keep no samples waiting, and are with the next ones', async (t) => {
  const ids = ['srv_1', 'srv_2', 'srv_other'];
  const tried: string[] = [];
  const { mongo, accept, heard, find } = await scene(ids, { changes: (mongo) => changesOf(mongo, tried) });
  const release = await lockWorkspace(mongo);
  t.teardown(async () => {
    await release();
    await mongo.drop();
  });
  const atMs = Date.now();
  t.same(await Promise.all(ids.map((id) => accept(id, atMs))), [[], [], []]);
  t.same(heard.toSorted(), ids);
  const statuses = () => Promise.all(ids.map(async (id) => (await find(id))?.status));
  t.same(await statuses(), ['offline', 'offline', 'online']);
  t.equal(new Set(tried).size, 2, 'one server of each workspace');
  await release();
  for (const id of ids) await accept(id, atMs + 1_000);
  t.same(await statuses(), ['online', 'online', 'online']);
});

t.test('servers that cannot be set offline in time keep no others of it, and are by the next check', async (t) => {
  const mongo = await testDatabase();
  const ids = [...Array.from({ length: 8 }, (_, index) => `srv_${index}`), 'srv_other'];
  const live = { at_ms: 1, received_at_ms: 1 };
  for (const _id of ids) {
    await buildServer(mongo, { _id, workspace_id: workspaceOf(_id), status: 'online', live, heard_at: new Date(1) });
  }
  const release = await lockWorkspace(mongo);
  t.teardown(async () => {
    await release();
    await mongo.drop();
  });
  const tried: string[] = [];
  const job = createOfflineJob({
    store: createServerStore(mongo.db, neverSetAside),
    changes: changesOf(mongo, tried),
    reception: { lost: async (silent) => new Set(silent.map(({ id }) => id)) },
    leases: createLeaseStore(mongo.db),
    owner: 'one',
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const offline = () => mongo.db.collection('servers').countDocuments({ status: 'offline' });
  await job.runOnce();
  t.equal(await offline(), 1);
  t.equal(new Set(tried).size, 2, 'one server of each workspace');
  await release();
  await job.runOnce();
  t.equal(await offline(), ids.length);
});

t.test('the write of an inventory does not wait for the transaction that has locked the server', async (t) => {
  const { mongo, find } = await scene(['srv_locked']);
  const release = await lockServer(mongo.uri, 'srv_locked');
  t.teardown(async () => {
    await release();
    await mongo.drop();
  });
  const store = createServerStore(mongo.db, neverSetAside);
  const facts = { hostname: 'web-1', agent_version: '2.0.0' } as AgentFacts;
  await t.rejects(store.setFacts('ws_1', 'srv_locked', facts), { code: 50 }, 'the control plane tries it again');
  await release();
  await store.setFacts('ws_1', 'srv_locked', facts);
  t.match(await find('srv_locked'), facts);
});
