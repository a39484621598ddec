import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createStandingStore } from '../../../control-plane/accounts/standing/store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createHasRenewingSubscription } from '../../../control-plane/billing/renewing-subscription.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction, isDuplicateKey } from '../../../control-plane/storage/transaction.js';
import { createErasure } from '../../../control-plane/workspaces/erasure/job.js';
import { createErasureStore } from '../../../control-plane/workspaces/erasure/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildSession, buildWorkspace } from '../../helpers/factories.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

const mongo = await testDatabase();
// A real product creates every collection that there is.
const plane = await startControlPlane(mongo.uri);
const url = await plane.api('GET', '/v1/workspace');
await plane.stop();
t.teardown(async () => {
  await plane.remove();
  await mongo.drop();
});

const DAY_MS = 86_400_000;
const { db } = mongo;

function job({
  clock = testClock(Date.now()),
  db = mongo.db,
  databaseTime = async () => clock.now(),
  hasRenewingSubscription = createHasRenewingSubscription(db),
  endAccess = async (..._ignored: [tx: unknown, member: { userId: string }]): Promise<Record<string, number>> => ({
    api_keys_revoked: 1,
  }),
  store = createErasureStore(db),
} = {}) {
  const ids = createIds(clock, systemRandom);
  const forgotten: string[] = [];
  const erasure = createErasure({
    ...{ store, memberships: createMembershipsStore(db), leases: createLeaseStore(db) },
    ...{
      audit: createAuditLog({ store: createAuditStore(db), ids }),
      runTaskTransaction: createRunTransaction(mongo.client),
    },
    ...{
      workspaces: createWorkspacesStore(db),
      standings: createStandingStore(db, clock),
      hasRenewingSubscription,
      databaseTime,
      clock,
      owner: 'test',
      logger: createLogger({ name: 'test', level: 'silent' }),
    },
    forgetFactors: async (_tx, userId) => void forgotten.push(userId),
    endAccess,
  });
  return { clock, erasure, forgotten };
}

const request = (collection: string, _id: string, atMs: number) =>
  db.collection<{ _id: string }>(collection).updateOne({ _id }, { $set: { deletion: { at_ms: atMs } } });

function unlessTwin(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** Returns the collections that have a document with the id in it. */
async function mentioning(id: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const documents = await db.collection(name).find().toArray();
    if (documents.some((document) => JSON.stringify(document).includes(id))) found.push(name);
  }
  return found;
}

t.test('a workspace is deleted with all its data once its time is up, and no other', async (t) => {
  const { clock, erasure } = job();
  const [gone, stays] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
  for (const { id } of [gone, stays]) {
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      if (['workspaces', 'users', 'memberships', 'leases'].includes(name) || name.startsWith('system.')) continue;
      // Many collections have unique indexes on other fields.
      const fields = { hash: `${id}${name}`, token_hash: `${id}${name}`, email: `${id}${name}`, key: `${id}${name}` };
      await db
        .collection<{ _id: string }>(name)
        .insertOne({ _id: `${name}-${id}`, workspace_id: id, ...fields } as never)
        .catch(unlessTwin);
    }
    await db.collection<{ _id: string }>('monitors').insertOne({ _id: `mon_${id}`, workspace_id: id } as never);
    await db
      .collection<{ _id: string }>('results')
      .insertOne({ _id: `mon_${id}/0001/fra/1`, workspace_id: id } as never);
    await db.collection<{ _id: string }>('audit_heads').insertOne({ _id: id } as never);
    await db
      .collection('single_sign_on_identities')
      .insertOne({ provider: id, issuer: 'https://id.test', user_id: 'u' });
    await db.collection<{ _id: string }>('alert_rule_defaults').insertOne({ _id: `${id}:blacklist` });
  }
  await request('workspaces', gone.id, clock.now() + 7 * DAY_MS);
  t.equal(await erasure.runOnce(), 0, 'not before its time');
  await clock.advance(7 * DAY_MS + 60_000);
  t.equal(await erasure.runOnce(), 1);
  t.same(await mentioning(gone.id), [], 'nothing mentions it any more');
  t.ok((await mentioning(stays.id)).length > 30, 'the other one has everything');
});

t.test('a control plane whose clock is days ahead deletes nothing before its time', async (t) => {
  const { clock, erasure } = job({ databaseTime: async () => Date.now() });
  const workspace = await buildWorkspace(mongo);
  await request('workspaces', workspace.id, clock.now() + 7 * DAY_MS);
  clock.jump(8 * DAY_MS);
  t.equal(await erasure.runOnce(), 0);
  t.equal(await db.collection('workspaces').countDocuments({ _id: workspace.id as never }), 1);
});

t.test('a workspace for which Stripe goes on charging is restored instead of deleted', async (t) => {
  const { clock, erasure } = job();
  const workspace = await buildWorkspace(mongo);
  await request('workspaces', workspace.id, 1);
  const accounts = db.collection<{ _id: string }>('billing_accounts');
  const subscription = { status: 'active', plan: 'Pro', ends_at_ms: null };
  await accounts.insertOne({ _id: workspace.id, customer_id: 'cus_test', revision: 1, subscription } as never);
  t.equal(await erasure.runOnce(), 0);
  const kept = await db.collection<WorkspaceDocument>('workspaces').findOne({ _id: workspace.id });
  t.match(kept, { deletion: null, resumed_at_ms: clock.now() }, 'its checks start again');
  const entry = await db.collection('audit_log').findOne({ action: 'workspace.restored', workspace_id: workspace.id });
  t.match(entry, { actor: { email: 'system' }, metadata: { reason: 'subscription' } });
  t.equal(await erasure.runOnce(), 0);
  t.equal(await db.collection('audit_log').countDocuments({ workspace_id: workspace.id }), 1, 'once');
  await request('workspaces', workspace.id, 1);
  await accounts.updateOne({ _id: workspace.id }, { $set: { 'subscription.ends_at_ms': clock.now() + DAY_MS } });
  t.equal(await erasure.runOnce(), 1, 'once its subscription ends by itself');
  t.equal(await accounts.countDocuments({ _id: workspace.id }), 0);
});

t.test('no call of the database reads or deletes much, whatever the size of the collections', async (t) => {
  const large = await testDatabase();
  t.teardown(() => large.drop());
  const [gone, stays] = [await buildWorkspace(large), await buildWorkspace(large)];
  await large.db.collection('monitors').insertOne({ _id: 'mon_gone' as never, workspace_id: gone.id });
  const of = (monitor: string, workspace_id: string, count: number) =>
    Array.from({ length: count }, (_, slot) => ({ _id: `${monitor}/${slot}/fra/1` as never, workspace_id }));
  const results = large.db.collection('results');
  // Those of a monitor that was deleted before remain until MongoDB removes them.
  const [present, past] = [of('mon_gone', gone.id, 6_000), of('mon_before', gone.id, 10)];
  await results.insertMany([...present, ...past, ...of('mon_stays', stays.id, 6_000)], { ordered: false });
  await large.db.collection('timeline').createIndex({ workspace_id: 1 });
  await large.db.collection('timeline').insertMany(of('tle', gone.id, 6_000), { ordered: false });
  await large.db.collection('workspaces').updateOne({ _id: gone.id as never }, { $set: { deletion: { at_ms: 1 } } });
  await large.db.setProfilingLevel('all');
  t.equal(await job({ db: large.db }).erasure.runOnce(), 1);
  await large.db.setProfilingLevel('off');
  t.equal(await results.countDocuments({ workspace_id: gone.id }), 0);
  t.equal(await results.countDocuments({ workspace_id: stays.id }), 6_000);
  t.equal(await large.db.collection('timeline').countDocuments(), 0);
  const calls = await large.db
    .collection('system.profile')
    .find({ docsExamined: { $gt: 5_000 } })
    .toArray();
  t.same(
    calls.map(({ ns, op, docsExamined }) => ({ ns, op, docsExamined })),
    [],
  );
});

t.test('a person is deleted once their time is up, unless a workspace would lose its last owner', async (t) => {
  const { clock, erasure, forgotten } = job();
  const workspace = await buildWorkspace(mongo);
  await buildKey(mongo, workspace);
  await buildSession(mongo, workspace);
  const identity = { provider: 'installation', issuer: 'https://id.test', user_id: workspace.userId };
  await db.collection('single_sign_on_identities').insertOne(identity);
  await request('users', workspace.userId, clock.now());
  await clock.advance(60_000);
  t.equal(await erasure.runOnce(), 0, 'the only owner stays');
  const other = await buildWorkspace(mongo);
  await db.collection('memberships').insertOne({
    ...{ workspace_id: workspace.id, user_id: other.userId, role: 'owner', created_at_ms: 1 },
    _id: `${workspace.id}/${other.userId}` as never,
  });
  t.equal(await erasure.runOnce(), 1);
  t.same(forgotten, [workspace.userId]);
  const left = await mentioning(workspace.userId);
  t.same(
    left.filter((name) => !['api_keys', 'audit_log'].includes(name)),
    [],
    'only the history of the workspace names the person',
  );
  const entry = await db.collection('audit_log').findOne({ action: 'team.member_removed', workspace_id: workspace.id });
  t.match(entry, { metadata: { account_deleted: true, role: 'owner' }, actor: { email: 'system' } });
});

t.test('the break-glass owner of a workspace is not deleted', async (t) => {
  const { erasure } = job();
  const [workspace, other] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
  await db.collection('memberships').insertOne({
    ...{ workspace_id: workspace.id, user_id: other.userId, role: 'owner', created_at_ms: 1 },
    _id: `${workspace.id}/${other.userId}` as never,
  });
  const requireIt = (enforced: boolean) =>
    db
      .collection<{ _id: string }>('workspaces')
      .updateOne(
        { _id: workspace.id },
        { $set: { single_sign_on: { enforced, break_glass_user_id: workspace.userId } } },
      );
  await requireIt(true);
  await request('users', workspace.userId, 1);
  t.equal(await erasure.runOnce(), 0);
  t.equal(await db.collection<{ _id: string }>('memberships').countDocuments({ user_id: workspace.userId }), 1);
  await requireIt(false);
  t.equal(await erasure.runOnce(), 1, 'once single sign-on is not required any more');
});

for (const when of ['before', 'during'] as const) {
  t.test(`a person who takes the deletion back ${when} the transaction that deletes them stays`, async (t) => {
    const [workspace, keeper] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
    await db.collection('memberships').insertOne({
      ...{ workspace_id: workspace.id, user_id: keeper.userId, role: 'owner', created_at_ms: 1 },
      _id: `${workspace.id}/${keeper.userId}` as never,
    });
    const users = db.collection<{ _id: string }>('users');
    const takeBack = () => users.updateOne({ _id: workspace.userId }, { $unset: { deletion: 1 } });
    const store = createErasureStore(db);
    const { erasure } = job({
      store: {
        ...store,
        async duePeople(...args) {
          const found = await store.duePeople(...args);
          if (when === 'before') await takeBack();
          return found;
        },
      },
      async endAccess() {
        if (when === 'during') await takeBack();
        return { api_keys_revoked: 1 };
      },
    });
    await request('users', workspace.userId, 1);
    t.equal(await erasure.runOnce(), 0);
    t.equal(await users.countDocuments({ _id: workspace.userId }), 1);
    t.equal(await db.collection('memberships').countDocuments({ user_id: workspace.userId }), 1);
  });
}

t.test('a workspace or person whose deletion fails does not block the next ones', async (t) => {
  const brokenWorkspace = await buildWorkspace(mongo);
  const [brokenPerson, keeper] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
  const { erasure } = job({
    hasRenewingSubscription: async (workspaceId) => {
      if (workspaceId === brokenWorkspace.id) throw new Error('broken');
      return false;
    },
    endAccess: async (_tx, { userId }) => {
      if (userId === brokenPerson.userId) throw new Error('broken');
      return {};
    },
  });
  const [workspace, person] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
  for (const { id } of [brokenPerson, person]) {
    await db.collection('memberships').insertOne({
      ...{ workspace_id: id, user_id: keeper.userId, role: 'owner', created_at_ms: 1 },
      _id: `${id}/${keeper.userId}` as never,
    });
  }
  // The job deletes what has waited longest first.
  await request('workspaces', brokenWorkspace.id, 1);
  await request('workspaces', workspace.id, 2);
  await request('users', brokenPerson.userId, 1);
  await request('users', person.userId, 2);
  t.equal(await erasure.runOnce(), 2);
  const left = async (collection: string, ids: string[]) =>
    (
      await db
        .collection<{ _id: string }>(collection)
        .find({ _id: { $in: ids } })
        .toArray()
    ).map(({ _id }) => _id);
  t.same(await left('workspaces', [brokenWorkspace.id, workspace.id]), [brokenWorkspace.id]);
  t.same(await left('users', [brokenPerson.userId, person.userId]), [brokenPerson.userId]);
  // The runs of other tests would find them.
  await db.collection('workspaces').updateMany({}, { $unset: { deletion: 1 } });
  await db.collection('users').updateMany({}, { $unset: { deletion: 1 } });
});

t.test('the product runs the job', (t) => {
  t.equal(url.status, 200);
  t.end();
});
