import t from 'tap';
import { createPackHour } from '../../../control-plane/servers/history/pack-hour.js';
import { createHistoryReader } from '../../../control-plane/servers/history/reader.js';
import type { StoredSample } from '../../../control-plane/servers/samples/store.js';
import type { ServerIdentity } from '../../../control-plane/servers/servers.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServerHistory } from '../../helpers/servers/history.js';
import {
  DUE,
  expected,
  HOUR,
  HOUR_MS,
  historyChecks,
  type Samples,
  STEPS,
  samplesFrom,
} from '../../helpers/servers/history-checks.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE_MS = 60_000;

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, expectAll, readStored } = historyChecks(database, history);
t.teardown(() => database.drop());

/** Returns a `read` with the unpacked samples of the hour as they are now. */
async function readNow(server: ServerIdentity): Promise<typeof history.samples.read> {
  const seen: StoredSample[] = [];
  for await (const stored of history.samples.read(server, HOUR, HOUR + HOUR_MS)) seen.push(...stored);
  return async function* () {
    yield seen;
  };
}

t.test('the next pack job completes one that crashed at any point', async (t) => {
  const dies = async (): Promise<never> => {
    throw new Error('killed');
  };
  const deaths: [string, Parameters<typeof history.newPackJob>[1]][] = [
    ['before anything', { metrics: { ...history.metrics, saveHour: dies } }],
    ['after the samples', { metrics: { ...history.metrics, saveMinutes: dies, saveHourOfDay: dies } }],
    ['before the hour of the day', { metrics: { ...history.metrics, saveHourOfDay: dies } }],
    ['before the minutes', { metrics: { ...history.metrics, saveMinutes: dies } }],
    ['before the removal', { samples: { ...history.samples, remove: dies } }],
  ];
  for (const [when, over] of deaths) {
    const server = newServer();
    const delivered = samplesFrom(HOUR, 60);
    await history.deliver(server, delivered);
    t.equal((await pack(DUE, over))?.failed, 1, when);
    t.equal(await count('server_reports', server), 60, 'no sample is deleted');
    await expectAll(t, server, delivered, `crashed ${when}`);
    const more = samplesFrom(HOUR + 30 * MINUTE_MS, 20);
    await history.deliver(server, more);
    await pack(DUE, over);
    await expectAll(t, server, [...delivered, ...more], `crashed ${when} with late samples`);
    t.equal((await pack(DUE))?.failed, 0);
    t.equal(await count('server_reports', server), 0);
    await expectAll(t, server, [...delivered, ...more], `completed after a crash ${when}`);
  }
  t.match(JSON.stringify(history.logged), /packing an hour of samples failed/);
});

t.test('an hour that fails to pack does not stop the others', async (t) => {
  const [broken, healthy] = [newServer(), newServer()];
  await history.deliver(broken, samplesFrom(HOUR, 10));
  await history.deliver(healthy, samplesFrom(HOUR, 10));
  const saveHour: typeof history.metrics.saveHour = (write) =>
    write.server.serverId === broken.serverId
      ? Promise.reject(new Error('too large'))
      : history.metrics.saveHour(write);
  const totals = await pack(DUE, { metrics: { ...history.metrics, saveHour } });
  t.match(totals, { failed: 1, hours: 1, samples: 10 });
  t.strictSame([await count('server_reports', broken), await count('server_reports', healthy)], [10, 0]);
  await pack(DUE);
});

t.test('readers see every sample once while its hour is being packed', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 360);
  const early = delivered.filter((_, at) => at % 2 === 0);
  await history.deliver(server, early);
  let packing = true;
  const sure = [...early];
  const writer = (async () => {
    for (let at = 1; at < delivered.length; at += 20) {
      const late = delivered.slice(at, at + 20).filter((one) => !early.includes(one));
      await history.deliver(server, late);
      sure.push(...late);
      await pack(DUE);
    }
    packing = false;
  })();
  let reads = 0;
  while (packing) {
    const before = [...sure];
    const raw = (await readStored(server, 'raw', HOUR, HOUR + HOUR_MS))['load_1'] ?? [];
    const times = raw.map(({ atMs }) => atMs);
    t.strictSame([...new Set(times)], times, 'no duplicates');
    const seen = new Set(times);
    t.ok(
      before.every(([atMs]) => seen.has(atMs)),
      'none missing',
    );
    const minutes = (await readStored(server, '1m', HOUR, HOUR + HOUR_MS))['load_1'] ?? [];
    t.equal(minutes.length, 60);
    reads++;
  }
  await writer;
  t.ok(reads > 10, `${reads} reads`);
  await expectAll(t, server, delivered, 'in the end');
});

t.test('a reader does not use roll-ups with fewer samples than it has read', async (t) => {
  for (const resolution of ['1m', '5m', '1h'] as const) {
    const server = newServer();
    const delivered = samplesFrom(HOUR, 20);
    await history.deliver(server, delivered.slice(0, 19));
    const read = await readNow(server);
    // A pack job that read the samples before the last one arrived writes between two reads of the reader.
    const packer = createPackHour({ ...history, samples: { ...history.samples, read } });
    await history.deliver(server, delivered.slice(19));
    let isFirst = true;
    const rawHoursAt: typeof history.metrics.rawHoursAt = async function* (...args) {
      yield* history.metrics.rawHoursAt(...args);
      if (isFirst) await packer(server, HOUR, 'Pro');
      isFirst = false;
    };
    const reader = createHistoryReader({ ...history, metrics: { ...history.metrics, rawHoursAt } });
    const found = await readStored(server, resolution, HOUR, HOUR + HOUR_MS, reader);
    t.equal(await count('server_metrics_1m', server), 1, 'it was packed between the reads');
    t.strictSame(found['load_1'], expected(delivered, 'load_1', STEPS[resolution]), resolution);
    await pack(DUE);
  }
});

t.test('a pack job drops no sample if another has packed some between its reads', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 20);
  await history.deliver(server, delivered.slice(0, 10));
  const read = await readNow(server);
  const other = createPackHour({ ...history, samples: { ...history.samples, read } });
  await history.deliver(server, delivered.slice(10));
  let isFirst = true;
  const hour: typeof history.metrics.hour = async (...args) => {
    const found = await history.metrics.hour(...args);
    if (isFirst) await other(server, HOUR, 'Pro');
    isFirst = false;
    return found;
  };
  const counted = await createPackHour({ ...history, metrics: { ...history.metrics, hour } })(server, HOUR, 'Pro');
  t.strictSame(counted, { packed: 10, dropped: 0 });
  await expectAll(t, server, delivered, 'both parts');
});

t.test('concurrent pack jobs lose no sample and count none twice', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 360);
  const [one, other] = [createPackHour(history), createPackHour(history)];
  for (let at = 0; at < delivered.length; at += 24) {
    await history.deliver(server, delivered.slice(at, at + 12));
    const late = history.deliver(server, delivered.slice(at + 12, at + 24));
    await Promise.all([one(server, HOUR, 'Pro'), late, other(server, HOUR, 'Pro')]);
  }
  await one(server, HOUR, 'Pro');
  t.equal(await count('server_reports', server), 0);
  await expectAll(t, server, delivered, 'both');
});

t.test('a stalled pack job does not overwrite what another has packed', async (t) => {
  const away = <T>(value: T, meanwhile: () => Promise<unknown>) => meanwhile().then(() => value);
  const points: [string, (meanwhile: () => Promise<unknown>) => Partial<typeof history.metrics>][] = [
    [
      'between its reads',
      (meanwhile) => ({ hour: (...args) => away(args, meanwhile).then((a) => history.metrics.hour(...a)) }),
    ],
    [
      'before its first write',
      (meanwhile) => ({ hour: (...args) => history.metrics.hour(...args).then((found) => away(found, meanwhile)) }),
    ],
    [
      'before the minutes',
      (meanwhile) => ({ saveMinutes: (write) => away(write, meanwhile).then(history.metrics.saveMinutes) }),
    ],
    [
      'before the hour',
      (meanwhile) => ({ saveHourOfDay: (write) => away(write, meanwhile).then(history.metrics.saveHourOfDay) }),
    ],
  ];
  for (const [when, over] of points) {
    for (const isPackedBefore of [false, true]) {
      const server = newServer();
      const delivered = samplesFrom(HOUR, 40);
      const packHour = createPackHour(history);
      if (isPackedBefore) {
        await history.deliver(server, delivered.slice(0, 10));
        await packHour(server, HOUR, 'Pro');
      }
      await history.deliver(server, delivered.slice(10, 20));
      let isFirst = true;
      const metrics = {
        ...history.metrics,
        ...over(async () => {
          if (!isFirst) return;
          isFirst = false;
          await history.deliver(server, delivered.slice(20));
          await packHour(server, HOUR, 'Pro');
        }),
      };
      await createPackHour({ ...history, metrics })(server, HOUR, 'Pro');
      t.equal(await count('server_reports', server), 0);
      await expectAll(
        t,
        server,
        delivered.slice(isPackedBefore ? 0 : 10),
        `${when}, ${isPackedBefore ? 'late' : 'first'} samples`,
      );
    }
  }
});

t.test('one control plane at a time packs periodically until it is stopped', async (t) => {
  const first = history.newPackJob('first');
  const second = history.newPackJob('second');
  t.ok(await first.runOnce(DUE));
  t.equal(await second.runOnce(DUE), null);
  await first.stop();
  t.ok(await second.runOnce(DUE), 'a stopped job releases the lease');
  await second.stop();

  const server = newServer();
  await history.deliver(server, samplesFrom(HOUR, 10));
  const clock = testClock(DUE);
  const job = history.newPackJob('by itself', { clock });
  job.start();
  await waitFor(
    'the first run',
    60_000,
    async () => {
      await clock.advance(1_000);
      return (await count('server_reports', server)) === 0;
    },
    1,
  );
  const late: Samples = [[HOUR + 30 * MINUTE_MS, { load_1: 1 }]];
  await history.deliver(server, late);
  await waitFor(
    'the second run',
    60_000,
    async () => {
      await clock.advance(10_000);
      return (await count('server_reports', server)) === 0;
    },
    1,
  );
  await job.stop();
});
