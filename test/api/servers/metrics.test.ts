import t from 'tap';
import { toIso } from '../../../kernel/clock.js';
import { METRICS } from '../../../proto/metrics.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { blockOfSamples, buildServer, buildServerHistory, newServerId } from '../../helpers/servers/history.js';

// In the future, because the database deletes expired documents by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12, 30);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const database = await testDatabase();
const clock = testClock(NOW);
const history = await buildServerHistory(database, { clock });
const freeHistory = await buildServerHistory(database, { clock, plan: 'Free' });
const app = await startApp({ mongo: database, clock, routes: history.routes });
const free = await startApp({ mongo: database, clock, plan: 'Free', routes: history.routes });
t.teardown(async () => {
  await Promise.all([app.close(), free.close()]);
  await database.drop();
});

interface View {
  server_id: string;
  resolution: string;
  series: Record<string, { t: string; v: number }[]>;
}
const newServer = (as = app, over: Partial<Parameters<typeof buildServer>[0]> = {}) =>
  history.insertServer(buildServer({ workspace_id: as.workspace.id, ...over }));
const get = (serverId: string, query: Record<string, string> = {}, as = app, key = as.key) =>
  as.request<View>('GET', `/v1/servers/${serverId}/metrics?${new URLSearchParams(query)}`, { key });
async function packAll(which = history) {
  const job = which.newPackJob(`job ${Math.random()}`);
  await job.runOnce(NOW);
  await job.stop();
}

t.test('the samples of the last hour, by default with every series', async (t) => {
  const { serverId, workspaceId } = await newServer();
  const values = { cpu_percent: 12.34, net_bytes_recv_rate: 1_000, 'net_bytes_recv_rate:eth0': 900 };
  await history.deliver({ serverId, workspaceId }, [
    [NOW - HOUR_MS - 1, { cpu_percent: 99 }],
    [NOW - HOUR_MS, { cpu_percent: 1 }],
    [NOW - 40 * MINUTE_MS + 7, values],
    [NOW - 10_000, { ...values, cpu_percent: 0, 'disk_used_percent:/var': 61.3 }],
    [NOW + 60_000, { cpu_percent: 98 }],
  ]);
  for (const when of ['before it is packed', 'and after it']) {
    const { status, body } = await get(serverId);
    t.equal(status, 200);
    t.equal(body.data.server_id, serverId);
    t.equal(body.data.resolution, 'raw');
    t.strictSame(
      body.data.series,
      {
        ...Object.fromEntries(METRICS.map(({ name }) => [name, []])),
        cpu_percent: [
          { t: toIso(NOW - HOUR_MS), v: 1 },
          { t: toIso(NOW - 40 * MINUTE_MS + 7), v: 12.34 },
          { t: toIso(NOW - 10_000), v: 0 },
        ],
        net_bytes_recv_rate: [
          { t: toIso(NOW - 40 * MINUTE_MS + 7), v: 1_000 },
          { t: toIso(NOW - 10_000), v: 1_000 },
        ],
        'disk_used_percent:/var': [{ t: toIso(NOW - 10_000), v: 61.3 }],
        'net_bytes_recv_rate:eth0': [
          { t: toIso(NOW - 40 * MINUTE_MS + 7), v: 900 },
          { t: toIso(NOW - 10_000), v: 900 },
        ],
      },
      when,
    );
    await packAll();
  }
});

t.test('points are averages of buckets; a bucket without a value is omitted, not zero', async (t) => {
  const server = await newServer();
  const startMs = NOW - 150 * MINUTE_MS;
  const at = (minute: number, second: number) => startMs + minute * MINUTE_MS + second * 1_000;
  await history.deliver(server, [
    [at(0, 0), { cpu_percent: 10, load_1: 1 }],
    [at(0, 50), { cpu_percent: 20 }],
    [at(1, 0), { cpu_percent: 60 }],
    [at(10, 0), { load_1: 3 }],
    [at(130, 0), { cpu_percent: 5, load_1: 0 }],
  ]);
  await packAll();
  const series = async (resolution: string) =>
    (await get(server.serverId, { resolution, from: toIso(startMs), metrics: 'cpu_percent,load_1' })).body.data.series;
  t.strictSame(await series('1m'), {
    cpu_percent: [
      { t: toIso(at(0, 0)), v: 15 },
      { t: toIso(at(1, 0)), v: 60 },
      { t: toIso(at(130, 0)), v: 5 },
    ],
    load_1: [
      { t: toIso(at(0, 0)), v: 1 },
      { t: toIso(at(10, 0)), v: 3 },
      { t: toIso(at(130, 0)), v: 0 },
    ],
  });
  t.strictSame(await series('5m'), {
    cpu_percent: [
      { t: toIso(at(0, 0)), v: 30 },
      { t: toIso(at(130, 0)), v: 5 },
    ],
    load_1: [
      { t: toIso(at(0, 0)), v: 1 },
      { t: toIso(at(10, 0)), v: 3 },
      { t: toIso(at(130, 0)), v: 0 },
    ],
  });
  t.strictSame(await series('1h'), {
    cpu_percent: [
      { t: toIso(startMs), v: 30 },
      { t: toIso(startMs + 2 * HOUR_MS), v: 5 },
    ],
    load_1: [
      { t: toIso(startMs), v: 2 },
      { t: toIso(startMs + 2 * HOUR_MS), v: 0 },
    ],
  });
  const within = await get(server.serverId, {
    resolution: '1m',
    from: toIso(at(0, 30)),
    to: toIso(at(10, 0)),
    metrics: 'cpu_percent',
  });
  t.strictSame(
    within.body.data.series['cpu_percent']?.map(({ t }) => t),
    [toIso(at(0, 0)), toIso(at(1, 0))],
    'whole buckets from the one with `from` up to `to`',
  );
});

t.test('the first and the last bucket are averages of all their samples, packed or not', async (t) => {
  const server = await newServer();
  const startMs = NOW - 150 * MINUTE_MS;
  await history.deliver(server, [
    [startMs, { load_1: 1 }],
    [startMs + 50_000, { load_1: 3 }],
    [startMs + 10 * MINUTE_MS, { load_1: 5 }],
    [startMs + 10 * MINUTE_MS + 50_000, { load_1: 7 }],
  ]);
  const range = { from: toIso(startMs + 30_000), to: toIso(startMs + 10 * MINUTE_MS + 1), metrics: 'load_1' };
  for (const when of ['waiting', 'packed']) {
    const values = async (resolution: string) =>
      (await get(server.serverId, { ...range, resolution })).body.data.series['load_1']?.map(({ v }) => v);
    t.strictSame(await values('1m'), [2, 6], when);
    t.strictSame(await values('5m'), [2, 6], when);
    t.strictSame(await values('1h'), [4], when);
    t.strictSame(await values('raw'), [3, 5], when);
    await packAll();
  }
});

t.test('names select the whole server, one device or all devices of a metric', async (t) => {
  const server = await newServer();
  const disks = { 'disk_used_percent:/': 40, 'disk_used_percent:/var lib': 50, disk_used_percent: 50 };
  await history.deliver(server, [[NOW - 60_000, { ...disks, cpu_percent: 1, 'cpu_percent:0': 2 }]]);
  const named = async (metrics: string) => {
    const { body } = await get(server.serverId, { metrics });
    return Object.fromEntries(
      Object.entries(body.data.series).map(([name, points]) => [name, points.map(({ v }) => v)]),
    );
  };
  t.strictSame(await named('disk_used_percent'), { disk_used_percent: [50] });
  t.strictSame(await named('disk_used_percent:/var lib, cpu_percent:0'), {
    'disk_used_percent:/var lib': [50],
    'cpu_percent:0': [2],
  });
  t.strictSame(await named('disk_used_percent:*'), { 'disk_used_percent:/': [40], 'disk_used_percent:/var lib': [50] });
  t.strictSame(await named('cpu_percent,cpu_percent:*,cpu_percent'), { cpu_percent: [1], 'cpu_percent:0': [2] });
  t.strictSame(
    await named('disk_used_percent:/gone,swap_used_percent'),
    { 'disk_used_percent:/gone': [], swap_used_percent: [] },
    'a known series without points',
  );
});

t.test('invalid parameters are 422, unknown servers 404, and a missing scope 403', async (t) => {
  const server = await newServer();
  const foreign = await newServer(free);
  await history.deliver(server, [[NOW - 1_000, { load_1: 1 }]]);
  await history.deliver(foreign, [[NOW - 1_000, { load_1: 1 }]]);
  const wrong: [Record<string, string>, string, RegExp][] = [
    [{ metrics: 'cpu_percent,cpu' }, '/query/metrics', /"cpu".*cpu_percent, mem_used_percent/],
    [{ metrics: 'load_1:eth0' }, '/query/metrics', /"load_1:eth0"/],
    [{ metrics: 'disk_used_percent:' }, '/query/metrics', /"disk_used_percent:"/],
    [{ metrics: 'load_1,' }, '/query/metrics', /""/],
    [{ metrics: 'CPU_PERCENT' }, '/query/metrics', /CPU_PERCENT/],
    [{ metrics: 'response_time_ms' }, '/query/metrics', /response_time_ms/],
    [{ from: toIso(NOW), to: toIso(NOW - 1) }, '/query/from', /after/],
    [{ from: 'yesterday' }, '/query/from', /./],
    [{ to: '2031-02-30T00:00:00Z' }, '/query/to', /./],
    [{ resolution: '10s' }, '/query/resolution', /./],
    [
      { resolution: 'raw', from: toIso(NOW - 10 * DAY_MS) },
      '/query/resolution',
      /would have more than 50,000 points per series/,
    ],
    [{ limit: '5' }, '/query/limit', /./],
  ];
  for (const [query, path, message] of wrong) {
    const { status, body } = await get(server.serverId, query);
    t.equal(status, 422, JSON.stringify(query));
    t.match(body.errors?.[0], { path, message }, JSON.stringify(query));
  }
  t.equal((await get(foreign.serverId)).status, 404);
  t.equal((await get(newServerId())).status, 404);
  t.equal((await get(server.serverId, {}, free)).status, 404);
  const reader = await buildKey(database, app.workspace, { scopes: ['servers:read'] });
  const other = await buildKey(database, app.workspace, { scopes: ['monitors:read', 'servers:write'] });
  t.equal((await get(server.serverId, {}, app, reader.key)).status, 200);
  const refused = await get(server.serverId, {}, app, other.key);
  t.match([refused.status, refused.body.code], [403, 'insufficient_scope']);
});

t.test('auto selects the finest resolution with 1,500 points that the plan keeps', async (t) => {
  const picked = async (hours: number, as = app, over = {}) => {
    const { serverId } = await newServer(as, over);
    return (await get(serverId, { from: toIso(NOW - hours * HOUR_MS) }, as)).body.data.resolution;
  };
  t.equal(await picked(1_500 / 360), 'raw', 'a sample each 10 s');
  t.equal(await picked(1_501 / 360), '1m');
  t.equal(await picked(24, app, { report_interval_ms: 60_000 }), 'raw', 'a sample each minute');
  t.equal(await picked(25), '1m');
  t.equal(await picked(25.1), '5m');
  t.equal(await picked(126), '1h');
  t.equal(await picked(24 * 700), '1h', 'there is no coarser resolution');
  t.equal(await picked(24.5, free, { report_interval_ms: 60_000 }), '1m', 'Free keeps raw for a day');
  t.equal(await picked(24 * 8, free), '1h', 'and minutes for a week');
});

t.test('history is limited by the plan and the workspace', async (t) => {
  const server = await newServer(free);
  const count = 4 * 9;
  const samples = Array.from(
    { length: count },
    (_, index) => [NOW - index * 6 * HOUR_MS - 1_000, { load_1: index }] as const,
  );
  await freeHistory.deliver(server, samples);
  await packAll(freeHistory);
  const length = async (resolution: string) => {
    const from = toIso(NOW - 700 * DAY_MS);
    const query = {
      resolution,
      metrics: 'load_1',
      ...(resolution === '1h' ? { from } : { from: toIso(NOW - 30 * DAY_MS) }),
    };
    return (await get(server.serverId, query, free)).body.data.series['load_1']?.length;
  };
  t.equal(await length('1h'), count);
  t.equal(await length('1m'), 7 * 4);
  const raw = { resolution: 'raw', metrics: 'load_1', from: toIso(NOW - 5 * DAY_MS) };
  t.equal((await get(server.serverId, raw, free)).body.data.series['load_1']?.length, 4);

  // Documents of another workspace with the same server id are not read either.
  const otherTenant = { ...server, workspaceId: app.workspace.id };
  await history.deliver(otherTenant, [[NOW - 5 * MINUTE_MS, { load_1: 77 }]]);
  const { body } = await get(server.serverId, { metrics: 'load_1' }, free);
  t.notOk(body.data.series['load_1']?.some(({ v }) => v === 77));
});

t.test('a response with more than a million points is refused with advice', async (t) => {
  const server = await newServer();
  const devices = Array.from({ length: 600 }, (_, index) => `disk_read_rate:sd${index}`);
  const values = new Map(devices.map((name, index) => [name, index]));
  for (let hour = 1; hour <= 5; hour++) {
    const hourMs = NOW - (NOW % HOUR_MS) - hour * HOUR_MS;
    const samples = Array.from({ length: 360 }, (_, at) => ({ atMs: hourMs + at * 10_000, values }));
    const block = blockOfSamples(samples);
    await history.metrics.saveHour({ server, hourMs, block, revision: 0, expiresAt: new Date(NOW + DAY_MS) });
  }
  const whole = { resolution: 'raw', from: toIso(NOW - 6 * HOUR_MS) };
  const refused = await get(server.serverId, whole);
  t.equal(refused.status, 422);
  t.match(refused.body.errors?.[0], { path: '/query/metrics', message: /more than 1000000 points/ });
  const some = await get(server.serverId, { ...whole, metrics: 'disk_read_rate:sd1,disk_read_rate:sd599' });
  t.equal(some.body.data.series['disk_read_rate:sd599']?.length, 5 * 360);
});

t.test('a workspace that has read more points than its budget waits', async (t) => {
  const server = await newServer();
  await history.deliver(server, [[NOW - MINUTE_MS, { cpu_percent: 1 }]]);
  // What the other tests read does not count any more.
  await clock.advance(MINUTE_MS);
  history.budget.charge(app.workspace.id, 5_000_000);
  t.equal((await get(server.serverId)).status, 200, 'nothing is left, but no more than that was read');
  const waiting = await get(server.serverId);
  t.match(waiting, { status: 429, body: { code: 'rate_limited', detail: /points of metrics/ } });
  t.equal(waiting.headers.get('retry-after'), '1');
  await clock.advance(1_000);
  t.equal((await get(server.serverId)).status, 200);
});
