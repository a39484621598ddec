import t from 'tap';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { PLANS, type PlanName } from '../../../control-plane/plans/plans.js';
import { timelineSlice } from '../../../control-plane/timeline/open.js';
import type { TimelineLine } from '../../../control-plane/timeline/schema.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { startApp } from '../../helpers/app.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';

const DAY_MS = 86_400_000;
const SHOP = { type: 'monitor', id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Shop' };
const BLOG = { type: 'monitor', id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5p', name: 'Blog' };

const mongo = await testDatabase();
const clock = testClock(Date.now());
const app = await startApp({
  mongo,
  clock,
  async routes({ ids, pager }) {
    const opened = await timelineSlice.open({
      db: mongo.db,
      auditStore: createAuditStore(mongo.db),
      ids,
      pager,
      clock,
    });
    await opened.ensureIndexes?.();
    return opened.routes ?? [];
  },
});
const records = createTimelineStore(mongo.db, app.parts.ids);
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

/** Writes a line of an incident and an audit entry for each age. */
async function fill(workspace: TestWorkspace, agesMs: readonly number[]): Promise<void> {
  await app.parts.runTransaction((tx) =>
    records.record(
      tx,
      agesMs.map((ageMs) => ({
        workspaceId: workspace.id,
        atMs: clock.now() - ageMs,
        type: 'incident.opened',
        resource: SHOP,
        message: 'Shop is down.',
        actor: 'system',
      })),
    ),
  );
  const oldestFirst = agesMs.toSorted((a, b) => b - a);
  await fillAuditLog(mongo.db, workspace.id, agesMs.length, (index) => ({
    atMs: clock.now() - (oldestFirst[index] ?? 0),
    resource: SHOP,
  }));
}

const read = async (key: string, query = '') =>
  (await app.request<TimelineLine[]>('GET', `/v1/timeline${query}`, { key })).body.data;
const types = async (key: string, query = '') => (await read(key, query)).map(({ type }) => type);

t.test('audit entries need their own scope', async (t) => {
  const workspace = await buildWorkspace(mongo);
  await fill(workspace, [1_000]);
  const keyWith = async (...scopes: ('alerts:read' | 'audit:read' | '*')[]) =>
    (await buildKey(mongo, workspace, { scopes })).key;
  const both = ['audit.monitor.updated', 'incident.opened'];
  for (const query of ['', `?resource_id=${SHOP.id}`]) {
    t.same(await types(await keyWith('alerts:read'), query), ['incident.opened'], `alerts:read ${query}`);
    t.same((await types(await keyWith('alerts:read', 'audit:read'), query)).sort(), both, `both scopes ${query}`);
    t.same((await types(await keyWith('*'), query)).sort(), both, `full access ${query}`);
  }
  t.equal((await app.request('GET', '/v1/timeline', { key: await keyWith('audit:read') })).status, 403);
});

t.test('the timeline goes back as far as the plan keeps data', async (t) => {
  const at = (ageMs: number) => new Date(clock.now() - ageMs).toISOString();
  for (const plan of ['Free', 'Pro', 'Enterprise'] satisfies PlanName[]) {
    const workspace = await buildWorkspace(mongo, { plan });
    const { key } = await buildKey(mongo, workspace);
    const { auditSeconds, hoursSeconds } = PLANS[plan];
    const [auditMs, recordsMs] = [auditSeconds * 1_000, hoursSeconds * 1_000];
    await fill(workspace, [auditMs - DAY_MS / 2, auditMs + DAY_MS / 2, recordsMs - DAY_MS / 2, recordsMs + DAY_MS / 2]);
    for (const query of ['', `?resource_id=${SHOP.id}`, `?from=2000-01-01T00:00:00Z&to=${at(0)}`]) {
      const lines = await read(key, query);
      const [audit, others] = [true, false].map((isAudit) =>
        lines.filter(({ type }) => type.startsWith('audit.') === isAudit).map((line) => line.at),
      );
      t.same(audit, [at(auditMs - DAY_MS / 2)], `audit entries, ${plan} ${query}`);
      t.same(
        others,
        [auditMs - DAY_MS / 2, auditMs + DAY_MS / 2, recordsMs - DAY_MS / 2].map(at),
        `other lines, ${plan} ${query}`,
      );
    }
  }
});

t.test('the entries about one object are read from an index', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  // Entries of another object are newer and many.
  const resourceOf = (index: number) => (index < 20 ? SHOP : BLOG);
  const atMs = (index: number) => clock.now() - 2_000_000 + index * 100;
  await fillAuditLog(mongo.db, workspace.id, 2_000, (index) => ({ atMs: atMs(index), resource: resourceOf(index) }));
  const lines = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ workspaceId: workspace.id, atMs: atMs(index), resource: resourceOf(index) },
    ...{ type: 'incident.opened', message: 'It is down.', actor: 'system' },
  }));
  await app.parts.runTransaction((tx) => records.record(tx, lines));
  const sources = ['audit_log', 'timeline'].map((name) => `${mongo.db.databaseName}.${name}`);
  await mongo.db.command({ profile: 1, filter: { op: 'query', ns: { $in: sources } } });
  const walked: string[] = [];
  let next = '';
  do {
    const page = await app.request<TimelineLine[]>('GET', `/v1/timeline?resource_id=${SHOP.id}&limit=8${next}`, {
      key,
    });
    walked.push(...page.body.data.map(({ id }) => id));
    next = typeof page.body.next_cursor === 'string' ? `&cursor=${page.body.next_cursor}` : '';
  } while (next !== '');
  await mongo.db.command({ profile: 0 });
  t.equal(new Set(walked).size, 40);
  t.equal(walked.length, 40);
  for (const ns of sources) {
    const queries = await mongo.db.collection('system.profile').find({ ns }).toArray();
    t.ok(queries.length >= 3);
    for (const { docsExamined, keysExamined } of queries) {
      t.ok(docsExamined <= 10 && keysExamined <= 20, `${ns}: ${docsExamined} documents, ${keysExamined} keys examined`);
    }
  }
});

t.test('the line of an audit entry is a sentence that names the changed fields', async (t) => {
  const workspace = await buildWorkspace(mongo);
  await fillAuditLog(mongo.db, workspace.id, 1, () => ({
    atMs: clock.now(),
    resource: SHOP,
    metadata: { changes: { interval_seconds: { from: 60, to: 10 }, 'http.keyword': { from: null, to: 'x' } } },
  }));
  const { key } = await buildKey(mongo, workspace, { scopes: ['*'] });
  const [line] = await read(key);
  t.equal(line?.message, `Monitor updated by ${line?.actor}: interval_seconds, http.keyword.`);
  t.match(line?.metadata, { request_id: /^req_/ }, 'entries of one request can be told from others');
});
