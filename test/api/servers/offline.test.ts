import t from 'tap';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { createOfflineJob } from '../../../control-plane/servers/offline-job.js';
import { createStatusChanges, statusNow } from '../../../control-plane/servers/status.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServer } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const store = createServerStore(mongo.db);
const CHECK_MS = 2_000;
/** After a start, missing samples count only after this time. */
const LISTENING_MS = 60_000;

async function scene(owner: string) {
  const clock = testClock();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const notified: { id: string; from: ServerStatus; to: ServerStatus }[] = [];
  let onChange = async () => {};
  const changes = createStatusChanges({
    store,
    runTransaction: createRunTransaction(mongo.client),
    timeline: createTimelineStore(mongo.db, createIds(clock, systemRandom)),
    listener: {
      async changed(_tx, { _id }, { from, to }) {
        notified.push({ id: _id, from, to });
        await onChange();
      },
      async edited() {},
      async deleted() {},
    },
    clock,
  });
  const job = createOfflineJob({ store, changes, leases: createLeaseStore(mongo.db), owner, clock, logger });
  return {
    clock,
    notified,
    changes,
    job,
    onChange: (run: () => Promise<void>) => {
      onChange = run;
    },
    /** Runs the job each two seconds for this time. */
    async checkFor(ms: number) {
      for (let passed = 0; passed < ms; passed += CHECK_MS) {
        await clock.advance(CHECK_MS);
        await job.runOnce();
      }
    },
    async online(lastReportMs: number): Promise<ServerDocument> {
      return buildServer(mongo, { status: 'online', live: { at_ms: lastReportMs, received_at_ms: lastReportMs } });
    },
    statusOf: async (server: ServerDocument) => (await store.find(server.workspace_id, server._id))?.status,
  };
}

t.afterEach(async () => {
  await mongo.db.collection('servers').deleteMany({});
  await mongo.db.collection('leases').deleteMany({});
});

t.test('three missing samples set a server offline', async (t) => {
  const { clock, notified, checkFor, online, statusOf } = await scene('a');
  await checkFor(LISTENING_MS + CHECK_MS);
  const server = await online(clock.now());
  await checkFor(28_000);
  t.equal(await statusOf(server), 'online', 'two samples are missing');
  t.equal(statusNow(server, clock.now()), 'online');
  await checkFor(4_000);
  t.equal(await statusOf(server), 'offline');
  t.equal(statusNow(server, clock.now()), 'offline', 'readers see it before the job runs');
  t.match(notified, [{ id: server._id, from: 'online', to: 'offline' }]);
  const [line] = await mongo.db.collection('timeline').find({ 'resource.id': server._id }).toArray();
  t.match(line, { type: 'server.status_changed', message: /is offline/ });
});

t.test('after a start, no server goes offline until agents had time to reconnect', async (t) => {
  const { clock, notified, checkFor, online, job } = await scene('b');
  const server = await online(clock.now() - 3_600_000);
  await job.runOnce();
  await checkFor(LISTENING_MS - CHECK_MS);
  t.strictSame(notified, [], 'the control plane was down, not the agent');
  await checkFor(2 * CHECK_MS);
  t.match(notified, [{ id: server._id, to: 'offline' }]);
});

t.test('after a stall, agents get time to reconnect', async (t) => {
  const { clock, notified, checkFor, online, job } = await scene('c');
  await checkFor(LISTENING_MS + CHECK_MS);
  await online(clock.now());
  await clock.advance(60_000);
  await job.runOnce();
  t.strictSame(notified, [], 'the control plane could not receive samples');
});

t.test('a control plane that loses the lease stops before the next server', async (t) => {
  const { clock, notified, checkFor, online, onChange } = await scene('e');
  await checkFor(LISTENING_MS + CHECK_MS);
  const leases = createLeaseStore(mongo.db);
  onChange(async () => {
    await leases.release('servers-offline', 'e');
    await leases.acquire('servers-offline', 'another', 60_000);
    await clock.advance(5_000);
  });
  await online(clock.now() - 40_000);
  await online(clock.now() - 40_000);
  await checkFor(CHECK_MS);
  t.equal(notified.length, 1);
});

t.test('a sample at the last moment keeps the server online', async (t) => {
  const { clock, online, changes, notified, statusOf } = await scene('d');
  const server = await online(clock.now() - 40_000);
  const atMs = clock.now();
  const move = { workspaceId: server.workspace_id, serverId: server._id, atMs, receivedAtMs: atMs };
  t.equal(await store.updateLive([{ ...move, bytes: Buffer.alloc(0) }], 'online'), 1);
  const seen = server.live?.received_at_ms ?? 0;
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'offline', silentSinceMs: seen }), false);
  t.equal(await statusOf(server), 'online');
  t.strictSame(notified, []);
});

t.test('pending never becomes offline, and no status becomes pending', async (t) => {
  const { changes, checkFor, statusOf } = await scene('e');
  const server = await buildServer(mongo, { status: 'pending', live: null });
  await checkFor(2 * LISTENING_MS);
  t.equal(await statusOf(server), 'pending');
  t.equal(await changes.transition({ id: server._id, from: 'pending', to: 'offline' }), false);
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'pending' }), false);
});
