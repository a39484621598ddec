import t from 'tap';
import { DAY_LIMITS, HOUR_LIMITS, PACKED_BYTES_MAX } from '../../../control-plane/servers/history/hour-limits.js';
import type { SeriesBlock } from '../../../control-plane/servers/history/series-block.js';
import { SAMPLE_VALUES_MAX } from '../../../proto/limits.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServerHistory } from '../../helpers/servers/history.js';
import { DUE, HOUR, HOUR_MS, historyChecks, type Samples } from '../../helpers/servers/history-checks.js';

const MIB = 1_048_576;
/** A block of 4 million points takes 64 MiB, and some of them exist at the same time. */
const MEMORY_MIB_MAX = 600;
/** The bytes of a value that differs from the one before by more than 2^48. */
const VALUE_BYTES_MAX = 8;
const expiresAt = new Date(HOUR + 86_400_000);

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, readStored } = historyChecks(database, history);
t.teardown(() => database.drop());

const hourOf = (serverId: string) =>
  database.db
    .collection<{ _id: string; reason?: string }>('server_hours_set_aside')
    .findOne({ _id: { $regex: `^${serverId}/` } });

/** Returns an hour in which each value takes as many bytes as possible. */
function heavyHour(slots: number, series: number): SeriesBlock {
  const counts = new Array<number>(slots).fill(1);
  const sums = () => Float64Array.from(counts, (_, at) => (at % 2 === 0 ? 0 : Number.MAX_SAFE_INTEGER));
  const times = counts.map((_, at) => HOUR + Math.floor((at * HOUR_MS) / slots));
  const names = Array.from({ length: series }, (_, at) => `disk_read_rate:${at}`);
  return { times, counts, series: new Map(names.map((name) => [name, { counts, sums: sums() }])) };
}

/** Returns the most that the memory of this process grows by while `work` runs. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const bytes = () => process.memoryUsage.rss();
  const before = bytes();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, bytes());
  }, 10);
  await work().finally(() => clearInterval(timer));
  return Math.max(most, bytes()) - before;
}

/** One value in each of many samples, and then new devices in each of a few. */
const narrowThenWide = (narrow: number, wide: number): Samples => [
  ...Array.from({ length: narrow }, (_, at): Samples[number] => [HOUR + at * 500, { load_1: 1 }]),
  ...Array.from({ length: wide }, (_, at): Samples[number] => [
    HOUR + (narrow + at) * 500,
    Object.fromEntries(Array.from({ length: SAMPLE_VALUES_MAX }, (_, n) => [`disk_read_rate:${at}-${n}`, at])),
  ]),
];

t.test('an hour within its limits can be too large for a document, and is then set aside at once', async (t) => {
  t.ok(HOUR_LIMITS.points * VALUE_BYTES_MAX > PACKED_BYTES_MAX, 'so the limit of points is not enough');
  const server = newServer();
  const save = (block: SeriesBlock) =>
    history.metrics.saveHour({ server, hourMs: HOUR, block, revision: 0, expiresAt });
  const [slots, series] = [3_600, 590];
  t.ok(slots * series < HOUR_LIMITS.points && series <= SAMPLE_VALUES_MAX, 'an agent can send it');
  await t.rejects(save(heavyHour(slots, series)), { name: 'Error', message: /is too much for a document/ });
  t.equal(await count('server_metrics', server), 0);

  const largest = heavyHour(slots, Math.floor(PACKED_BYTES_MAX / (slots * VALUE_BYTES_MAX)) - 1);
  t.equal(await save(largest), 1, 'the database takes every document below the limit');
  const [{ bytes } = { bytes: 0 }] = await database.db
    .collection<{ _id: string }>('server_metrics')
    .aggregate<{ bytes: number }>([
      { $match: { _id: { $regex: `^${server.serverId}/` } } },
      { $project: { bytes: { $bsonSize: '$$ROOT' } } },
    ])
    .toArray();
  t.ok(bytes > 0.97 * PACKED_BYTES_MAX && bytes < 16 * MIB, `${bytes} bytes`);

  const other = newServer();
  await history.deliver(other, [[HOUR + 1, { load_1: 1 }]]);
  const packed = { block: heavyHour(slots, series), revision: 0 };
  const totals = await pack(DUE, { metrics: { ...history.metrics, hour: async () => packed } });
  t.match(totals, { failed: 1, setAside: 1 }, 'a retry would fail as well');
  t.match(await hourOf(other.serverId), { reason: 'too_large' });
});

t.test('many samples, and new devices in each of a few, take no memory for their product', async (t) => {
  const server = newServer();
  await history.deliver(server, narrowThenWide(6_000, 80));
  const grownBytes = await memoryOf(async () => {
    t.match(await pack(DUE), { hours: 0, failed: 1, setAside: 1 });
  });
  t.ok(grownBytes < MEMORY_MIB_MAX * MIB, `${Math.round(grownBytes / MIB)} MiB`);
  t.match(await hourOf(server.serverId), { reason: 'too_large' });
  const found = await readStored(server, 'raw', HOUR, HOUR + HOUR_MS);
  t.strictSame(Object.keys(found), ['load_1'], 'what was packed before is readable');
  t.equal(found['load_1']?.length, 6_000);
});

t.test('reading an hour that is too large, partly packed, returns what is packed', async (t) => {
  const server = newServer();
  const delivered = narrowThenWide(6_000, 80);
  await history.deliver(server, delivered.slice(0, 6_000));
  t.match(await pack(DUE), { hours: 1 });
  await history.deliver(server, delivered.slice(6_000));
  for (const resolution of ['raw', '1m', '1h'] as const) {
    let names: string[] = [];
    const grownBytes = await memoryOf(async () => {
      names = Object.keys(await readStored(server, resolution, HOUR, HOUR + HOUR_MS));
    });
    t.ok(grownBytes < MEMORY_MIB_MAX * MIB, `${resolution}: ${Math.round(grownBytes / MIB)} MiB`);
    t.strictSame(names, ['load_1'], resolution);
  }
});

t.test('a day of hours with different devices is limited as well', async (t) => {
  const server = newServer();
  const name = (hour: number) => (at: number) => `disk_read_rate:${hour}-${at}`;
  const save = async (hour: number, series: number) => {
    const hourMs = HOUR - 10 * HOUR_MS + hour * HOUR_MS;
    const one = () => ({ counts: [1], sums: Float64Array.of(1) });
    const block: SeriesBlock = {
      times: [hourMs],
      counts: [1],
      series: new Map(Array.from({ length: series }, (_, at) => [name(hour)(at), one()])),
    };
    await history.metrics.saveHourOfDay({ server, hourMs, block, revision: 1, expiresAt });
  };
  const half = Math.floor(DAY_LIMITS.points / DAY_LIMITS.slots / 2);
  await save(0, half);
  await save(1, half);
  const most = Math.floor(DAY_LIMITS.points / 3);
  await t.rejects(save(2, most), { message: /too much to pack/ });
  await save(2, 1);
});

t.test('samples of many hours that are not packed are not all in memory', async (t) => {
  const server = newServer();
  for (let hour = 0; hour < 4; hour++) {
    const wide = narrowThenWide(0, 80).map(([atMs, values]): Samples[number] => [atMs + hour * HOUR_MS, values]);
    await history.deliver(server, wide);
  }
  const range = { ...server, fromMs: HOUR, metrics: null, wants: () => true, resolution: '1h' as const };
  const read = (hours: number) =>
    history.readHistory({ ...range, toMs: HOUR + hours * HOUR_MS, pointsMax: Number.POSITIVE_INFINITY });
  t.equal((await read(2))?.length, 2);
  t.equal(await read(4), null, 'as for too many points');
});
