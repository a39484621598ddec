import t, { type Test } from 'tap';
import type { Actor } from '../../../control-plane/actor.js';
import type { AuditAction } from '../../../control-plane/audit/audit.js';
import { createAuditSealer } from '../../../control-plane/audit/chain/sealer.js';
import type { ChainResult } from '../../../control-plane/audit/chain/verify.js';
import { verifyAuditLog } from '../../../control-plane/audit/chain/verify-log.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { createAuditRoutes } from '../../../control-plane/audit/routes.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { DECLARED } from '../../helpers/declared.js';
import { actorOf, buildKey, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';
import { createGate } from '../../helpers/gate.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const store = createAuditStore(mongo.db);
const entries = mongo.db.collection<AuditDocument>('audit_log');
const app: TestApp = await startApp({
  mongo,
  routes: ({ audit, runTransaction, pager, clock }) =>
    createAuditRoutes({ store, actions: DECLARED.auditActions, audit, runTransaction, pager, clock }),
});
const { runTransaction, audit } = app.parts;
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

function sealer(owner: string) {
  return createAuditSealer({
    store,
    leases: createLeaseStore(mongo.db),
    runTransaction: createRunTransaction(mongo.client),
    clock: systemClock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
    owner,
  });
}

const event = (name: string) =>
  ({ action: 'monitor.created', resource: { type: 'monitor', id: 'mon_1', name } }) as const;
const write = (workspace: TestWorkspace, name: string, metadata?: Record<string, unknown>) =>
  runTransaction((tx) =>
    audit.record(tx, actorOf(workspace), { ...event(name), ...(metadata === undefined ? {} : { metadata }) }),
  );

/** `bench/limits/audit-sealing.ts` measures how long it takes. */
async function allSealed(workspace: TestWorkspace): Promise<void> {
  const unsealed = { workspace_id: workspace.id, unsealed: true as const };
  await waitFor('all entries sealed', 60_000, async () => (await entries.countDocuments(unsealed)) === 0, 20);
}

async function chainResult(workspace: TestWorkspace): Promise<ChainResult | undefined> {
  for await (const { workspaceId, result } of verifyAuditLog(store)) if (workspaceId === workspace.id) return result;
  return undefined;
}

async function verifyChain(t: Test, workspace: TestWorkspace, count: number): Promise<void> {
  t.match(await chainResult(workspace), { problems: { length: 0 }, entries: count });
}

t.test('an entry is written with its change or not at all', async (t) => {
  const workspace = await buildWorkspace(mongo);
  await t.rejects(
    runTransaction(async (tx) => {
      await audit.record(tx, actorOf(workspace), event('never'));
      throw new Error('the change fails');
    }),
    /the change fails/,
  );
  t.equal(await entries.countDocuments({ workspace_id: workspace.id }), 0);
});

t.test('entries about people and billing contain the user agent, even of an unknown person', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const programIn = async (action: AuditAction, actor: Partial<Actor>) => {
    await runTransaction((tx) => audit.record(tx, actorOf(workspace, actor), { ...event(action), action }));
    return (await entries.findOne({ workspace_id: workspace.id, action }, { sort: { _id: -1 } }))?.metadata;
  };
  const actions = ['auth.login_failed', 'team.member_joined', 'billing.plan_changed', 'workspace.updated'] as const;
  for (const action of actions) {
    t.same(await programIn(action, { userAgent: 'curl/8' }), { user_agent: 'curl/8' }, action);
    t.same(await programIn(action, { userId: null, userAgent: 'curl/8' }), { user_agent: 'curl/8' }, action);
    t.same(await programIn(action, { userAgent: null }), {}, 'a client that does not say it');
  }
  t.same(await programIn('monitor.created', { userAgent: 'curl/8' }), {});
});

t.test('entries are sealed, even if a sealer is killed; concurrent sealers build one chain', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const [killed, second, third] = [sealer('one'), sealer('two'), sealer('three')];
  killed.start();
  await write(workspace, 'first', { gone: undefined, at: new Date(0), 'a.b': { $x: 1 } });
  await allSealed(workspace);
  second.start();
  third.start();
  t.teardown(() => Promise.all([second.stop(), third.stop()]));
  const written = (async () => {
    for (let index = 0; index < 40; index++) await write(workspace, `entry ${index}`);
  })();
  await waitFor(
    'some are written',
    60_000,
    async () => (await entries.countDocuments({ workspace_id: workspace.id })) > 15,
    5,
  );
  // Like a kill: it stops without releasing its lease.
  await mongo.db
    .collection<{ _id: string }>('leases')
    .updateOne({ _id: 'audit-sealer' }, { $set: { owner: 'a killed one' } });
  await killed.stop();
  await written;
  await allSealed(workspace);
  await verifyChain(t, workspace, 41);
  t.same((await entries.findOne({ 'resource.name': 'first' }))?.metadata, {
    at: '1970-01-01T00:00:00.000Z',
    'a.b': { $x: 1 },
  });

  const sealed = await entries.findOne({ 'resource.name': 'entry 7' });
  await entries.updateOne({ _id: sealed?._id ?? '' }, { $set: { 'actor.email': 'someone@else.example' } });
  t.match((await chainResult(workspace))?.problems, [{ kind: 'altered', id: sealed?._id }], 'a changed entry is found');
  await entries.deleteOne({ _id: sealed?._id ?? '' });
  t.match((await chainResult(workspace))?.problems, [{ kind: 'broken' }], 'a missing entry is found');
});

t.test('sealers without a working lease still build one chain', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const everybody = { acquire: async () => 1, release: async () => {} };
  const sealers = ['a', 'b', 'c'].map((owner) =>
    createAuditSealer({
      store,
      leases: everybody,
      runTransaction,
      clock: systemClock,
      random: systemRandom,
      logger: createLogger({ name: 'test', level: 'silent' }),
      owner,
    }),
  );
  for (const one of sealers) one.start();
  for (let index = 0; index < 60; index++) await write(workspace, `entry ${index}`);
  await allSealed(workspace);
  await Promise.all(sealers.map((one) => one.stop()));
  await verifyChain(t, workspace, 60);
});

t.test('an entry that commits after the chain has passed its id is appended with a new id', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const one = sealer('late');
  one.start();
  t.teardown(() => one.stop());
  const gate = createGate();
  const slow = runTransaction(async (tx) => {
    await audit.record(tx, actorOf(workspace), event('slow'));
    await gate.pass();
  });
  await gate.reached;
  await write(workspace, 'quick');
  await allSealed(workspace);
  gate.open();
  await slow;
  const before = await entries.findOne({ workspace_id: workspace.id, 'resource.name': 'slow' });
  await allSealed(workspace);
  const after = await entries.findOne({ workspace_id: workspace.id, 'resource.name': 'slow' });
  t.not(after?._id, before?._id, 'it has a new id');
  t.equal(after?.at_ms, before?.at_ms, 'and its original time');
  await verifyChain(t, workspace, 2);
});

t.test('many deletions of one kind by one actor within ten minutes are critical', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const remove = (count: number, actor = actorOf(workspace)) =>
    runTransaction((tx) =>
      audit.recordAll(
        tx,
        Array.from(
          { length: count },
          () => ({ actor, event: { ...event('gone'), action: 'monitor.deleted' } }) as const,
        ),
      ),
    );
  const severities = async (email = workspace.email) =>
    (await entries.find({ workspace_id: workspace.id, 'actor.email': email }).sort({ _id: 1 }).toArray()).map(
      ({ severity }) => severity,
    );
  await remove(12);
  const { modifiedCount } = await entries.updateMany({ workspace_id: workspace.id }, { $inc: { at_ms: -601_000 } });
  t.equal(modifiedCount, 12);
  for (let index = 0; index < 18; index++) await remove(1);
  await remove(1, actorOf(workspace, { email: 'another@example.com' }));
  t.same(await severities(), Array(30).fill('warning'), 'neither old deletions count nor those of other actors');
  await remove(3);
  t.same((await severities()).slice(30), ['warning', 'critical', 'critical'], 'the twentieth, also in one transaction');
  t.same(await severities('another@example.com'), ['warning']);
  const third = actorOf(workspace, { email: 'third@example.com' });
  const kinds = ['monitor.deleted', 'channel.deleted'] as const;
  await runTransaction((tx) =>
    audit.recordAll(
      tx,
      kinds.flatMap((action) =>
        Array.from({ length: 15 }, () => ({ actor: third, event: { ...event('gone'), action } })),
      ),
    ),
  );
  t.same(await severities(third.email), Array(30).fill('warning'), 'two kinds are no mass deletion of one');
});

t.test('GET /api/v1/audit-logs', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const otherTenant = await buildWorkspace(mongo);
  await write(otherTenant, 'of another workspace');
  const days = [0, 1, 6, 8, 80, 100, 360, 370];
  const startedMs = Date.now();
  for (const days_ago of days) {
    await write(workspace, `${days_ago} days`);
    const at_ms = startedMs - days_ago * 86_400_000;
    await entries.updateOne({ workspace_id: workspace.id, 'resource.name': `${days_ago} days` }, { $set: { at_ms } });
  }
  await runTransaction((tx) =>
    audit.record(tx, actorOf(workspace, { userId: null, email: 'system', ip: null }), {
      action: 'alert.resolved',
      resource: { type: 'incident', id: 'inc_1', name: 'Shop' },
    }),
  );
  const list = async (query = '', by = key) =>
    (await app.request<AuditEntry[]>('GET', `/api/v1/audit-logs${query}`, { key: by })).body;
  const names = async (query = '', by = key) => (await list(query, by)).data.map((entry) => entry.resource.name);
  t.same(await names(), ['Shop', '0 days', '1 days', '6 days', '8 days', '80 days', '100 days', '360 days']);
  const first = (await list('?limit=1')).data[0];
  t.match(first, {
    id: /^evt_/,
    timestamp: /^\d{4}-.*Z$/,
    actor: { id: null, email: 'system', ip: null },
    action: 'alert.resolved',
    severity: 'info',
    resource: { type: 'incident', id: 'inc_1', name: 'Shop' },
    workspace_id: workspace.id,
    metadata: {},
    request_id: 'req_test',
    hash: null,
  });
  const at = (days_ago: number) => new Date(startedMs - days_ago * 86_400_000 - 1_000).toISOString();
  t.same(await names(`?from=${at(8)}&to=${at(0.5)}`), ['1 days', '6 days', '8 days']);
  t.same(await names('?action=alert.resolved'), ['Shop']);
  t.same(await names('?actor=system'), ['Shop']);
  t.equal((await names(`?actor=${workspace.userId}`)).length, 7);
  t.equal((await names(`?actor=${encodeURIComponent(workspace.email.toUpperCase())}`)).length, 7);
  const page = await list('?limit=3');
  t.equal(page.data.length, 3);
  t.same(
    (await list(`?limit=3&cursor=${page.next_cursor}`)).data.map((entry) => entry.resource.name),
    ['6 days', '8 days', '80 days'],
  );
  for (const bad of ['?action=monitor.exploded', '?from=x', `?from=${at(1)}&to=${at(2)}`, '?severity=info']) {
    t.equal((await app.request('GET', `/api/v1/audit-logs${bad}`, { key })).status, 422, bad);
  }
  for (const [plan, shown] of [
    ['Free', 4],
    ['Pro', 6],
    ['Enterprise', 8],
  ] as const) {
    await mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspace.id }, { $set: { plan } });
    const fresh = await buildKey(mongo, workspace);
    t.equal((await names('', fresh.key)).length, shown, `${plan} shows its retention period`);
  }
  const reader = await buildKey(mongo, workspace, { scopes: ['audit:read'] });
  t.equal((await app.request('GET', '/v1/audit-logs', { key: reader.key })).status, 200);
  const other = await buildKey(mongo, workspace, { scopes: ['monitors:read'] });
  t.equal((await app.request('GET', '/v1/audit-logs', { key: other.key })).body.required_scope, 'audit:read');
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
    t.equal((await app.request(method, '/v1/audit-logs', { key })).status, 405, 'no route changes or deletes an entry');
    t.equal((await app.request(method, `/v1/audit-logs/${first?.id}`, { key })).status, 404);
  }
});
