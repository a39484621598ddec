import t from 'tap';
import { createPackHour } from '../../../control-plane/servers/history/pack-hour.js';
import { createHistoryReader } from '../../../control-plane/servers/history/read-metrics.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import {
  DUE,
  expected,
  type Given,
  HOUR,
  HOUR_MS,
  historyScene,
  STEPS,
  walk,
} from '../../helpers/results/told-history.js';
import { buildServerHistory } from '../../helpers/servers/history.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE_MS = 60_000;

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, tellsAll, told } = historyScene(database, history);
t.teardown(() => database.drop());

t.test('a pack job that dies anywhere is done again by the next one', async (t) => {
  const dies = async (): Promise<never> => {
    throw new Error('killed');
  };
  const deaths: [string, Parameters<typeof history.newPackJob>[1]][] = [
    ['before anything', { metrics: { ...history.metrics, saveHour: dies } }],
    ['after the reports', { metrics: { ...history.metrics, saveMinutes: dies, saveHourOfDay: dies } }],
    ['before the hour of the day', { metrics: { ...history.metrics, saveHourOfDay: dies } }],
    ['before the minutes', { metrics: { ...history.metrics, saveMinutes: dies } }],
    ['before the removal', { reports: { ...history.reports, remove: dies } }],
  ];
  for (const [when, over] of deaths) {
    const server = newServer();
    const given = walk(HOUR, 60);
    await history.deliver(server, given);
    t.equal((await pack(DUE, over))?.failed, 1, when);
    t.equal(await count('server_reports', server), 60, 'nothing is gone');
    await tellsAll(t, server, given, `died ${when}`);
    const more = walk(HOUR + 30 * MINUTE_MS, 20);
    await history.deliver(server, more);
    await pack(DUE, over);
    await tellsAll(t, server, [...given, ...more], `died ${when} with late reports`);
    t.equal((await pack(DUE))?.failed, 0);
    t.equal(await count('server_reports', server), 0);
    await tellsAll(t, server, [...given, ...more], `taken up again after a death ${when}`);
  }
  t.match(JSON.stringify(history.logged), /an hour of reports was not packed/);
});

t.test('one hour that cannot be packed keeps no other from it', async (t) => {
  const [broken, healthy] = [newServer(), newServer()];
  await history.deliver(broken, walk(HOUR, 10));
  await history.deliver(healthy, walk(HOUR, 10));
  const saveHour: typeof history.metrics.saveHour = (write) =>
    write.server.serverId === broken.serverId
      ? Promise.reject(new Error('too large'))
      : history.metrics.saveHour(write);
  const report = await pack(DUE, { metrics: { ...history.metrics, saveHour } });
  t.match(report, { failed: 1, hours: 1, reports: 10 });
  t.strictSame([await count('server_reports', broken), await count('server_reports', healthy)], [10, 0]);
  await pack(DUE);
});

t.test('readers see every report once while its hour is packed', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 360);
  const early = given.filter((_, at) => at % 2 === 0);
  await history.deliver(server, early);
  let packing = true;
  const sure = [...early];
  const writer = (async () => {
    for (let at = 1; at < given.length; at += 20) {
      const late = given.slice(at, at + 20).filter((one) => !early.includes(one));
      await history.deliver(server, late);
      sure.push(...late);
      await pack(DUE);
    }
    packing = false;
  })();
  let reads = 0;
  while (packing) {
    const before = [...sure];
    const raw = (await told(server, 'raw', HOUR, HOUR + HOUR_MS))['load_1'] ?? [];
    const times = raw.map(({ atMs }) => atMs);
    t.strictSame([...new Set(times)], times, 'none twice');
    const seen = new Set(times);
    t.ok(
      before.every(([atMs]) => seen.has(atMs)),
      'none missing',
    );
    const minutes = (await told(server, '1m', HOUR, HOUR + HOUR_MS))['load_1'] ?? [];
    t.equal(minutes.length, 60);
    reads++;
  }
  await writer;
  t.ok(reads > 10, `${reads} reads`);
  await tellsAll(t, server, given, 'in the end');
});

t.test('a reader does without roll-ups that know less than it has seen itself', async (t) => {
  for (const resolution of ['1m', '5m', '1h'] as const) {
    const server = newServer();
    const given = walk(HOUR, 20);
    await history.deliver(server, given.slice(0, 19));
    const seen = await history.reports.range(server, HOUR, HOUR + HOUR_MS);
    // A pack job that has read the reports before the last one came writes between the looks of the reader.
    const packer = createPackHour({ ...history, reports: { ...history.reports, range: async () => seen } });
    await history.deliver(server, given.slice(19));
    let isFirst = true;
    const reportsAt: typeof history.metrics.reportsAt = async function* (...asked) {
      yield* history.metrics.reportsAt(...asked);
      if (isFirst) await packer(server, HOUR, 'Pro');
      isFirst = false;
    };
    const reader = createHistoryReader({ ...history, metrics: { ...history.metrics, reportsAt } });
    const found = await told(server, resolution, HOUR, HOUR + HOUR_MS, reader);
    t.equal(await count('server_metrics_1m', server), 1, 'it was packed meanwhile');
    t.strictSame(found['load_1'], expected(given, 'load_1', STEPS[resolution]), resolution);
    await pack(DUE);
  }
});

t.test('a pack job drops nothing because another has packed a part between its looks', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 20);
  await history.deliver(server, given.slice(0, 10));
  const seen = await history.reports.range(server, HOUR, HOUR + HOUR_MS);
  const other = createPackHour({ ...history, reports: { ...history.reports, range: async () => seen } });
  await history.deliver(server, given.slice(10));
  let isFirst = true;
  const hour: typeof history.metrics.hour = async (...asked) => {
    const found = await history.metrics.hour(...asked);
    if (isFirst) await other(server, HOUR, 'Pro');
    isFirst = false;
    return found;
  };
  const counted = await createPackHour({ ...history, metrics: { ...history.metrics, hour } })(server, HOUR, 'Pro');
  t.strictSame(counted, { packed: 10, dropped: 0 });
  await tellsAll(t, server, given, 'both parts');
});

t.test('two pack jobs at once lose nothing and count nothing twice', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 360);
  const [one, other] = [createPackHour(history), createPackHour(history)];
  for (let at = 0; at < given.length; at += 24) {
    await history.deliver(server, given.slice(at, at + 12));
    const late = history.deliver(server, given.slice(at + 12, at + 24));
    await Promise.all([one(server, HOUR, 'Pro'), late, other(server, HOUR, 'Pro')]);
  }
  await one(server, HOUR, 'Pro');
  t.equal(await count('server_reports', server), 0);
  await tellsAll(t, server, given, 'both');
});

t.test('a pack job that was away does not write over what another has packed meanwhile', async (t) => {
  const away = <T>(value: T, meanwhile: () => Promise<unknown>) => meanwhile().then(() => value);
  const points: [string, (meanwhile: () => Promise<unknown>) => Partial<typeof history.metrics>][] = [
    [
      'between its looks',
      (meanwhile) => ({ hour: (...asked) => away(asked, meanwhile).then((a) => history.metrics.hour(...a)) }),
    ],
    [
      'before its first write',
      (meanwhile) => ({ hour: (...asked) => history.metrics.hour(...asked).then((found) => away(found, meanwhile)) }),
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
      const given = walk(HOUR, 40);
      const packHour = createPackHour(history);
      if (isPackedBefore) {
        await history.deliver(server, given.slice(0, 10));
        await packHour(server, HOUR, 'Pro');
      }
      await history.deliver(server, given.slice(10, 20));
      let isFirst = true;
      const metrics = {
        ...history.metrics,
        ...over(async () => {
          if (!isFirst) return;
          isFirst = false;
          await history.deliver(server, given.slice(20));
          await packHour(server, HOUR, 'Pro');
        }),
      };
      await createPackHour({ ...history, metrics })(server, HOUR, 'Pro');
      t.equal(await count('server_reports', server), 0);
      await tellsAll(
        t,
        server,
        given.slice(isPackedBefore ? 0 : 10),
        `${when}, ${isPackedBefore ? 'late' : 'first'} reports`,
      );
    }
  }
});

t.test('one control plane packs at a time, by itself and until it is told to stop', async (t) => {
  const first = history.newPackJob('first');
  const second = history.newPackJob('second');
  t.ok(await first.runDue(DUE));
  t.equal(await second.runDue(DUE), null);
  await first.stop();
  t.ok(await second.runDue(DUE), 'a job that stops lets the next one in');
  await second.stop();

  const server = newServer();
  await history.deliver(server, walk(HOUR, 10));
  const clock = testClock(DUE);
  const job = history.newPackJob('by itself', { clock });
  job.start();
  await waitFor(
    'the first pass',
    10_000,
    async () => {
      await clock.advance(1_000);
      return (await count('server_reports', server)) === 0;
    },
    1,
  );
  const late: Given = [[HOUR + 30 * MINUTE_MS, { load_1: 1 }]];
  await history.deliver(server, late);
  await waitFor(
    'the pass after it',
    10_000,
    async () => {
      await clock.advance(10_000);
      return (await count('server_reports', server)) === 0;
    },
    1,
  );
  await job.stop();
});
