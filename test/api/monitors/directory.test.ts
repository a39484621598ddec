import t, { type Test as Tap } from 'tap';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { createMonitorChanges, type MonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import { createMonitorDirectory } from '../../../control-plane/monitors/directory/directory.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { MonitorDirectory } from '../../../control-plane/monitors/monitors.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { createMonitorStore, type MonitorStore } from '../../../control-plane/monitors/store.js';
import type { AssignmentChange } from '../../../control-plane/nodes/nodes.js';
import { POLL_CHANGES_MS } from '../../../control-plane/storage/poll-changes.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { quickClock } from '../../helpers/clock.js';
import { createGate } from '../../helpers/gate.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { monitorSecrets } from '../../helpers/monitors/secrets.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

const monitors = app.mongo.db.collection<MonitorDocument>('monitors');
const store = createMonitorStore(app.mongo.db);
const changes = createMonitorChanges(app.mongo.db);

/** Changes whose newest entry never changes, as if all changes were made in the same millisecond. */
const deaf: Pick<MonitorChanges, 'since' | 'newest'> = { ...changes, newest: async () => null };

/** No period is longer than 0.2 s. Everything else is real. */
const hurried: Clock = { ...systemClock, every: (periodMs, run) => systemClock.every(Math.min(periodMs, 200), run) };
/** Polls for changes, without complete comparisons. */
const looking: Clock = {
  ...systemClock,
  every: (periodMs, run) => (periodMs < 1_000 ? systemClock.every(periodMs, run) : { cancel: () => undefined }),
};
/** No periodic task runs. */
const still: Clock = { ...systemClock, every: () => ({ cancel: () => undefined }) };

interface Second {
  directory: MonitorDirectory;
  received: AssignmentChange[];
}

/** The directory of another control plane on the same database. */
async function second(
  t: Pick<Tap, 'teardown'>,
  parts: Partial<{ store: MonitorStore; changes: typeof deaf; clock: Clock }> = {},
): Promise<Second> {
  const directory = createMonitorDirectory({
    store,
    secrets: monitorSecrets(),
    changes,
    clock: systemClock,
    plans: createWorkspacesStore(app.mongo.db),
    logger: createLogger({ name: 'test', level: 'silent' }),
    ...parts,
  });
  const received: AssignmentChange[] = [];
  directory.start();
  await directory.ready();
  directory.subscribe((change) => received.push(change));
  t.teardown(() => directory.stop());
  return { directory, received };
}

async function create(body: object = {}): Promise<Monitor> {
  const full = { name: 'Shop', url: 'https://shop.example.com/', type: 'http', ...body };
  return (await app.request<Monitor>('POST', '/v1/monitors', { body: full })).body.data;
}
const patch = (id: string, body: object) => app.request('PATCH', `/v1/monitors/${id}`, { body });
const pause = (id: string) => app.request('POST', `/v1/monitors/${id}/pause`);
const resume = (id: string) => app.request('POST', `/v1/monitors/${id}/resume`);

t.test('monitors from before the start are read, and a change of another control plane is seen soon', async (t) => {
  const before = await create();
  const { directory } = await second(t, { clock: looking });
  t.equal(directory.assignment('fra', before.id)?.url, 'https://shop.example.com/');
  const after = await create({ http: { keyword: 'ok', headers: { a: '1' } } });
  await waitFor('the new monitor', 60_000, () => directory.lookup(after.id), 5);
  t.match(directory.assignment('nyc', after.id), {
    monitorId: after.id,
    version: 1,
    type: 'http',
    intervalSeconds: 60,
    timeoutMs: 10_000,
    retries: 1,
    retryDelayMs: 5_000,
    http: {
      method: 'GET',
      expectedStatus: 200,
      keyword: 'ok',
      followRedirects: true,
      ignoreTlsErrors: false,
      headers: { a: '1' },
    },
  });
  t.equal(
    'body' in (directory.assignment('nyc', after.id)?.http ?? {}),
    false,
    'settings without a value are not sent',
  );
  t.match(directory.lookup(after.id), {
    workspace_id: app.workspace.id,
    plan: 'Enterprise',
    paused: false,
    live_from_version: 1,
  });
  t.equal([...directory.monitors('fra')].length, directory.size());
  t.same([...directory.monitors('mars')], []);
  await app.request('DELETE', `/v1/monitors/${after.id}`);
  await waitFor('its end', 60_000, () => directory.lookup(after.id) === null, 5);
});

t.test('listeners receive what each location gains, keeps and loses', async (t) => {
  const { directory, received } = await second(t, { clock: looking });
  const { id } = await create({ locations: ['fra', 'nyc', 'sin'] });
  const next = async (act: () => Promise<unknown>) => {
    received.length = 0;
    await act();
    await waitFor('a change', 60_000, () => received.length > 0, 5);
    const all = { put: received.flatMap(({ put }) => put), remove: received.flatMap(({ remove }) => remove) };
    return { put: all.put.map(({ location, assignment }) => `${location} v${assignment.version}`), remove: all.remove };
  };
  await waitFor('the monitor', 60_000, () => directory.lookup(id), 5);
  const loses = (...locations: string[]) => locations.map((location) => ({ location, monitorId: id }));
  t.same(await next(() => patch(id, { locations: ['fra', 'lon'] })), {
    put: ['fra v2', 'lon v2'],
    remove: loses('nyc', 'sin'),
  });
  t.same(
    await next(() => patch(id, { name: 'New' })),
    { put: ['fra v3', 'lon v3'], remove: [] },
    'results contain the version',
  );
  t.same(await next(() => pause(id)), { put: [], remove: loses('fra', 'lon') });
  t.same(directory.assignment('fra', id), null);
  t.match(
    directory.lookup(id),
    { paused: true, locations: ['fra', 'lon'] },
    'the monitor of a late result is still found',
  );
  t.same(await next(() => resume(id)), { put: ['fra v5', 'lon v5'], remove: [] });
  t.match(directory.lookup(id), { version: 5, live_from_version: 5 });
  received.length = 0;
  await directory.refresh([id]);
  t.same(received, [], 'listeners are not called without a change');
  t.same(await next(() => app.request('DELETE', `/v1/monitors/${id}`)), { put: [], remove: loses('fra', 'lon') });
});

t.test('a change that does not change the newest entry is found within two seconds', async (t) => {
  // Of polls, so that a slow machine does not count: it polls less often, and never more often.
  let [polls, pollsMax] = [0, 0];
  const counted: typeof deaf = {
    async newest() {
      polls += 1;
      pollsMax = Math.max(pollsMax, polls);
      return null;
    },
    async since(at) {
      polls = 0;
      return changes.since(at);
    },
  };
  const { directory } = await second(t, { changes: counted, clock: looking });
  const { id } = await create();
  t.ok(await waitFor('the monitor', 60_000, () => directory.lookup(id), 20));
  await pause(id);
  t.ok(await waitFor('its pause', 60_000, () => directory.lookup(id)?.paused === true, 20));
  t.ok(pollsMax <= 2_000 / POLL_CHANGES_MS + 1, `${pollsMax} polls without a read`);
});

t.test('the comparison finds changes that were not noted: writes, plans, deletions', async (t) => {
  const { id } = await create();
  const gone = await create();
  const { directory } = await second(t, { changes: { ...deaf, since: async () => [] }, clock: hurried });
  await monitors.updateOne({ _id: id }, { $set: { timeout_ms: 777 }, $inc: { version: 1 } });
  await monitors.deleteOne({ _id: gone.id });
  t.ok(await waitFor('the write', 60_000, () => directory.lookup(id)?.timeout_ms === 777, 20));
  t.ok(await waitFor('the deletion', 60_000, () => directory.lookup(gone.id) === null, 20));
  const workspaces = app.mongo.db.collection<{ _id: string; plan: string }>('workspaces');
  await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Pro' } });
  t.ok(await waitFor('the plan', 60_000, () => directory.lookup(id)?.plan === 'Pro', 20));
  await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Enterprise' } });
});

t.test('a failed poll is repeated, and changes in between are found', async (t) => {
  let failures = 0;
  const shaky = {
    ...changes,
    newest: () => (failures-- > 0 ? Promise.reject(new Error('away')) : changes.newest()),
  };
  const { directory } = await second(t, { changes: shaky, clock: looking });
  failures = 3;
  const { id } = await create();
  await waitFor('the monitor', 60_000, () => directory.lookup(id), 5);
  t.ok(failures < 0, 'three polls failed before');
});

t.test(
  'refresh: finds unknown monitors, rejects while the database does not answer, and is repeated later',
  async (t) => {
    let failures = 0;
    const shaky: MonitorStore = {
      ...store,
      directoryRows: (ids) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.directoryRows(ids)),
    };
    const { directory } = await second(t, { store: shaky, changes: deaf, clock: still });
    const { id } = await create();
    t.equal(directory.lookup(id), null, 'the monitor is newer than the cache');
    failures = 1;
    await t.rejects(directory.refresh([id]), { message: 'away' });
    await directory.refresh([]);
    t.ok(directory.lookup(id), 'the next call reads it');
    await directory.refresh(['mon_00000000000000000000000000']);
    t.equal(directory.lookup('mon_00000000000000000000000000'), null);
  },
);

t.test('a failed first read is repeated before the directory is ready', async (t) => {
  let failures = 1;
  const shaky: MonitorStore = {
    ...store,
    directoryPage: (...page) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.directoryPage(...page)),
  };
  const { directory } = await second(t, { store: shaky, clock: still });
  t.equal(directory.size(), await monitors.countDocuments());
});

t.test('of two concurrent reads the newer one wins', async (t) => {
  const gate = createGate();
  let reads = 0;
  const slow: MonitorStore = {
    ...store,
    async directoryRows(ids) {
      reads += 1;
      const isOlder = reads === 1;
      const rows = await store.directoryRows(ids);
      if (isOlder) await gate.pass();
      return rows;
    },
  };
  const { directory } = await second(t, { store: slow, changes: deaf, clock: still });
  const { id } = await create();
  const older = directory.refresh([id]);
  await gate.reached;
  await patch(id, { name: 'Newer', retries: 5 });
  const newer = directory.refresh([id]);
  gate.open();
  await Promise.all([older, newer]);
  t.match(directory.lookup(id), { version: 2, retries: 5 });
});

t.test('more monitors than a page, and a stop after which nothing runs', async (t) => {
  const template = await monitors.findOne({});
  if (template === null) throw new Error('no monitor');
  const many = Array.from({ length: 2_500 }, (_, n) => ({ ...template, _id: `mon_1${String(n).padStart(25, '0')}` }));
  await monitors.insertMany(many);
  const { directory } = await second(t, { clock: quickClock(50) });
  t.equal(directory.size(), await monitors.countDocuments());
  await directory.stop();
  const { directory: running } = await second(t);
  const { id } = await create();
  await waitFor('a directory that polls less often knows it', 60_000, () => running.lookup(id), 5);
  t.equal(directory.lookup(id), null);
});
