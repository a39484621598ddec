import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createGunzip } from 'node:zlib';
import t from 'tap';
import { createChainCheck, WHOLE_CHAIN } from '../../../control-plane/audit/chain/verify.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { createAuditRoutes } from '../../../control-plane/audit/routes.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';
import { type AuditStore, createAuditStore } from '../../../control-plane/audit/store.js';
import { startApp } from '../../helpers/app.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { DECLARED } from '../../helpers/declared.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;
const mongo = await testDatabase();
const store = createAuditStore(mongo.db);
const entries = mongo.db.collection<AuditDocument>('audit_log');
/** Counts the batches that are read from the real store, and runs a hook before each. */
const reads = { batches: 0, onBatch: async (_number: number) => {} };
const watched: AuditStore = {
  ...store,
  async sealed(...args) {
    reads.batches += 1;
    await reads.onBatch(reads.batches);
    return store.sealed(...args);
  },
};
const app = await startApp({
  mongo,
  routes: ({ audit, runTransaction, pager, clock }) =>
    createAuditRoutes({ store: watched, actions: DECLARED.auditActions, audit, runTransaction, pager, clock }),
});
t.beforeEach(() => {
  reads.batches = 0;
  reads.onBatch = async () => {};
});
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

const now = Date.now();
const NAMES = ['plain', 'a,"b"\r\nc', '=1+1', 'nul\0here', 'x;=1;y', '\u202eright to left\u202c 😀', "'", '＝2'];

async function workspaceWith(count: number, spreadMs = DAY_MS, noiseBytes = 0) {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const head = await fillAuditLog(mongo.db, workspace.id, count, (index) => ({
    atMs: now - spreadMs + Math.floor((index * spreadMs) / count),
    ...(index % 3 === 0 ? { action: 'monitor.created', severity: 'warning' } : {}),
    ...(index % 5 === 0 ? { actor: { id: null, email: 'system', ip: null } } : {}),
    resource: { type: 'monitor', id: `mon_${index}`, name: NAMES[index % NAMES.length] ?? '' },
    metadata: { index, name: NAMES[index % NAMES.length] ?? '', noise: randomBytes(noiseBytes).toString('base64') },
  }));
  return { workspace, key, head };
}

t.test('an export is the whole range in chain order, as CSV and as JSON', async (t) => {
  const { key, head, workspace } = await workspaceWith(1_234);
  const json = await app.request<AuditEntry[]>('GET', '/api/v1/audit-logs?format=json', { key });
  t.equal(json.status, 200);
  t.match(json.headers.get('content-type'), /^application\/json/);
  t.match(json.headers.get('content-disposition'), /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.json"/);
  const all: AuditEntry[] = JSON.parse(json.text);
  t.equal(all.length, 1_234);
  const check = createChainCheck(WHOLE_CHAIN);
  for (const entry of all) check.add(entry);
  t.same(check.finish(head).problems, [], 'it contains everything to verify it');

  const csv = await app.request('GET', '/v1/audit-logs?format=csv', { key });
  t.match(csv.headers.get('content-type'), /^text\/csv; charset=utf-8/);
  t.match(csv.headers.get('content-disposition'), /^attachment; filename="audit-log-.*\.csv"/);
  const program =
    'import csv,io,json,sys; json.dump(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline=""), strict=True)), sys.stdout)';
  const read = spawnSync('python3', ['-c', program], { input: csv.text, encoding: 'utf8', maxBuffer: 1 << 26 });
  const rows: Record<string, string>[] = JSON.parse(read.stdout);
  const shown: Record<string, string> = {
    '=1+1': "'=1+1",
    'nul\0here': 'nul␀here',
    'x;=1;y': "x;'=1;y",
    '＝2': "'＝2",
  };
  t.same(
    rows.map((row) => ({ ...row, metadata: JSON.parse(row['metadata'] ?? '') })),
    all.map((entry) => ({
      ...{ id: entry.id, timestamp: entry.timestamp, action: entry.action, severity: entry.severity },
      ...{ actor_id: entry.actor.id ?? '', actor_email: entry.actor.email, actor_ip: entry.actor.ip ?? '' },
      ...{ resource_type: entry.resource.type, resource_id: entry.resource.id },
      resource_name: shown[entry.resource.name] ?? entry.resource.name,
      metadata: entry.metadata,
    })),
    'Python reads the same values',
  );
  t.notMatch(csv.text, /(^|[,;\t\r\n])"?[=+@-]/m, 'whatever separates the cells');

  await entries.updateOne({ _id: all[1_233]?.id ?? '' }, { $set: { hash: null, previous_hash: null, unsealed: true } });
  const without = await app.request<AuditEntry[]>('GET', '/v1/audit-logs?format=json', { key });
  t.equal(JSON.parse(without.text).length, 1_233, 'unsealed entries are left to the next export');
  t.equal(
    JSON.parse((await app.request('GET', '/v1/audit-logs?format=json')).text).length,
    0,
    'other workspaces do not see it',
  );
  t.equal((await app.request('GET', '/v1/audit-logs?format=csv')).text.split('\r\n').length, 2, 'only the columns');
  t.equal(await entries.countDocuments({ workspace_id: workspace.id, action: { $ne: 'audit.exported' } }), 1_234);
});

t.test('filters select from the range, which the plan limits', async (t) => {
  const { key } = await workspaceWith(900, 400 * DAY_MS);
  const exported = async (query: string): Promise<AuditEntry[]> =>
    JSON.parse((await app.request('GET', `/v1/audit-logs?format=json${query}`, { key })).text);
  const all = await exported('');
  t.ok(all.length > 800 && all.length < 850, `${all.length}: no entry older than a year`);
  const from = new Date(now - 100 * DAY_MS);
  const to = new Date(now - 50 * DAY_MS);
  const some = await exported(`&from=${from.toISOString()}&to=${to.toISOString()}`);
  t.same(
    some.map(({ id }) => id),
    all.filter(({ timestamp }) => new Date(timestamp) >= from && new Date(timestamp) <= to).map(({ id }) => id),
  );
  t.ok(some.length > 100);
  const exact = some[7];
  t.same(await exported(`&from=${exact?.timestamp}&to=${exact?.timestamp}`), [exact], 'both ends are included');
  for (const [query, fits] of [
    ['&action=monitor.created', (entry: AuditEntry) => entry.action === 'monitor.created'],
    ['&actor=system', (entry: AuditEntry) => entry.actor.email === 'system'],
    [
      '&actor=SYSTEM&action=monitor.created',
      (entry: AuditEntry) => entry.actor.id === null && entry.action === 'monitor.created',
    ],
    ['&actor=usr_01jjwzmz000000000000000000', (entry: AuditEntry) => entry.actor.id !== null],
  ] as const) {
    t.same(await exported(query), all.filter(fits), query);
  }
});

t.test('missing permissions and invalid parameters', async (t) => {
  const { key, workspace } = await workspaceWith(3);
  const refused = async (query: string, by: string) =>
    (await app.request('GET', `/v1/audit-logs?${query}`, { key: by })).body;
  for (const bad of [
    'format=xml',
    'format=',
    'format=csv&limit=5',
    'format=csv&cursor=x',
    'format=json&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ]) {
    t.equal((await refused(bad, key)).code, 'validation_failed', bad);
  }
  const other = await buildKey(mongo, workspace, { scopes: ['monitors:read'] });
  t.match(await refused('format=csv', other.key), {
    status: 403,
    code: 'insufficient_scope',
    required_scope: 'audit:read',
  });
  const reader = await buildKey(mongo, workspace, { scopes: ['audit:read'] });
  t.equal((await app.request('GET', '/v1/audit-logs?format=csv', { key: reader.key })).status, 200);
  for (const plan of ['Free', 'Pro'] as const) {
    const small = await buildWorkspace(mongo, { plan });
    const { key: theirs } = await buildKey(mongo, small);
    t.match(await refused('format=json', theirs), { status: 403, code: 'plan_required', detail: /Enterprise/ });
    t.equal((await app.request('GET', '/v1/audit-logs', { key: theirs })).status, 200, 'pages are allowed');
  }
  const head = await app.request('HEAD', '/v1/audit-logs?format=csv', { key });
  t.match([head.status, head.text], [200, '']);
});

/** Requests an export and returns the response with its body unread. */
function open(key: string, headers: Record<string, string> = {}) {
  return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const request = httpRequest(`${app.url}/v1/audit-logs?format=json`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      agent: false,
    });
    request.once('response', resolve).once('error', reject).end();
  });
}

for (const encoding of ['identity', 'gzip']) {
  t.test(`only as much is read as a slow or disconnected client receives (${encoding})`, async (t) => {
    const { key } = await workspaceWith(30_000, DAY_MS, 400);
    const answer = await open(key, { 'accept-encoding': encoding });
    t.equal(answer.headers['content-encoding'], encoding === 'gzip' ? 'gzip' : undefined);
    answer.pause();
    let before = -1;
    await waitFor(
      'reading stops',
      20_000,
      () => {
        const isStopped = before === reads.batches;
        before = reads.batches;
        return isStopped;
      },
      500,
    );
    t.ok(reads.batches < 100, `${reads.batches} of 120 batches were read for a client that reads nothing`);
    answer.destroy();
    const atEnd = reads.batches;
    await app.request('GET', '/v1/audit-logs');
    t.ok(reads.batches <= atEnd + 1, 'nothing more is read for a disconnected client');
  });

  t.test(`if the database fails during an export, the connection is closed (${encoding})`, async (t) => {
    const { key } = await workspaceWith(4_000);
    reads.onBatch = async (number) => {
      if (number === 3) throw new Error('the database is gone');
    };
    const answer = await open(key, { 'accept-encoding': encoding });
    t.equal(answer.statusCode, 200);
    const body = encoding === 'gzip' ? answer.pipe(createGunzip()) : answer;
    const ended = new Promise<string>((resolve) => {
      answer.once('error', (error: Error) => resolve(`cut: ${error.message}`));
      answer.once('end', () => resolve('whole'));
    });
    body.on('error', () => {});
    body.resume();
    t.equal(await ended, 'cut: aborted');

    reads.batches = 2;
    const early = await app.request('GET', '/v1/audit-logs?format=csv', { key });
    t.match([early.status, early.body.code], [500, 'internal'], 'before the first byte, the failure is a status');
  });
}
