import { type Document, MongoClient } from 'mongodb';
import t from 'tap';
import { type MonitoredDomainDocument, PENDING } from '../../../control-plane/domain-expiry/documents.js';
import { createMonitoredDomainStore } from '../../../control-plane/domain-expiry/store.js';
import { testDatabase } from '../../helpers/database.js';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';

const NOW = Date.UTC(2031, 0, 31, 12);
const DAY = 86_400_000;
const DUE_OF_EACH = 200;
const WORKSPACES = ['ws_a', 'ws_b', 'ws_c'];

/** A store with 600 due domains of three workspaces and as many that are not due, and what its reads cost. */
async function setUp() {
  const mongo = await testDatabase();
  const client = new MongoClient(mongo.uri, { monitorCommands: true });
  const db = client.db();
  const store = createMonitoredDomainStore(db);
  await store.ensureIndexes();
  const documents = WORKSPACES.flatMap((workspace_id, nth) =>
    Array.from({ length: 2 * DUE_OF_EACH }, (_, at): MonitoredDomainDocument => {
      const isDue = at < DUE_OF_EACH;
      return {
        ...{ _id: `dmn_${nth}_${String(at).padStart(4, '0')}`, workspace_id, name: `${at}.com`, suffix: 'com' },
        ...{ is_of_others: false, monitor_ids: [], monitors: 1, checks: 0, created_at_ms: 0 },
        next_at_ms: isDue ? NOW - at - nth : NOW + DAY,
        registration: { ...PENDING, status: 'known', expires_at_ms: NOW + (at % 10 === 0 ? DAY : 300 * DAY) },
      };
    }),
  );
  await db.collection<MonitoredDomainDocument>('monitored_domains').insertMany(documents);
  const commands: Document[] = [];
  client.on('commandStarted', ({ command }) => void commands.push(command));
  /** Explains the queries that `read` sends. */
  async function explained<Result>(read: () => Promise<Result>) {
    commands.length = 0;
    const result = await read();
    const plans: Document[] = [];
    for (const { lsid: _l, $db: _d, $clusterTime: _c, txnNumber: _t, ...command } of commands.splice(0)) {
      plans.push(await db.command({ explain: command, verbosity: 'executionStats' }));
    }
    const stats = plans.map((plan) => plan['executionStats'] ?? plan['stages'][0].$cursor.executionStats);
    const sumOf = (field: string) => stats.reduce((sum, one) => sum + Number(one[field]), 0);
    const text = JSON.stringify(plans);
    return { result, docs: sumOf('totalDocsExamined'), keys: sumOf('totalKeysExamined'), queries: plans.length, text };
  }
  const stop = async () => {
    await client.close();
    await mongo.drop();
  };
  return { store, explained, stop };
}

t.test('the domains that are due are found without reading the others', async (t) => {
  const { store, explained, stop } = await setUp();
  t.teardown(stop);
  const { result, docs, keys, queries, text } = await explained(() => store.due(NOW, 50));
  t.strictSame(
    result.map(({ _id }) => _id),
    ['dmn_2_0199', 'dmn_1_0199', 'dmn_0_0199'],
    'the longest due of each workspace, the longest due first',
  );
  t.equal(queries, 2);
  t.equal(docs, 3, 'the documents that it returns, and none of the 597 others that are due');
  t.ok(keys <= 3 * DUE_OF_EACH + 10, `${keys} keys of the 600 due domains`);
  t.notMatch(text, /COLLSCAN/);
  const none = await explained(() => store.due(NOW - 2 * DAY, 50));
  t.strictSame([none.result, none.docs], [[], 0]);
  t.ok(none.keys <= 2, `${none.keys} keys`);
});

t.test('the domains that expire soon are read in the order of the index', async (t) => {
  const { store, explained, stop } = await setUp();
  t.teardown(stop);
  const first = await explained(() => store.expiring(NOW + 30 * DAY, null, 30));
  t.equal(first.result.length, 30);
  t.equal(first.docs, 30);
  const next = await explained(() => store.expiring(NOW + 30 * DAY, first.result.at(-1)?._id ?? null, 200));
  t.equal(next.result.length, 90);
  t.equal(next.docs, 90);
  for (const { text } of [first, next]) t.notMatch(text, /COLLSCAN|"stage":"SORT"/);
});

t.test('the due domains of stopped workspaces are found without reading the others', async (t) => {
  const { store, explained, stop } = await setUp();
  t.teardown(stop);
  const { docs, text } = await explained(() => store.postponeAll(['ws_a'], NOW, NOW + DAY));
  // The explanation runs after the change, so nothing is due any more.
  t.equal(docs, 0);
  t.notMatch(text, /COLLSCAN/);
  t.match(
    (await store.due(NOW, 50)).map(({ workspace_id }) => workspace_id),
    ['ws_c', 'ws_b'],
  );
});

t.test('the domains of deleted monitors are removed in batches of 100', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const names = Array.from({ length: 130 }, (_, at) => `many-${at}.com`);
  for (const name of names) await app.monitor(`https://${name}/`);
  await app.run();
  t.equal((await app.records.domains.all(app.workspace.id)).length, 130);
  await app.mongo.db.collection('monitors').deleteMany({});
  await app.monitor('https://stays.com/');
  await app.mongo.db.command({ profile: 2 });
  await app.run();
  await app.mongo.db.command({ profile: 0 });
  const ns = `${app.mongo.db.databaseName}.monitored_domains`;
  const deletions = await app.mongo.db
    .collection('system.profile')
    .find({ ns, op: 'remove' })
    .sort({ ts: 1 })
    .toArray();
  t.strictSame(
    deletions.map(({ ndeleted }) => ndeleted),
    [100, 30],
  );
  t.match(await app.domains(), [{ name: 'stays.com' }]);
});
