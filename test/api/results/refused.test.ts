import { Registry } from 'prom-client';
import t from 'tap';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { setAsideSlice } from '../../../control-plane/storage/set-aside/open.js';
import { insertNew } from '../../../control-plane/storage/writes/insert-new.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';

const mongo = await testDatabase();
const registry = new Registry();
// The real time, because MongoDB removes expired rows by its own clock.
const clock = testClock(Date.now());
const logger = createLogger({ name: 'test', level: 'silent' });
const opened = await setAsideSlice.open({ db: mongo.db, registry, clock, logger });
await opened.ensureIndexes?.();
const store = createResultsStore(mongo.db, opened.setAside);
const results = mongo.db.collection<ResultDocument>('results');
const refused = mongo.db.collection('refused_records');
t.teardown(() => mongo.drop());

/** More than the 16 MiB that a document may have. */
const TOO_LONG = 'x'.repeat(17 * 1024 ** 2);

function documents(monitorId: string, count: number): ResultDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    _id: `${monitorId}/${String(index).padStart(4, '0')}/fra/0`,
    workspace_id: 'ws_1',
    monitor_id: monitorId,
    location: 'fra',
    slot_ms: index,
    attempt: 0,
    final: true,
    reason: 'schedule',
    checked_at_ms: index,
    received_at: new Date(0),
    covers_ms: 60_000,
    up: true,
    response_time_ms: 1,
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
    http_status: 200,
    error: null,
    address: null,
    expires_at: new Date(Date.now() + 3_600_000),
  }));
}

const count = (monitorId: string) => results.countDocuments({ monitor_id: monitorId });
const total = async () =>
  /picket_records_refused_total\{collection="results"\} (\d+)/.exec(await registry.metrics())?.[1];

t.test('one record that cannot be encoded is set aside, and all others of its batch are stored', async (t) => {
  const batch = documents('mon_1', 100);
  const bad = batch[37];
  if (bad === undefined) throw new Error('no document');
  bad.error = { code: 'protocol_error', message: TOO_LONG };
  await store.insert(batch);
  t.equal(await count('mon_1'), 99);
  t.equal(await results.findOne({ _id: bad._id }), null);
  const [row, ...others] = await refused.find().toArray();
  t.equal(others.length, 0);
  t.match(row, { collection: 'results', record_id: bad._id, workspace_id: 'ws_1', error: /out of range/ });
  t.match(row?.['record'], /monitor_id: 'mon_1'.*protocol_error/s, 'it can be read');
  t.ok(row?.['record'].length <= 16_384, 'but not in full length');
  t.equal(row?.['expires_at'].getTime() - row?.['refused_at'].getTime(), 7 * 86_400_000);
  t.equal(await total(), '1');
  await store.insert(batch.filter((one) => one !== bad));
  t.equal(await count('mon_1'), 99, 'the same batch again changes nothing');
  t.equal(await total(), '1');
});

t.test('records that the server refuses are set aside too', async (t) => {
  await mongo.db.command({ collMod: 'results', validator: { http_status: { $ne: 666 } } });
  const batch = documents('mon_2', 20);
  for (const one of batch.slice(5, 8)) one.http_status = 666;
  await store.insert(batch);
  await mongo.db.command({ collMod: 'results', validator: {} });
  t.equal(await count('mon_2'), 17);
  t.equal(await total(), '4');
  t.match(await refused.find({ error: /validation/i }).toArray(), { length: 3 });
});

t.test('a flood of refused records is counted, but only 60 of a minute are stored', async (t) => {
  await clock.advance(60_000);
  await refused.deleteMany({});
  await mongo.db.command({ collMod: 'results', validator: { http_status: { $ne: 666 } } });
  await store.insert(documents('mon_3', 100).map((one) => ({ ...one, http_status: 666 })));
  t.equal(await total(), '104');
  t.equal(await refused.countDocuments(), 60);
  await clock.advance(60_000);
  await store.insert(documents('mon_4', 1).map((one) => ({ ...one, http_status: 666 })));
  t.equal(await refused.countDocuments(), 61);
  await mongo.db.command({ collMod: 'results', validator: {} });
});

t.test('an error that says nothing about a record fails the batch', async (t) => {
  const other = await openMongo(mongo.uri);
  await other.close();
  const closed = createResultsStore(other.db, async () => void t.fail('nothing is set aside'));
  await t.rejects(closed.insert(documents('mon_5', 3)), /closed|connected/i);
  await mongo.db.createCollection('a_view', { viewOn: 'results', pipeline: [] });

  const view = mongo.db.collection<ResultDocument>('a_view');
  await t.rejects(
    insertNew(view, documents('mon_6', 3), async () => void t.fail('nothing is set aside')),
    /view/i,
  );
});
