import t from 'tap';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { createOfflineJob, LISTENING_MS } from '../../../control-plane/servers/offline-job.js';
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
const LOOK_MS = 2_000;

async function scene(owner: string) {
  const clock = testClock();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const told: { id: string; from: ServerStatus; to: ServerStatus }[] = [];
  const changes = createStatusChanges({
    store,
    runTransaction: createRunTransaction(mongo.client),
    timeline: createTimelineStore(mongo.db, createIds(clock, systemRandom)),
    listener: {
      async changed(_tx, { _id }, { from, to }) {
        told.push({ id: _id, from, to });
      },
      async edited() {},
      async deleted() {},
    },
    clock,
  });
  const job = createOfflineJob({ store, changes, leases: createLeaseStore(mongo.db), owner, clock, logger });
  return {
    clock,
    told,
    changes,
    job,
    /** Looks each two seconds for so long. */
    async look(ms: number) {
      for (let passed = 0; passed < ms; passed += LOOK_MS) {
        await clock.advance(LOOK_MS);
        await job.look();
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

t.test('three missed reports, seen by someone who listened all the time', async (t) => {
  const { clock, told, look, online, statusOf } = await scene('a');
  await look(LISTENING_MS + LOOK_MS);
  const server = await online(clock.now());
  await look(28_000);
  t.equal(await statusOf(server), 'online', 'two are missing');
  t.equal(statusNow(server, clock.now()), 'online');
  await look(4_000);
  t.equal(await statusOf(server), 'offline');
  t.equal(statusNow(server, clock.now()), 'offline', 'a reader sees it without waiting for the job');
  t.match(told, [{ id: server._id, from: 'online', to: 'offline' }]);
  const [line] = await mongo.db.collection('timeline').find({ 'resource.id': server._id }).toArray();
  t.match(line, { type: 'server.status_changed', message: /is offline/ });
});

t.test('after a start nobody is offline until agents had time to come back', async (t) => {
  const { clock, told, look, online, job } = await scene('b');
  const server = await online(clock.now() - 3_600_000);
  await job.look();
  await look(LISTENING_MS - LOOK_MS);
  t.strictSame(told, [], 'it was the control plane that was away');
  await look(2 * LOOK_MS);
  t.match(told, [{ id: server._id, to: 'offline' }]);
});

t.test('a control plane that stood still listens anew', async (t) => {
  const { clock, told, look, online, job } = await scene('c');
  await look(LISTENING_MS + LOOK_MS);
  await online(clock.now());
  await clock.advance(60_000);
  await job.look();
  t.strictSame(told, [], 'reports were not read either');
});

t.test('a report at the last moment keeps it online', async (t) => {
  const { clock, online, changes, told, statusOf } = await scene('d');
  const server = await online(clock.now() - 40_000);
  const atMs = clock.now();
  const move = { workspaceId: server.workspace_id, serverId: server._id, atMs, receivedAtMs: atMs };
  t.equal(await store.moveLive([{ ...move, report: Buffer.alloc(0) }], 'online'), 1);
  const seen = server.live?.received_at_ms ?? 0;
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'offline', silentSinceMs: seen }), false);
  t.equal(await statusOf(server), 'online');
  t.strictSame(told, []);
});

t.test('pending never becomes offline, and nothing goes back to pending', async (t) => {
  const { changes, look, statusOf } = await scene('e');
  const server = await buildServer(mongo, { status: 'pending', live: null });
  await look(2 * LISTENING_MS);
  t.equal(await statusOf(server), 'pending');
  t.equal(await changes.transition({ id: server._id, from: 'pending', to: 'offline' }), false);
  t.equal(await changes.transition({ id: server._id, from: 'online', to: 'pending' }), false);
});
