import t from 'tap';
import { createPackHour } from '../../../control-plane/servers/history/pack-hour.js';
import { toIso } from '../../../kernel/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServerHistory, encodeSample } from '../../helpers/servers/history.js';
import {
  DAY_MS,
  DUE,
  expected,
  HOUR,
  HOUR_MS,
  historyChecks,
  type Samples,
  STEPS,
  samplesFrom,
} from '../../helpers/servers/history-checks.js';

const database = await testDatabase();
const history = await buildServerHistory(database);
const { count, newServer, pack, expectAll, readStored } = historyChecks(database, history);
t.teardown(() => database.drop());

t.test('every resolution returns the same values before and after an hour is packed', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 400);
  await history.deliver(server, delivered);
  await expectAll(t, server, delivered, 'unpacked samples only');
  t.equal((await pack(DUE - 1))?.hours, 0, 'an hour is not packed while samples may still arrive');
  const totals = await pack(DUE);
  t.strictSame(totals, { hours: 1, samples: 360, dropped: 0, failed: 0, setAside: 0 });
  t.equal(await count('server_reports', server), 40, 'the samples of the current hour');
  await expectAll(t, server, delivered, 'one hour packed, the next one not');
  t.strictSame(await pack(DUE + HOUR_MS), { hours: 1, samples: 40, dropped: 0, failed: 0, setAside: 0 });
  t.equal(await count('server_reports', server), 0);
  await expectAll(t, server, delivered, 'all packed');
  t.strictSame(
    [await count('server_metrics', server), await count('server_metrics_1m', server)],
    [2, 2],
    'one document per hour',
  );
  t.equal(await count('server_metrics_1h', server), 1, 'and one per day');
});

t.test('a sample that is sent repeatedly is stored once, packed or not', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 30);
  await history.deliver(server, delivered);
  await history.deliver(server, delivered.slice(10));
  await expectAll(t, server, delivered, 'twice');
  await pack(DUE);
  await history.deliver(server, delivered.slice(0, 20));
  await expectAll(t, server, delivered, 'sent again after packing');
  await pack(DUE);
  t.equal(await count('server_reports', server), 0);
  await expectAll(t, server, delivered, 'and packed again');
});

t.test('late samples are merged with packed ones', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 720);
  const isLate = (_: unknown, at: number) => at % 5 === 2 || (at > 200 && at < 260);
  await history.deliver(
    server,
    delivered.filter((one, at) => !isLate(one, at)),
  );
  await pack(DUE + HOUR_MS);
  const late = delivered.filter(isLate);
  await history.deliver(server, late.slice(0, 50));
  await pack(DUE + 2 * HOUR_MS);
  await history.deliver(server, late.slice(50));
  await expectAll(t, server, delivered, 'some packed, some not');
  await pack(DUE + 2 * HOUR_MS);
  t.equal(await count('server_reports', server), 0);
  await expectAll(t, server, delivered, 'all packed');
});

t.test('samples of an hour whose other samples have expired are dropped, instead of replacing the hour', async (t) => {
  const server = newServer();
  const delivered = samplesFrom(HOUR, 60);
  await history.deliver(server, delivered);
  await pack(DUE);
  await database.db
    .collection<{ _id: string }>('server_metrics')
    .deleteMany({ _id: { $regex: `^${server.serverId}/` } });
  await history.deliver(server, [[HOUR + 5, { cpu_percent: 99, load_1: 99 }]]);
  const tells = async (message: string) => {
    for (const resolution of ['1m', '1h'] as const) {
      const found = await readStored(server, resolution, HOUR, HOUR + HOUR_MS);
      t.strictSame(found['load_1'], expected(delivered, 'load_1', STEPS[resolution]), `${message}: ${resolution}`);
    }
  };
  await tells('while it waits');
  t.match(await pack(DUE), { dropped: 1, samples: 0 });
  t.equal(await count('server_reports', server), 0);
  await tells('and after it');
});

t.test('invalid samples, and samples without a workspace, are deleted and counted', async (t) => {
  const server = newServer();
  await history.deliver(server, samplesFrom(HOUR, 5));
  const row = { ...server, atMs: HOUR + 1, receivedAtMs: HOUR };
  await history.samples.insert([{ ...row, bytes: Uint8Array.of(255, 255, 255) }]);
  t.equal((await readStored(server, 'raw', HOUR, HOUR + HOUR_MS))['load_1']?.length, 5);
  t.strictSame(await pack(DUE), { hours: 1, samples: 5, dropped: 1, failed: 0, setAside: 0 });
  const orphan = newServer();
  await history.deliver(orphan, samplesFrom(HOUR, 5));
  t.match(await pack(DUE, { plans: { plans: async () => new Map() } }), { dropped: 5 });
  t.equal(await count('server_metrics', orphan), 0);
});

t.test('values that no agent should send are limited or omitted', async (t) => {
  const server = newServer();
  const values = { cpu_percent: Number.MAX_SAFE_INTEGER, mem_used_bytes: Number.MAX_SAFE_INTEGER, load_1: -1 };
  await history.samples.insert([
    { ...server, atMs: HOUR, receivedAtMs: HOUR, bytes: encodeSample(HOUR, { ...values, processes: Number.NaN }) },
  ]);
  await pack(DUE);
  const found = await readStored(server, '1h', HOUR, HOUR + HOUR_MS);
  t.strictSame(Object.keys(found).sort(), ['cpu_percent', 'mem_used_bytes']);
});

t.test('documents expire according to the plan, days with their last hour', async (t) => {
  for (const [plan, rawMs, minutesMs, hoursMs] of [
    ['Free', DAY_MS, 7 * DAY_MS, 30 * DAY_MS],
    ['Enterprise', 30 * DAY_MS, 90 * DAY_MS, 730 * DAY_MS],
  ] as const) {
    const server = newServer();
    await history.deliver(server, samplesFrom(HOUR, 3));
    await createPackHour(history)(server, HOUR, plan);
    const expiry = async (name: string) =>
      (
        await database.db
          .collection<{ _id: string; expires_at?: Date }>(name)
          .findOne({ _id: { $regex: `^${server.serverId}/` } })
      )?.expires_at;
    t.same(
      await expiry('server_metrics'),
      new Date(HOUR + HOUR_MS + rawMs + 2 * HOUR_MS),
      'two hours more for late samples',
    );
    t.same(await expiry('server_metrics_1m'), new Date(HOUR + HOUR_MS + minutesMs));
    t.same(await expiry('server_metrics_1h'), new Date(HOUR - (HOUR % DAY_MS) + DAY_MS + hoursMs));
  }
  for (const name of ['server_metrics', 'server_metrics_1m', 'server_metrics_1h']) {
    t.match(await database.db.collection(name).indexes(), [{}, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
  }
});

t.test('alert rules read all raw points, and the minutes of every device', async (t) => {
  const server = newServer();
  const delivered: Samples = [
    [HOUR, { disk_used_percent: 60, 'disk_used_percent:/': 60, 'disk_used_percent:/var': 40, load_1: 1 }],
    [HOUR + 30_000, { disk_used_percent: 62, 'disk_used_percent:/': 62 }],
    [HOUR + HOUR_MS, { disk_used_percent: 70, 'disk_used_percent:/': 70, 'disk_used_percent:/var': 41 }],
  ];
  await history.deliver(server, delivered);
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
    'without the load',
  );
  t.equal((await minutes({ ...server, workspaceId: 'ws_other' }, 'disk_used_percent', HOUR, DUE)).size, 0, toIso(DUE));
});
