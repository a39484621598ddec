import t, { type Test } from 'tap';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { createAuditSealer } from '../../../control-plane/audit/chain/sealer.js';
import type { ChainResult } from '../../../control-plane/audit/chain/verify.js';
import { verifyAuditLog } from '../../../control-plane/audit/chain/verify-log.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditRetention } from '../../../control-plane/audit/retention/job.js';
import { type AuditStore, createAuditStore } from '../../../control-plane/audit/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction, type RunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { actorOf, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;
const mongo = await testDatabase();
const store = createAuditStore(mongo.db);
await store.ensureIndexes();
const entries = mongo.db.collection<AuditDocument>('audit_log');
const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
const runTransaction = createRunTransaction(mongo.client);
const audit = createAuditLog({ store, ids: createIds(systemClock, systemRandom) });
const logger = createLogger({ name: 'test', level: 'silent' });
t.teardown(() => mongo.drop());
t.afterEach(async () => {
  await Promise.all([entries.deleteMany({}), heads.deleteMany({})]);
});

const parts = { leases: createLeaseStore(mongo.db), runTransaction, clock: systemClock, random: systemRandom, logger };
const sealer = (owner: string) => createAuditSealer({ ...parts, store, owner });
function retention(owner: string, more: { store?: AuditStore; runTransaction?: RunTransaction } = {}) {
  return createAuditRetention({ ...parts, store, plans: createWorkspacesStore(mongo.db), owner, ...more });
}

/** Creates a log with entries for each day since `days` days ago. */
async function logOf(plan: 'Free' | 'Pro' | 'Enterprise', days: number, perDay = 1): Promise<TestWorkspace> {
  const workspace = await buildWorkspace(mongo, { plan });
  const now = Date.now();
  await fillAuditLog(mongo.db, workspace.id, days * perDay, (index) => ({
    atMs: now - days * DAY_MS + Math.floor(((index + 0.5) / perDay) * DAY_MS),
  }));
  return workspace;
}

async function verified(workspace: TestWorkspace): Promise<ChainResult | undefined> {
  for await (const one of verifyAuditLog(store)) if (one.workspaceId === workspace.id) return one.result;
  return undefined;
}
const kept = (workspace: TestWorkspace) => entries.countDocuments({ workspace_id: workspace.id });
async function intact(t: Test, workspace: TestWorkspace, expected: Partial<ChainResult>, what = ''): Promise<void> {
  t.match(await verified(workspace), { problems: { length: 0 }, ...expected }, what);
}

t.test('each workspace keeps the entries of its plan, and its chain verifies', async (t) => {
  const [free, pro, enterprise] = [await logOf('Free', 20), await logOf('Pro', 100), await logOf('Enterprise', 400)];
  const quiet = await buildWorkspace(mongo, { plan: 'Free' });
  await fillAuditLog(mongo.db, quiet.id, 3, () => ({ atMs: Date.now() - 30 * DAY_MS }));
  t.equal(await retention('one').runOnce(), 13 + 10 + 35 + 3);
  for (const [workspace, entriesKept, dropped] of [
    [free, 7, 13],
    [pro, 90, 10],
    [enterprise, 365, 35],
    [quiet, 0, 3],
  ] as const) {
    await intact(t, workspace, { entries: entriesKept, dropped }, workspace.plan);
    const first = await entries.findOne({ workspace_id: workspace.id }, { sort: { _id: 1 } });
    t.equal((await heads.findOne({ _id: workspace.id }))?.start?.first_id, first?._id ?? null);
  }
  t.equal(await retention('one').runOnce(), 0, 'nothing more is deleted');

  const sealing = sealer('one');
  sealing.start();
  t.teardown(() => sealing.stop());
  const event = { action: 'monitor.created', resource: { type: 'monitor', id: 'mon_1', name: 'x' } } as const;
  for (const workspace of [free, quiet]) {
    await runTransaction((tx) => audit.record(tx, actorOf(workspace), event));
    await waitFor('the entry sealed', 30_000, async () => (await entries.countDocuments({ unsealed: true })) === 0);
  }
  await intact(t, free, { entries: 8, dropped: 13 }, 'the chain continues');
  await intact(t, quiet, { entries: 1, dropped: 3 }, 'even if no entry was left');
});

t.test('entries deleted in another way are found, before and after retention', async (t) => {
  const workspace = await logOf('Free', 20);
  await retention('one').runOnce();
  const chain = await entries.find({ workspace_id: workspace.id }).sort({ _id: 1 }).toArray();
  await entries.deleteOne({ _id: chain[0]?._id ?? '' });
  t.match((await verified(workspace))?.problems, [{ kind: 'broken', id: chain[1]?._id }], 'the oldest entry');
  await entries.insertOne(chain[0] as AuditDocument);
  await intact(t, workspace, { entries: 7 });

  await entries.deleteOne({ _id: chain[2]?._id ?? '' });
  const later = createAuditRetention({
    ...parts,
    store,
    plans: createWorkspacesStore(mongo.db),
    owner: 'one',
    clock: { ...systemClock, now: () => Date.now() + 4 * DAY_MS },
  });
  t.equal(await later.runOnce(), 3, 'retention deletes the entries around the gap');
  t.match((await verified(workspace))?.problems, [{ kind: 'miscounted', message: /there are 3 entries instead of 4/ }]);
});

t.test('unsealed entries stay, even old ones', async (t) => {
  const workspace = await logOf('Free', 20);
  const oldest = await entries.findOne({ workspace_id: workspace.id }, { sort: { _id: 1 } });
  const waiting = {
    ...oldest,
    _id: `${oldest?._id.slice(0, -16)}${'0'.repeat(16)}`,
    hash: null,
    previous_hash: null,
    unsealed: true,
  };
  await entries.insertOne(waiting as AuditDocument);
  t.equal(await retention('one').runOnce(), 13);
  t.equal(await kept(workspace), 8);
  const sealing = sealer('one');
  sealing.start();
  await waitFor('it is sealed', 30_000, async () => (await entries.countDocuments({ unsealed: true })) === 0);
  await sealing.stop();
  await intact(t, workspace, { entries: 8, dropped: 13 });
});

t.test('after a plan change, a larger plan keeps the remaining entries, a smaller one deletes them', async (t) => {
  const workspace = await logOf('Pro', 100);
  const plan = (name: string) =>
    mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspace.id }, { $set: { plan: name } });
  await retention('one').runOnce();
  await intact(t, workspace, { entries: 90 });
  await plan('Enterprise');
  t.equal(await retention('one').runOnce(), 0);
  await plan('Free');
  t.equal(await retention('one').runOnce(), 83);
  await intact(t, workspace, { entries: 7, dropped: 93 });
});

t.test('the chain stays valid after a kill at any point, and while entries are sealed', async (t) => {
  const workspace = await logOf('Free', 20, 400);
  const sealing = sealer('two');
  sealing.start();
  const event = { action: 'monitor.created', resource: { type: 'monitor', id: 'mon_1', name: 'x' } } as const;
  let writing = true;
  let written = 0;
  const writer = (async () => {
    for (; writing; written++) await runTransaction((tx) => audit.record(tx, actorOf(workspace), event));
  })();
  // Kills: before the transaction begins, after its writes but before the commit, and right after the commit.
  const points: RunTransaction[] = [
    () => Promise.reject(new Error('killed before')),
    (work) =>
      runTransaction(async (tx) => {
        await work(tx);
        throw new Error('killed inside');
      }),
    async (work) => {
      await runTransaction(work);
      throw new Error('killed behind');
    },
  ];
  for (let round = 0; round < 2; round++) {
    for (const point of points) {
      await retention('one', { runTransaction: point }).runOnce();
      t.same((await verified(workspace))?.problems, []);
    }
  }
  t.equal((await heads.findOne({ _id: workspace.id }))?.start?.dropped, 2_000, 'only committed deletions count');

  // Two concurrent runs that both assume they hold the lease, and verification at the same time.
  const everybody = { acquire: async () => 1, release: async () => {} };
  const jobs = ['a', 'b'].map((owner) =>
    createAuditRetention({ ...parts, leases: everybody, store, plans: createWorkspacesStore(mongo.db), owner }),
  );
  const [results, ...deleted] = await Promise.all([
    Promise.all(Array.from({ length: 3 }, () => verified(workspace))),
    ...jobs.map((job) => job.runOnce()),
  ]);
  t.same(
    results.flatMap((one) => one?.problems),
    [],
    'concurrent verification finds no problem',
  );
  t.equal(
    deleted.reduce((sum: number, count) => sum + (count ?? 0), 0),
    13 * 400 - 2_000,
  );
  writing = false;
  await writer;
  await waitFor('all is sealed', 30_000, async () => (await entries.countDocuments({ unsealed: true })) === 0);
  await sealing.stop();
  await intact(t, workspace, { entries: 7 * 400 + written, dropped: 13 * 400 });
});

t.test('verification finds no problem while retention deletes entries ahead of it', async (t) => {
  const workspace = await logOf('Free', 20, 400);
  let deleted = 0;
  const deleting: AuditStore = {
    ...store,
    async *chain(workspaceId, head) {
      for await (const entry of store.chain(workspaceId, head)) {
        // Once, after verification has read its first batch.
        if (deleted === 0) deleted = (await retention('one').runOnce()) ?? 0;
        yield entry;
      }
    },
  };
  for await (const { result: found } of verifyAuditLog(deleting)) {
    t.match(found, { problems: { length: 0 }, entries: 7 * 400, dropped: 13 * 400 });
  }
  t.equal(deleted, 13 * 400);
  await intact(t, workspace, { entries: 7 * 400 });
});

t.test('retention runs on one control plane at a time, and stops between two batches', async (t) => {
  const workspace = await logOf('Free', 20, 400);
  await parts.leases.release('audit-retention', 'one');
  await parts.leases.acquire('audit-retention', 'another', 60_000);
  t.equal(await retention('one').runOnce(), null);
  t.equal(await kept(workspace), 20 * 400);
  await parts.leases.release('audit-retention', 'another');
  const job: ReturnType<typeof retention> = retention('one', {
    store: {
      ...store,
      async trim(...args) {
        void job.stop();
        return store.trim(...args);
      },
    },
  });
  t.equal(await job.runOnce(), 1_000);
  await intact(t, workspace, { entries: 20 * 400 - 1_000, dropped: 1_000 });
});
