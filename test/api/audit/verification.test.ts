import t from 'tap';
import { chainHash } from '../../../control-plane/audit/chain/hash.js';
import { verificationRoute } from '../../../control-plane/audit/chain/verification-route.js';
import type { AuditVerification } from '../../../control-plane/audit/chain/verification-schema.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { entryOf } from '../../../control-plane/audit/entry.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createCursors } from '../../../control-plane/storage/cursor.js';
import { createLogger } from '../../../kernel/logger.js';
import { startApp } from '../../helpers/app.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const PATH = '/api/v1/audit-logs/verification';
const PART = 4;
const ENTRIES = 10;
const BUDGET = { burst: 40, perSecond: 1 };
const BEGIN_MS = Date.parse('2026-01-31T12:00:00.000Z');

const mongo = await testDatabase();
const store = createAuditStore(mongo.db);
const { chainAfter } = store;
const entries = mongo.db.collection<AuditDocument>('audit_log');
const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
const budgetClock = testClock(BEGIN_MS);
const app = await startApp({
  mongo,
  routes: ({ audit, runTransaction }) => [
    verificationRoute({
      ...{ store, audit, runTransaction, logger: createLogger({ name: 'test', level: 'silent' }) },
      cursors: createCursors(Buffer.alloc(32, 1)),
      clock: budgetClock,
      partEntriesMax: PART,
      budget: BUDGET,
    }),
  ],
});
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

/** Returns the key of a new workspace with sealed entries, one each minute. */
async function logOf(count: number) {
  const workspace = await buildWorkspace(mongo);
  await fillAuditLog(mongo.db, workspace.id, count, (index) => ({ atMs: BEGIN_MS + index * 60_000 }));
  return { id: workspace.id, key: (await buildKey(mongo, workspace)).key };
}

async function part(key: string, cursor: string | null = null): Promise<AuditVerification> {
  const query = cursor === null ? '' : `?cursor=${cursor}`;
  const { status, body } = await app.request<AuditVerification>('GET', `${PATH}${query}`, { key });
  t.equal(status, 200);
  return body.data;
}

/** Reads part after part. */
async function verify(key: string): Promise<AuditVerification[]> {
  const parts = [await part(key)];
  for (let last = parts[0]; last !== undefined && last.next_cursor !== null; last = parts.at(-1)) {
    parts.push(await part(key, last.next_cursor));
  }
  return parts;
}

const at = async (workspaceId: string, index: number) => {
  const [entry] = await entries.find({ workspace_id: workspaceId }).sort({ _id: 1 }).skip(index).limit(1).toArray();
  return entry as AuditDocument;
};

/** Deletes the first entries of the present ones, as retention does. */
async function trim(workspaceId: string, dropped: number): Promise<void> {
  const kept = await at(workspaceId, dropped);
  const start = { dropped, previous_hash: kept.previous_hash ?? '', first_id: kept._id };
  await heads.updateOne({ _id: workspaceId }, { $set: { start } });
  await entries.deleteMany({ workspace_id: workspaceId, _id: { $lt: kept._id } });
}

t.test('an intact chain is verified part by part', async (t) => {
  const { key } = await logOf(ENTRIES);
  t.match(await verify(key), [
    { status: 'verifying', verified: 4, total: 10, verified_to: '2026-01-31T12:03:00.000Z', problem: null },
    { status: 'verifying', verified: 8, total: 10, verified_to: '2026-01-31T12:07:00.000Z', problem: null },
    { status: 'intact', verified: 10, total: 10, verified_to: '2026-01-31T12:09:00.000Z', next_cursor: null },
  ]);
  t.match(await verify((await logOf(PART)).key), [{ status: 'verifying' }, { status: 'intact', verified: PART }]);
  t.match(await verify((await logOf(0)).key), [{ status: 'intact', verified: 0, total: 0, verified_to: null }]);
});

t.test('the first problem ends it, with its kind and its entry', async (t) => {
  const { id, key } = await logOf(ENTRIES);
  const sixth = await at(id, 5);
  await entries.updateOne({ _id: sixth._id }, { $set: { 'resource.name': 'Another' } });
  const timestamp = new Date(sixth.at_ms).toISOString();
  t.match((await verify(key)).slice(1), [
    { status: 'broken', problem: { kind: 'altered', entry_id: sixth._id, timestamp }, next_cursor: null },
  ]);
  await entries.deleteOne({ _id: sixth._id });
  t.match((await verify(key)).at(-1), { problem: { kind: 'broken', entry_id: (await at(id, 5))._id } });
  const first = await logOf(ENTRIES);
  // The first entry of a part follows the last one of the part before it.
  await entries.deleteOne({ _id: (await at(first.id, PART))._id });
  t.match((await verify(first.key)).slice(1), [{ status: 'broken', problem: { kind: 'broken' } }]);
});

t.test('missing entries at the end, and a missing head', async (t) => {
  const { id, key } = await logOf(ENTRIES);
  await entries.deleteOne({ _id: (await at(id, ENTRIES - 1))._id });
  const last = await at(id, ENTRIES - 2);
  t.match((await verify(key)).at(-1), { status: 'broken', problem: { kind: 'truncated', entry_id: last._id } });
  await heads.deleteOne({ _id: id });
  t.match((await verify(key)).at(-1), { status: 'broken', problem: { kind: 'headless' } });
});

t.test('each break is recorded once, so that the people of the workspace and their SIEM get to know', async (t) => {
  const { id, key } = await logOf(ENTRIES);
  const other = await logOf(ENTRIES);
  const recorded = () => entries.find({ workspace_id: id, action: 'audit.chain_broken' }).sort({ _id: 1 }).toArray();
  const sealed = async () => {
    const [entry] = (await recorded()).slice(-1);
    const head = await heads.findOne({ _id: id });
    if (entry === undefined || head === null) throw new Error('nothing to seal');
    const hash = chainHash(head.hash, entryOf({ ...entry, previous_hash: head.hash }));
    const set = { previous_hash: head.hash, hash };
    await entries.updateOne({ _id: entry._id }, { $set: set, $unset: { unsealed: 1 } });
    await heads.updateOne({ _id: id }, { $set: { hash, last_id: entry._id }, $inc: { count: 1 } });
  };
  await verify(key);
  t.same(await recorded(), [], 'nothing of an intact chain');
  const [third, last] = [await at(id, 2), await at(id, ENTRIES - 1)];
  await entries.deleteOne({ _id: last._id });
  await budgetClock.advance(60_000);
  const together = await Promise.all([verify(key), verify(key), verify(key)]);
  for (const parts of together) t.match(parts.at(-1), { problem: { kind: 'truncated' } });
  t.match(await recorded(), [
    {
      ...{ severity: 'critical', actor: { email: 'system' }, resource: { type: 'audit_log', id } },
      metadata: { problems: 1, first: { kind: 'truncated', entry_id: (await at(id, ENTRIES - 2))._id } },
    },
  ]);
  await sealed();
  await budgetClock.advance(60_000);
  t.match((await verify(key)).at(-1), { problem: { kind: 'broken', entry_id: (await recorded())[0]?._id } });
  t.equal((await recorded()).length, 1, 'the entry itself is the first after the gap');

  await budgetClock.advance(60_000);
  await entries.updateOne({ _id: third._id }, { $set: { 'resource.name': 'Another' } });
  await verify(key);
  const head = await heads.findOne({ _id: id });
  await verify(key);
  t.same(await heads.findOne({ _id: id }), head, 'what is known costs no write');
  t.match((await recorded()).slice(1), [{ metadata: { first: { kind: 'altered', entry_id: third._id } } }], 'another');
  await verify(other.key);
  t.equal(await entries.countDocuments({ workspace_id: other.id, action: 'audit.chain_broken' }), 0);
});

t.test('what retention deletes meanwhile is no problem', async (t) => {
  const { id, key } = await logOf(ENTRIES);
  const first = await part(key);
  await trim(id, 2);
  const second = await part(key, first.next_cursor);
  t.match(second, { status: 'verifying', verified: 8 }, 'behind the place');
  await trim(id, 7);
  await heads.updateOne({ _id: id }, { $set: { 'start.dropped': 9 } });
  t.match(await part(key, second.next_cursor), { status: 'intact', verified: 1 }, 'beyond it: from the beginning');
});

t.test('only for its workspace, and with the scope', async (t) => {
  const { next_cursor } = await part((await logOf(ENTRIES)).key);
  const other = await logOf(1);
  const refused = async (query: string, key: string) => (await app.request('GET', `${PATH}${query}`, { key })).status;
  t.equal(await refused(`?cursor=${next_cursor}`, other.key), 422, 'the cursor of another workspace');
  t.equal(await refused('?cursor=evt_1', other.key), 422);
  t.equal(await refused('?limit=1', other.key), 422);
  const without = await buildKey(mongo, app.workspace, { scopes: ['monitors:read'] });
  t.equal(await refused('', without.key), 403);
});

t.test('a workspace cannot have its log verified without end', async (t) => {
  const { key } = await logOf(ENTRIES);
  for (let entries = 0; entries <= BUDGET.burst; entries += PART) await part(key);
  const { status, headers } = await app.request('GET', PATH, { key });
  t.equal(status, 429);
  t.match(headers.get('retry-after'), /^\d$/);
  t.match(await part((await logOf(1)).key), { status: 'intact' }, 'others can');
  await budgetClock.advance(10_000);
  t.match(await part(key), { status: 'verifying' });
});

t.test('an old cursor does not make entries free', async (t) => {
  const { id, key } = await logOf(2 * ENTRIES);
  const second = await part(key, (await part(key)).next_cursor);
  await trim(id, ENTRIES);
  // Retention has deleted its place, so each request begins again and verifies less than the cursor says.
  for (let read = 2 * PART; read <= BUDGET.burst; read += PART) await part(key, second.next_cursor);
  t.equal((await app.request('GET', `${PATH}?cursor=${second.next_cursor}`, { key })).status, 429);
});

t.test('requests that arrive together share the budget', async (t) => {
  const { key } = await logOf(ENTRIES);
  const together = Array.from({ length: 30 }, () => app.request('GET', PATH, { key }));
  const verified = (await Promise.all(together)).filter(({ status }) => status === 200);
  t.equal(verified.length, BUDGET.burst / PART + 1);
});

t.test('a small log costs what it has', async () => {
  const { key } = await logOf(1);
  for (let times = 0; times < BUDGET.burst; times++) await part(key);
});

t.test('one part of a workspace is verified at a time, and two of all', async (t) => {
  const logs = await Promise.all([logOf(PART), logOf(PART), logOf(PART)]);
  const reading = new Map<string, number>();
  const most = { workspace: 0, all: 0 };
  store.chainAfter = async function* (workspaceId, ...rest) {
    reading.set(workspaceId, (reading.get(workspaceId) ?? 0) + 1);
    most.workspace = Math.max(most.workspace, ...reading.values());
    most.all = Math.max(
      most.all,
      [...reading.values()].reduce((sum, one) => sum + one, 0),
    );
    try {
      yield* chainAfter(workspaceId, ...rest);
    } finally {
      reading.set(workspaceId, (reading.get(workspaceId) ?? 0) - 1);
    }
  };
  t.teardown(() => {
    store.chainAfter = chainAfter;
  });
  const answers = await Promise.all(logs.flatMap(({ key }) => [part(key), part(key), part(key), part(key)]));
  t.equal(answers.length, 12);
  t.same(most, { workspace: 1, all: 2 });
});
