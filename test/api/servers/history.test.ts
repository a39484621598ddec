import t from 'tap';
import { createPackHour } from '../../../control-plane/servers/history/pack-hour.js';
import { toIso } from '../../../kernel/clock.js';
import { testDatabase } from '../../helpers/database.js';
import {
  DAY_MS,
  DUE,
  expected,
  type Given,
  HOUR,
  HOUR_MS,
  historyScene,
  STEPS,
  walk,
} from '../../helpers/results/told-history.js';
import { buildServerHistory, encodeReport } from '../../helpers/servers/history.js';

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, tellsAll, told } = historyScene(database, history);
t.teardown(() => database.drop());

t.test('every resolution tells the same before an hour is packed and after it', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 400);
  await history.deliver(server, given);
  await tellsAll(t, server, given, 'reports only');
  t.equal((await pack(DUE - 1))?.hours, 0, 'an hour is left alone while reports may still come');
  const report = await pack(DUE);
  t.strictSame(report, { hours: 1, reports: 360, dropped: 0, failed: 0 });
  t.equal(await count('server_reports', server), 40, 'those of the hour that runs');
  await tellsAll(t, server, given, 'an hour packed, the next one waiting');
  t.strictSame(await pack(DUE + HOUR_MS), { hours: 1, reports: 40, dropped: 0, failed: 0 });
  t.equal(await count('server_reports', server), 0);
  await tellsAll(t, server, given, 'all packed');
  t.strictSame(
    [await count('server_metrics', server), await count('server_metrics_1m', server)],
    [2, 2],
    'a document an hour',
  );
  t.equal(await count('server_metrics_1h', server), 1, 'and one a day');
});

t.test('a report is stored once, however often it is sent, packed or not', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 30);
  await history.deliver(server, given);
  await history.deliver(server, given.slice(10));
  await tellsAll(t, server, given, 'twice');
  await pack(DUE);
  await history.deliver(server, given.slice(0, 20));
  await tellsAll(t, server, given, 'again, after it was packed');
  await pack(DUE);
  t.equal(await count('server_reports', server), 0);
  await tellsAll(t, server, given, 'and packed again');
});

t.test('what comes late is merged into what is packed', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 720);
  const isLate = (_: unknown, at: number) => at % 5 === 2 || (at > 200 && at < 260);
  await history.deliver(
    server,
    given.filter((one, at) => !isLate(one, at)),
  );
  await pack(DUE + HOUR_MS);
  const late = given.filter(isLate);
  await history.deliver(server, late.slice(0, 50));
  await pack(DUE + 2 * HOUR_MS);
  await history.deliver(server, late.slice(50));
  await tellsAll(t, server, given, 'some packed, some waiting');
  await pack(DUE + 2 * HOUR_MS);
  t.equal(await count('server_reports', server), 0);
  await tellsAll(t, server, given, 'all packed');
});

t.test('reports of an hour whose other reports have expired are dropped, not taken for the whole hour', async (t) => {
  const server = newServer();
  const given = walk(HOUR, 60);
  await history.deliver(server, given);
  await pack(DUE);
  await database.db
    .collection<{ _id: string }>('server_metrics')
    .deleteMany({ _id: { $regex: `^${server.serverId}/` } });
  await history.deliver(server, [[HOUR + 5, { cpu_percent: 99, load_1: 99 }]]);
  const tells = async (message: string) => {
    for (const resolution of ['1m', '1h'] as const) {
      const found = await told(server, resolution, HOUR, HOUR + HOUR_MS);
      t.strictSame(found['load_1'], expected(given, 'load_1', STEPS[resolution]), `${message}: ${resolution}`);
    }
  };
  await tells('while it waits');
  t.match(await pack(DUE), { dropped: 1, reports: 0 });
  t.equal(await count('server_reports', server), 0);
  await tells('and after it');
});

t.test('what cannot be read or has no workspace is removed and counted', async (t) => {
  const server = newServer();
  await history.deliver(server, walk(HOUR, 5));
  const row = { ...server, atMs: HOUR + 1, receivedAtMs: HOUR };
  await history.reports.insert([{ ...row, report: Uint8Array.of(255, 255, 255) }]);
  t.equal((await told(server, 'raw', HOUR, HOUR + HOUR_MS))['load_1']?.length, 5);
  t.strictSame(await pack(DUE), { hours: 1, reports: 5, dropped: 1, failed: 0 });
  const orphan = newServer();
  await history.deliver(orphan, walk(HOUR, 5));
  t.match(await pack(DUE, { plans: { plans: async () => new Map() } }), { dropped: 5 });
  t.equal(await count('server_metrics', orphan), 0);
});

t.test('values that no agent should send are clamped or left out', async (t) => {
  const server = newServer();
  const values = { cpu_percent: Number.MAX_SAFE_INTEGER, mem_used_bytes: Number.MAX_SAFE_INTEGER, load_1: -1 };
  await history.reports.insert([
    { ...server, atMs: HOUR, receivedAtMs: HOUR, report: encodeReport(HOUR, { ...values, processes: Number.NaN }) },
  ]);
  await pack(DUE);
  const found = await told(server, '1h', HOUR, HOUR + HOUR_MS);
  t.strictSame(Object.keys(found).sort(), ['cpu_percent', 'mem_used_bytes']);
});

t.test('documents expire by the plan, days with their last hour', async (t) => {
  for (const [plan, rawMs, minutesMs, hoursMs] of [
    ['Free', DAY_MS, 7 * DAY_MS, 30 * DAY_MS],
    ['Enterprise', 30 * DAY_MS, 90 * DAY_MS, 730 * DAY_MS],
  ] as const) {
    const server = newServer();
    await history.deliver(server, walk(HOUR, 3));
    await createPackHour(history)(server, HOUR, plan);
    const expiry = async (name: string) =>
      (
        await database.db
          .collection<{ _id: string; expires_at?: Date }>(name)
          .findOne({ _id: { $regex: `^${server.serverId}/` } })
      )?.expires_at;
    t.same(await expiry('server_metrics'), new Date(HOUR + HOUR_MS + rawMs + 2 * HOUR_MS), 'two hours for late ones');
    t.same(await expiry('server_metrics_1m'), new Date(HOUR + HOUR_MS + minutesMs));
    t.same(await expiry('server_metrics_1h'), new Date(HOUR - (HOUR % DAY_MS) + DAY_MS + hoursMs));
  }
  for (const name of ['server_metrics', 'server_metrics_1m', 'server_metrics_1h']) {
    t.match(await database.db.collection(name).indexes(), [{}, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
  }
});

t.test('rules read raw points to the last one, and the minutes of every device', async (t) => {
  const server = newServer();
  const given: Given = [
    [HOUR, { disk_used_percent: 60, 'disk_used_percent:/': 60, 'disk_used_percent:/var': 40, load_1: 1 }],
    [HOUR + 30_000, { disk_used_percent: 62, 'disk_used_percent:/': 62 }],
    [HOUR + HOUR_MS, { disk_used_percent: 70, 'disk_used_percent:/': 70, 'disk_used_percent:/var': 41 }],
  ];
  await history.deliver(server, given);
  await pack(DUE);
  const { raw, minutes } = history.history;
  t.strictSame(await raw(server, 'disk_used_percent:/', HOUR, HOUR + HOUR_MS), [
    { atMs: HOUR, value: 60 },
    { atMs: HOUR + 30_000, value: 62 },
    { atMs: HOUR + HOUR_MS, value: 70 },
  ]);
  t.strictSame(await raw(server, 'disk_used_percent:/', HOUR + 1, HOUR + HOUR_MS - 1), [
    { atMs: HOUR + 30_000, value: 62 },
  ]);
  t.strictSame(await raw(server, 'disk_used_percent:/tmp', HOUR, HOUR + HOUR_MS), []);
  t.strictSame(await raw(server, 'no_such_metric', HOUR, HOUR + HOUR_MS), []);
  t.strictSame(
    [...(await minutes(server, 'disk_used_percent', HOUR, HOUR + HOUR_MS + 1))].sort(),
    [
      [
        'disk_used_percent',
        [
          { atMs: HOUR, value: 61 },
          { atMs: HOUR + HOUR_MS, value: 70 },
        ],
      ],
      [
        'disk_used_percent:/',
        [
          { atMs: HOUR, value: 61 },
          { atMs: HOUR + HOUR_MS, value: 70 },
        ],
      ],
      [
        'disk_used_percent:/var',
        [
          { atMs: HOUR, value: 40 },
          { atMs: HOUR + HOUR_MS, value: 41 },
        ],
      ],
    ],
    'not the load',
  );
  t.equal((await minutes({ ...server, workspaceId: 'ws_other' }, 'disk_used_percent', HOUR, DUE)).size, 0, toIso(DUE));
});
