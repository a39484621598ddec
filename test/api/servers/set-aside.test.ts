import t from 'tap';
import { createBlockBuilder } from '../../../control-plane/servers/history/block-builder.js';
import { createRemoveHistory } from '../../../control-plane/servers/history/removal-store.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServerHistory } from '../../helpers/servers/history.js';
import {
  DUE,
  expected,
  HOUR,
  HOUR_MS,
  historyChecks,
  type Samples,
  samplesFrom,
} from '../../helpers/servers/history-checks.js';

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, readStored } = historyChecks(database, history);
t.teardown(() => database.drop());

/** Many samples of one hour, each with one value. */
const flood = (samples: number): Samples =>
  Array.from({ length: samples }, (_, at) => [HOUR + Math.floor((at * HOUR_MS) / samples), { load_1: at / 100 }]);
const hourOf = (serverId: string) =>
  database.db.collection<{ _id: string; reason?: string; error: string }>('server_hours_set_aside').findOne({
    _id: { $regex: `^${serverId}/` },
  });

t.test('an hour with too many samples is packed as far as possible; the rest is set aside, unread', async (t) => {
  const server = newServer();
  const delivered = flood(20_000);
  for (let at = 0; at < delivered.length; at += 5_000) await history.deliver(server, delivered.slice(at, at + 5_000));
  let decoded = 0;
  const decodeSample: typeof history.decodeSample = (stored) => {
    decoded++;
    return history.decodeSample(stored);
  };
  const before = history.logged.length;
  const beforeMs = Date.now();
  t.match(await pack(DUE, { decodeSample }), { hours: 0, failed: 1, setAside: 1 });
  t.ok(decoded < 9_000, `${decoded} of 20,000 samples were decoded`);
  t.equal(await count('server_reports', server), 0);
  t.equal(await count('server_reports_set_aside', server), 4_000, 'some are kept to look into');
  t.match(await hourOf(server.serverId), { reason: 'too_large', error: /too much to pack/ });
  t.same(history.hoursSetAside, ['too_large'], 'counted on /metrics');
  t.match(history.logged.slice(before), [
    { level: 50, server: server.serverId, reason: 'too_large', msg: /set aside/ },
  ]);
  for (const name of ['server_hours_set_aside', 'server_reports_set_aside']) {
    const collection = database.db.collection<{ _id: string; expires_at: Date }>(name);
    const one = await collection.findOne({ _id: { $regex: `^${server.serverId}/` } });
    const sinceMs = Number(one?.expires_at) - 7 * 86_400_000;
    t.ok(beforeMs <= sinceMs && sinceMs <= Date.now(), `${name} is kept for a week`);
    t.match(await collection.indexes(), [{}, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
  }
  const found = await readStored(server, 'raw', HOUR, HOUR + HOUR_MS);
  t.strictSame(found['load_1'], expected(delivered.slice(0, 6_000), 'load_1', null), 'what was packed is readable');

  await history.deliver(server, flood(3));
  t.match(await pack(DUE), { hours: 0, failed: 0, setAside: 0, dropped: 3 }, 'it is not tried again');
  t.equal(await count('server_reports', server), 0);
  const next = samplesFrom(HOUR + HOUR_MS, 10);
  await history.deliver(server, next);
  t.match(await pack(DUE + HOUR_MS), { hours: 1, samples: 10 }, 'the next hour of the server is packed');
});

t.test('an hour that fails again and again is set aside, unless the database is the cause', async (t) => {
  const [broken, healthy] = [newServer(), newServer()];
  await history.deliver(broken, samplesFrom(HOUR, 10));
  await history.deliver(healthy, samplesFrom(HOUR, 10));
  const failing = (error: Error) => ({
    metrics: {
      ...history.metrics,
      saveHour: (write: Parameters<typeof history.metrics.saveHour>[0]) =>
        write.server.serverId === broken.serverId ? Promise.reject(error) : history.metrics.saveHour(write),
    },
  });
  const away = Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
  for (let run = 0; run < 10; run++) t.match(await pack(DUE, failing(away)), { failed: 1, setAside: 0 });
  for (let run = 0; run < 4; run++) t.match(await pack(DUE, failing(new Error('a bug'))), { failed: 1, setAside: 0 });
  t.equal(await count('server_reports', broken), 10, 'until then, nothing is moved');
  t.match(await pack(DUE, failing(new Error('a bug: $where'))), { failed: 1, setAside: 1 });
  t.equal(await count('server_reports', broken), 0);
  t.equal(await count('server_reports_set_aside', broken), 10);
  t.match(await hourOf(broken.serverId), { reason: 'failed', error: 'Error: a bug: $where' });
  t.match(await pack(DUE), { hours: 0, failed: 0 });
  t.equal(await count('server_metrics', healthy), 1);
});

t.test('a server that invents a device for each value cannot fill the memory', async (t) => {
  const limits = { slots: 10, points: 30 };
  const builder = createBlockBuilder(() => true, limits);
  const values = (at: number) =>
    new Map(Array.from({ length: 5 }, (_, n) => [`disk_read_rate:sd${at}-${n}`, at] as const));
  for (let at = 0; at < 20; at++) builder.add({ atMs: at, values: values(at) });
  const { times, series } = builder.block();
  t.ok(times.length * series.size <= limits.points, `${times.length} slots of ${series.size} series`);
  t.ok(times.length >= 2);
});

t.test('an hour with new devices in each sample is read and packed up to the limit of its points', async (t) => {
  const server = newServer();
  const delivered = Array.from({ length: 1_500 }, (_, at): Samples[number] => [
    HOUR + at * 2_400,
    Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`disk_read_rate:sd${at}-${n}`, at])),
  ]);
  await history.deliver(server, delivered);
  const read = async () => Object.keys(await readStored(server, 'raw', HOUR, HOUR + HOUR_MS)).length;
  const unpacked = await read();
  t.ok(unpacked * (unpacked / 5) <= 4_000_000, `${unpacked} series of ${unpacked / 5} samples are read`);
  t.ok(unpacked > 4_000);
  t.match(await pack(DUE), { hours: 0, failed: 1, setAside: 1 });
  t.equal(await read(), unpacked, 'and packed');
  t.match(await hourOf(server.serverId), { reason: 'too_large' });
});

t.test('deleting a server deletes what was set aside', async (t) => {
  const server = newServer();
  await history.deliver(server, samplesFrom(HOUR, 5));
  await history.setAside.setAside(server, HOUR, { reason: 'failed', error: 'x' });
  t.equal(await count('server_reports_set_aside', server), 5);
  await createRemoveHistory(database.db)(server);
  t.equal(await count('server_reports_set_aside', server), 0);
  t.equal(await hourOf(server.serverId), null);
});
