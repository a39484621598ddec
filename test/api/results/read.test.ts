import t from 'tap';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { createMetricsReader, createSlotsReader } from '../../../control-plane/results/read-metrics.js';
import { createResultRoutes } from '../../../control-plane/results/routes.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { idTime } from '../../../control-plane/storage/ids.js';
import { toIso } from '../../../kernel/clock.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';

// In the future, because the database removes what has expired by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];

const database = await testDatabase();
const clock = testClock(NOW);
const history = await buildHistory(database, { clock });

const budget = createPointsBudget(clock);
const startAs = (plan: 'Enterprise' | 'Free') =>
  startApp({
    mongo: database,
    clock,
    plan,
    routes: ({ pager }) =>
      createResultRoutes({
        monitors: history.monitors,
        results: history.results,
        budget,
        readMetrics: createMetricsReader(createSlotsReader({ ...history, store: history.rollups })),
        locations: { codes: () => CODES },
        pager,
        clock,
      }),
  });
const app = await startAs('Enterprise');
const free = await startAs('Free');
t.teardown(async () => {
  await Promise.all([app.close(), free.close()]);
  await database.drop();
});

const get = <Data>(path: string, as = app) => as.request<Data>('GET', path);
type ResultView = { id: string; checked_at: string; location: string; status: string; final: boolean; attempt: number };
type MetricsView = { monitor_id: string; resolution: string; series: Record<string, { t: string; v: number }[]> };

const newMonitor = async (over: Parameters<typeof buildMonitor>[0] = {}) => {
  const monitor = buildMonitor({ workspace_id: app.workspace.id, locations: ['fra', 'nyc'], ...over });
  await history.insertMonitors(monitor);
  return monitor._id;
};
const deliver = async (
  id: string,
  location: string,
  slotMs: number,
  over: { checkedAtMs?: number } & Record<string, unknown> = {},
  error: string | null = null,
) => {
  const refused = await history.deliver(
    location,
    [checkResult({ monitorId: id, slotMs, ...over }, error)],
    (over.checkedAtMs ?? slotMs) + 100,
  );
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
};

t.test('results follow the API contract, newest first', async (t) => {
  const id = await newMonitor();
  const exact = { responseTimeMs: 80.4567, dnsMs: 5.26, connectMs: 10.04 };
  await deliver(id, 'fra', NOW - 60_000, { checkedAtMs: NOW - 59_996, ...exact });
  const failed = { final: false, httpStatus: undefined, dnsMs: undefined };
  await deliver(id, 'nyc', NOW - 30_000, failed, 'connection_refused');
  await deliver(id, 'nyc', NOW - 30_000, { attempt: 1, checkedAtMs: NOW - 24_000, reason: 'confirm' }, 'dns_failure');
  const { status, body } = await get<ResultView[]>(`/v1/monitors/${id}/results`);
  t.equal(status, 200);
  t.equal(body.next_cursor, null);
  const ids = body.data.map((row) => row.id);
  for (const [index, slotMs] of [NOW - 30_000, NOW - 30_000, NOW - 60_000].entries()) {
    t.match(ids[index], /^res_[0-9a-hjkmnp-tv-z]{26}$/);
    t.equal(idTime(ids[index] ?? ''), slotMs, 'ids sort by the scheduled time');
  }
  t.equal(new Set(ids).size, 3);
  const again = await get<ResultView[]>(`/v1/monitors/${id}/results`);
  t.strictSame(
    again.body.data.map((row) => row.id),
    ids,
    'a result keeps its id',
  );
  const withoutId = ({ id: _id, ...row }: ResultView) => row;
  t.strictSame(body.data.map(withoutId), [
    {
      checked_at: toIso(NOW - 24_000),
      location: 'nyc',
      status: 'down',
      response_time_ms: 80,
      timings: { dns_ms: 5, connect_ms: 10, tls_ms: null, ttfb_ms: 50, transfer_ms: 5 },
      http_status: 200,
      error: { code: 'dns_failure', message: 'it failed' },
      attempt: 1,
      final: true,
      reason: 'confirm',
      lateness_ms: null,
    },
    {
      checked_at: toIso(NOW - 30_000),
      location: 'nyc',
      status: 'down',
      response_time_ms: 80,
      timings: { dns_ms: null, connect_ms: 10, tls_ms: null, ttfb_ms: 50, transfer_ms: 5 },
      http_status: null,
      error: { code: 'connection_refused', message: 'it failed' },
      attempt: 0,
      final: false,
      reason: 'schedule',
      lateness_ms: 0,
    },
    {
      checked_at: toIso(NOW - 59_996),
      location: 'fra',
      status: 'up',
      response_time_ms: 80.5,
      timings: { dns_ms: 5.3, connect_ms: 10, tls_ms: null, ttfb_ms: 50, transfer_ms: 5 },
      http_status: 200,
      error: null,
      attempt: 0,
      final: true,
      reason: 'schedule',
      lateness_ms: 4,
    },
  ]);
});

t.test('paging returns each result once while new ones arrive; range and location filter it', async (t) => {
  const id = await newMonitor();
  for (let index = 0; index < 25; index++) await deliver(id, index % 2 === 0 ? 'fra' : 'nyc', NOW - index * 10_000);
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; ; page++) {
    const { body } = await get<ResultView[]>(`/v1/monitors/${id}/results?limit=7${cursor}`);
    seen.push(...body.data.map((result) => result.id));
    await deliver(id, 'fra', NOW + 1_000 + page);
    if (typeof body.next_cursor !== 'string') break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  t.equal(seen.length, 25);
  t.equal(new Set(seen).size, 25);
  t.strictSame([...seen].sort().reverse(), seen);

  const [from, to] = [toIso(NOW - 100_000), toIso(NOW - 50_000)];
  const ranged = await get<ResultView[]>(`/v1/monitors/${id}/results?from=${from}&to=${to}`);
  t.strictSame(
    ranged.body.data.map((result) => Date.parse(result.checked_at) - NOW),
    [-50_000, -60_000, -70_000, -80_000, -90_000, -100_000],
  );
  const located = await get<ResultView[]>(`/v1/monitors/${id}/results?from=${from}&to=${to}&location=nyc`);
  t.strictSame(
    located.body.data.map((result) => result.location),
    ['nyc', 'nyc', 'nyc'],
  );
});

t.test('invalid requests are 422, unknown monitors and those of other workspaces are 404', async (t) => {
  const id = await newMonitor();
  const other = await newMonitor();
  const foreign = await newMonitor({ workspace_id: 'ws_other' });
  for (let index = 0; index < 2; index++) await deliver(id, 'fra', NOW - index * 10_000);
  const { body } = await get(`/v1/monitors/${id}/results?limit=1`);
  const cursor = encodeURIComponent(String(body.next_cursor));
  const rows: [path: string, status: number, where: string, code?: string][] = [
    [`/v1/monitors/${other}/results?limit=1&cursor=${cursor}`, 422, '/query/cursor'],
    [`/v1/monitors/${id}/results?limit=1&location=fra&cursor=${cursor}`, 422, '/query/cursor'],
    [`/v1/monitors/${id}/results?from=${toIso(NOW)}&to=${toIso(NOW - 1)}`, 422, '/query/from', 'order'],
    [`/v1/monitors/${id}/results?from=yesterday`, 422, '/query/from', 'timestamp'],
    [`/v1/monitors/${id}/results?limit=201`, 422, '/query/limit'],
    [`/v1/monitors/${id}/results?location=xyz`, 422, '/query/location', 'unknown_location'],
    [`/v1/monitors/${id}/metrics?from=${toIso(NOW)}&to=${toIso(NOW - 1)}`, 422, '/query/from', 'order'],
    [`/v1/monitors/${id}/metrics?from=${toIso(NOW + HOUR_MS)}`, 422, '/query/from'],
    [`/v1/monitors/${id}/metrics?metrics=cpu_percent`, 422, '/query/metrics', 'unknown_metric'],
    [`/v1/monitors/${id}/metrics?metrics=uptime,`, 422, '/query/metrics'],
    [`/v1/monitors/${id}/metrics?metrics=uptime:xyz`, 422, '/query/metrics'],
    [`/v1/monitors/${id}/metrics?metrics=uptime:fra:x`, 422, '/query/metrics'],
    [`/v1/monitors/${id}/metrics?resolution=2m`, 422, '/query/resolution'],
    [`/v1/monitors/${id}/metrics?resolution=1m&from=${toIso(NOW - 60 * DAY_MS)}`, 422, '/query/resolution'],
    [`/v1/monitors/${foreign}/results`, 404, ''],
    [`/v1/monitors/${foreign}/metrics`, 404, ''],
    [`/v1/monitors/${buildMonitor()._id}/results`, 404, ''],
  ];
  for (const [path, status, where, code] of rows) {
    const answer = await get(path);
    t.equal(answer.status, status, path.slice(40));
    if (status === 422) t.equal(answer.body.errors?.[0]?.path, where, path.slice(40));
    if (code !== undefined) t.equal(answer.body.errors?.[0]?.code, code, path.slice(40));
  }
});

t.test('metrics: averages by minute, per location and over all, without empty minutes', async (t) => {
  const id = await newMonitor({ interval_seconds: 60 });
  const startMs = NOW - 30 * MINUTE_MS;
  const at = (minute: number, second = 0) => startMs + minute * MINUTE_MS + second * 1_000;
  await deliver(id, 'fra', at(0), { responseTimeMs: 10 });
  await deliver(id, 'nyc', at(0, 30), { responseTimeMs: 40 });
  await deliver(id, 'fra', at(1), { responseTimeMs: 20 });
  await deliver(id, 'nyc', at(1, 30), {}, 'dns_failure');
  await deliver(id, 'fra', at(2), {}, 'dns_failure');
  await deliver(id, 'nyc', at(2, 30), { responseTimeMs: 60 });
  await deliver(id, 'fra', at(20), { responseTimeMs: 5.5 });
  const expected = {
    response_time_ms: [
      { t: toIso(at(0)), v: 25 },
      { t: toIso(at(1)), v: 20 },
      { t: toIso(at(2)), v: 60 },
      { t: toIso(at(20)), v: 5.5 },
    ],
    // Both are down only from 2:00 to 2:30. The last result of fra counts until 3:00, that of nyc until 3:30.
    uptime: [
      { t: toIso(at(0)), v: 100 },
      { t: toIso(at(1)), v: 100 },
      { t: toIso(at(2)), v: 50 },
      { t: toIso(at(3)), v: 100 },
      { t: toIso(at(20)), v: 100 },
    ],
    'response_time_ms:fra': [
      { t: toIso(at(0)), v: 10 },
      { t: toIso(at(1)), v: 20 },
      { t: toIso(at(20)), v: 5.5 },
    ],
    'response_time_ms:nyc': [
      { t: toIso(at(0)), v: 40 },
      { t: toIso(at(2)), v: 60 },
    ],
    'uptime:fra': [
      { t: toIso(at(0)), v: 100 },
      { t: toIso(at(1)), v: 100 },
      { t: toIso(at(2)), v: 0 },
      { t: toIso(at(20)), v: 100 },
    ],
    'uptime:nyc': [
      { t: toIso(at(0)), v: 100 },
      { t: toIso(at(1)), v: 0 },
      { t: toIso(at(2)), v: 100 },
    ],
  };
  const path = `/v1/monitors/${id}/metrics?resolution=1m`;
  const unwritten = await get<MetricsView>(path);
  t.strictSame(unwritten.body.data, { monitor_id: id, resolution: '1m', series: expected }, 'before any roll-up');
  await history.newRollupJob().runOnce();
  const written = await get<MetricsView>(path);
  t.strictSame(written.body.data.series, expected, 'after the roll-up');
  await database.db.collection('results').deleteMany({ monitor_id: id, slot_ms: { $lt: at(10) } });
  const kept = await get<MetricsView>(path);
  t.strictSame(kept.body.data.series, expected, 'raw results are no longer needed');

  const some = await get<MetricsView>(
    `${path}&metrics=uptime:nyc,%20response_time_ms:fra&from=${toIso(at(1))}&to=${toIso(at(2))}`,
  );
  t.strictSame(some.body.data.series, {
    'response_time_ms:fra': expected['response_time_ms:fra'].slice(1, 2),
    'uptime:nyc': expected['uptime:nyc'].slice(1, 2),
  });
  const coarse = await get<MetricsView>(`/v1/monitors/${id}/metrics?resolution=5m&metrics=response_time_ms`);
  t.strictSame(coarse.body.data.series['response_time_ms'], [
    { t: toIso(at(0)), v: 32.5 },
    { t: toIso(at(20)), v: 5.5 },
  ]);
  const hour = await get<MetricsView>(`/v1/monitors/${id}/metrics?resolution=1h&metrics=response_time_ms:fra`);
  t.strictSame(hour.body.data.series['response_time_ms:fra'], [{ t: toIso(NOW - HOUR_MS), v: 11.8 }]);
});

t.test('metrics: raw points are the results, and a failure has a point of uptime only', async (t) => {
  const id = await newMonitor({ interval_seconds: 60 });
  await deliver(id, 'fra', NOW - 120_000, { responseTimeMs: 12.3456 });
  await deliver(id, 'nyc', NOW - 90_000, {}, 'dns_failure');
  await deliver(id, 'fra', NOW - 60_000, {}, 'dns_failure');
  const { body } = await get<MetricsView>(`/v1/monitors/${id}/metrics`);
  t.equal(body.data.resolution, 'raw', 'auto selects the finest resolution for an hour');
  t.strictSame(body.data.series, {
    response_time_ms: [{ t: toIso(NOW - 120_000), v: 12.3 }],
    uptime: [
      { t: toIso(NOW - 120_000), v: 100 },
      { t: toIso(NOW - 90_000), v: 100 },
      { t: toIso(NOW - 60_000), v: 0 },
    ],
    'response_time_ms:fra': [{ t: toIso(NOW - 120_000), v: 12.3 }],
    'response_time_ms:nyc': [],
    'uptime:fra': [
      { t: toIso(NOW - 120_000), v: 100 },
      { t: toIso(NOW - 60_000), v: 0 },
    ],
    'uptime:nyc': [{ t: toIso(NOW - 90_000), v: 0 }],
  });
});

t.test('metrics: raw reads a limited number of results, whatever the interval is now', async (t) => {
  // The monitor had a much shorter interval when these results were made.
  const id = await newMonitor({ interval_seconds: 86_400, locations: ['fra'] });
  const stepMs = 10_000;
  const resultAt = (slotMs: number): ResultDocument => ({
    _id: `${id}/${slotMs}/fra/0`,
    ...{ workspace_id: app.workspace.id, monitor_id: id, location: 'fra', slot_ms: slotMs, attempt: 0, final: true },
    ...{ reason: 'schedule', checked_at_ms: slotMs, received_at: new Date(slotMs), covers_ms: stepMs, up: true },
    ...{ response_time_ms: 5, http_status: 200, error: null, address: null, expires_at: new Date(NOW + DAY_MS) },
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
  });
  const slots = Array.from({ length: 60_001 }, (_, index) => NOW - (index + 1) * stepMs);
  await database.db.collection<ResultDocument>('results').insertMany(slots.map(resultAt));
  const from = (ageMs: number) =>
    get<MetricsView>(`/v1/monitors/${id}/metrics?resolution=raw&from=${toIso(NOW - ageMs)}`);
  t.match(await from(29 * DAY_MS), { status: 422, body: { errors: [{ path: '/query/resolution' }] } });
  const coarser = await get<MetricsView>(`/v1/monitors/${id}/metrics?from=${toIso(NOW - 29 * DAY_MS)}`);
  t.match(coarser, { status: 200, body: { data: { resolution: /^(1m|5m|1h)$/ } } }, 'auto is coarser');
  const some = await from(MINUTE_MS);
  t.equal(some.status, 200);
  t.equal(some.body.data.series['uptime']?.length, 6);
});

t.test('metrics: `from` defaults to an hour before `to`, and `to` to now', async (t) => {
  const id = await newMonitor({ interval_seconds: 60 });
  const toMs = NOW - 3 * HOUR_MS;
  for (const ageMs of [HOUR_MS + 60_000, 30 * 60_000, -60_000]) await deliver(id, 'fra', toMs - ageMs);
  await deliver(id, 'fra', NOW - 60_000);
  const times = async (query: string) => {
    const path = `/v1/monitors/${id}/metrics?metrics=uptime&resolution=raw${query}`;
    return (await get<MetricsView>(path)).body.data.series['uptime']?.map((point) => point.t);
  };
  t.same(await times(`&to=${toIso(toMs)}`), [toIso(toMs - 30 * 60_000)]);
  t.same(await times(''), [toIso(NOW - 60_000)]);
});

t.test('metrics: hours come from hour slots and continue without a gap into the current hour', async (t) => {
  const id = await newMonitor({ interval_seconds: 900, locations: ['fra'] });
  for (let quarter = 0; quarter < 20; quarter++) {
    await deliver(id, 'fra', NOW - 5 * HOUR_MS + quarter * 15 * MINUTE_MS, { responseTimeMs: quarter });
  }
  await history.newRollupJob().runOnce();
  const { body } = await get<MetricsView>(`/v1/monitors/${id}/metrics?from=${toIso(NOW - 400 * DAY_MS)}`);
  t.equal(body.data.resolution, '1h', 'no finer resolution is kept for this time');
  t.strictSame(
    body.data.series['response_time_ms'],
    [0, 1, 2, 3, 4].map((hour) => ({ t: toIso(NOW - (5 - hour) * HOUR_MS), v: 4 * hour + 1.5 })),
  );
  t.strictSame(
    body.data.series['uptime']?.map((point) => point.v),
    [100, 100, 100, 100, 100],
  );
});

t.test('history is available as long as the plan allows', async (t) => {
  const monitor = buildMonitor({ workspace_id: free.workspace.id, locations: ['fra'], interval_seconds: 3_600 });
  await history.insertMonitors(monitor);
  for (let hour = 0; hour < 40; hour++) await deliver(monitor._id, 'fra', NOW - hour * HOUR_MS - 1_000);
  await history.newRollupJob().runOnce();
  const results = await get<ResultView[]>(`/v1/monitors/${monitor._id}/results?limit=200`, free);
  t.equal(results.body.data.length, 24, 'raw results for a day');
  const days = (count: number, query = '') =>
    get<MetricsView>(`/v1/monitors/${monitor._id}/metrics?from=${toIso(NOW - count * DAY_MS)}${query}`, free);
  t.equal((await days(0.9)).body.data.resolution, 'raw');
  t.equal((await days(1.01)).body.data.resolution, '1m');
  t.equal((await days(6)).body.data.resolution, '1h', '5 m would have 1,728 points');
  t.equal((await days(5)).body.data.resolution, '5m');
  t.equal((await days(8)).body.data.resolution, '1h');
  t.equal(
    (await days(8, '&resolution=raw')).body.data.series['uptime']?.length,
    24,
    'a resolution by name returns what is kept',
  );
});

t.test('metrics: a workspace that has read more points than its budget waits', async (t) => {
  const id = await newMonitor();
  await deliver(id, 'fra', NOW - MINUTE_MS);
  // What the other tests read does not count any more.
  await clock.advance(MINUTE_MS);
  budget.charge(app.workspace.id, 5_000_000);
  const path = `/v1/monitors/${id}/metrics`;
  t.equal((await get(path)).status, 200, 'nothing is left, but no more than that was read');
  t.match(await get(path), { status: 429, body: { code: 'rate_limited', detail: /points of metrics/ } });
});
