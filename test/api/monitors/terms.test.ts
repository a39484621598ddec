import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { createStandingStore } from '../../../control-plane/accounts/standing/store.js';
import { createMonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import { createTermsJob } from '../../../control-plane/monitors/terms/job.js';
import { monitorQuotas } from '../../../control-plane/monitors/terms/quotas.js';
import { PLANS, type PlanName } from '../../../control-plane/plans/plans.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { buildMonitor } from '../../helpers/results/history.js';

const FIVE = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const store = createMonitorStore(mongo.db);
const changes = createMonitorChanges(mongo.db);
const standings = createStandingStore(mongo.db, systemClock);
await Promise.all([store.ensureIndexes(), changes.ensureIndexes(), standings.ensureIndexes()]);
const runTransaction = createRunTransaction(mongo.client);
const documents = mongo.db.collection<MonitorDocument>('monitors');
const workspaces = mongo.db.collection<WorkspaceDocument>('workspaces');
const refreshed: string[] = [];
const job = createTermsJob({
  ...{ store, terms: standings, changes, runTransaction, clock: systemClock, owner: 'test' },
  refresh: async (ids) => void refreshed.push(...ids),
  leases: createLeaseStore(mongo.db),
  logger: createLogger({ name: 'test', level: 'silent' }),
});

async function scene(over: Partial<MonitorDocument> = {}) {
  const { id } = await buildWorkspace(mongo, { plan: 'Enterprise' });
  const monitor = buildMonitor({ workspace_id: id, interval_seconds: 10, locations: FIVE, confirmations: 4, ...over });
  await documents.insertOne(monitor);
  const workspace = async () => {
    const found = await workspaces.findOne({ _id: id });
    if (found === null) throw new Error('no workspace');
    return found;
  };
  return {
    id,
    read: () => documents.findOne({ _id: monitor._id }),
    setPlan: async (plan: PlanName) => {
      const present = await workspace();
      await runTransaction((tx) => standings.setPlan(tx, present, plan));
    },
    suspend: () => runTransaction((tx) => standings.suspend(tx, id, { at_ms: Date.now(), reason: 'x' })),
    resume: () => runTransaction((tx) => standings.resume(tx, id, Date.now())),
    /** As if the change was made this long ago. */
    age: (ms: number) => workspaces.updateOne({ _id: id }, { $set: { 'terms.at': new Date(Date.now() - ms) } }),
    workspace,
  };
}

t.test('a downgrade limits what is checked, and an upgrade restores what the user set', async (t) => {
  const { id, read, setPlan, age, workspace } = await scene();
  const quotas = monitorQuotas(store);
  const over = await Promise.all(quotas.map((quota) => quota.over(id, PLANS.Free)));
  t.match(over, [null, { count: 1, detail: /1 monitor set to check more often than every 60 s/ }, { count: 1 }]);
  await setPlan('Free');
  // In the future, so that the change does not settle while a slow machine runs the test.
  await age(-3_600_000);
  t.equal(await job.runOnce(), 1);
  t.match(await read(), {
    ...{ interval_seconds: 60, locations: ['fra', 'nyc'], confirmations: 2, version: 2 },
    wanted: { interval_seconds: 10, locations: FIVE, confirmations: 4 },
  });
  t.equal(refreshed.length, 1);
  t.equal(
    await mongo.db.collection('monitor_changes').countDocuments({ workspace_id: id }),
    1,
    'for all control planes',
  );
  t.match(await quotas[1]?.over(id, PLANS.Free), { count: 1 }, 'what the user set counts');
  t.equal(await job.runOnce(), 0);
  t.equal((await workspace()).terms?.pending, true, 'requests with the previous plan may still run');
  await documents.updateOne({ workspace_id: id }, { $set: { interval_seconds: 10, wanted: null } });
  await age(60_000);
  t.equal(await job.runOnce(), 1, 'what one of them wrote is corrected');
  await job.runOnce();
  t.equal((await workspace()).terms?.pending, undefined);
  await setPlan('Enterprise');
  await job.runOnce();
  t.match(await read(), { interval_seconds: 10, wanted: null });
});

t.test('a suspension pauses monitors on the database, and resuming lets only new votes count', async (t) => {
  const { read, suspend, resume } = await scene();
  const paused = await scene({ paused_at_ms: 5 });
  await suspend();
  await paused.suspend();
  await job.runOnce();
  const stopped = await read();
  t.match(stopped, { paused_at_ms: Number, stopped: true, version: 2 });
  t.match(await paused.read(), { paused_at_ms: 5, version: 1 });
  await resume();
  await paused.resume();
  await job.runOnce();
  t.match(await read(), { paused_at_ms: null, version: 3, live: {}, live_from_version: 3 });
  t.equal((await read())?.stopped, undefined);
  t.match(await paused.read(), { paused_at_ms: 5, version: 1 }, 'what its user paused stays paused');
});
