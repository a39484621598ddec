import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Day {
  fromMs: number;
  uptime: number | null;
  observed: number;
}
type Fields = Record<string, unknown>;

const { daysOf, firstDayMs } = await browserModule<{
  daysOf(hours: { atMs: number; uptime: number }[], nowMs: number, count: number): Day[];
  firstDayMs(nowMs: number, count: number): number;
}>('parts/monitors/monitor/days.ts');
const { failingNow, neededVotes } = await browserModule<{
  failingNow(monitor: Fields): Fields | null;
  neededVotes(monitor: Fields): number;
}>('parts/monitors/monitor/why.ts');
const { compareAlerts } = await browserModule<{
  compareAlerts(backtest: { were: Fields[]; would_have_been: Fields[] }): { startedAt: string; fate: string }[];
}>('parts/monitors/monitor/backtest/backtest-match.ts');
const { pointDistanceMs, rangeOf } = await browserModule<{
  pointDistanceMs(resolutionMs: number, intervalMs: number): number;
  rangeOf(name: unknown, ageMs: number): string;
}>('parts/monitors/monitor/range.ts');
const { formOf, patchOf } = await browserModule<{
  formOf(monitor: Fields): Fields;
  patchOf(form: Fields, changed: string[]): Fields;
}>('parts/monitors/edit/form-values.ts');

t.test('a day has the uptime of its observed hours, and how many were observed', (t) => {
  // Noon in the zone of this machine.
  const nowMs = new Date(2026, 0, 31, 12).getTime();
  const today = firstDayMs(nowMs, 1);
  const hours = [
    ...Array.from({ length: 6 }, (_, index) => ({ atMs: today + index * HOUR_MS, uptime: 100 })),
    { atMs: today - DAY_MS, uptime: 50 },
    { atMs: today - DAY_MS + HOUR_MS, uptime: 100 },
    { atMs: today - 9 * DAY_MS, uptime: 0 },
  ];
  const days = daysOf(hours, nowMs, 3);
  t.same(
    days.map(({ uptime, observed }) => [uptime, Math.round(observed)]),
    [
      [null, 0],
      [75, 8],
      [100, 50],
    ],
    'of today, only the hours until now count',
  );
  t.equal(firstDayMs(nowMs, 3), days[0]?.fromMs);
  t.end();
});

const location = (code: string, error: string | null) => ({
  ...{ location: code, status: error === null ? 'up' : 'down' },
  error: error === null ? null : { code: error, message: `${error} it was` },
});

t.test('the sentence names the most frequent error', (t) => {
  const monitor = {
    ...{ confirmations: null, locations: ['a', 'b', 'c', 'd', 'e'], limited_by_plan: null },
    location_status: [
      ...[location('a', 'dns_failure'), location('b', 'connection_refused'), location('c', 'connection_refused')],
      ...[location('d', null), { ...location('e', null), status: 'no_probe' }],
    ],
  };
  t.same(failingNow(monitor), {
    ...{ code: 'connection_refused', message: 'connection_refused it was', where: ['b', 'c'], failing: 2, all: 5 },
    needed: 3,
  });
  t.equal(failingNow({ ...monitor, location_status: [location('a', null)] }), null);
  t.equal(neededVotes({ ...monitor, confirmations: 2 }), 2);
  const limited = { locations: ['a', 'b'], confirmations: null };
  t.equal(neededVotes({ ...monitor, confirmations: 5, limited_by_plan: limited }), 2, 'as the plan limits it');
  t.end();
});

t.test('a backtest keeps alerts at the same time, drops the others, and shows new ones', (t) => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString();
  const were = [
    { id: 'a', started_at: at(0), resolved_at: at(10), duration_seconds: 600 },
    { id: 'b', started_at: at(30), resolved_at: at(40), duration_seconds: 600 },
    { id: 'c', started_at: at(90), resolved_at: null, duration_seconds: null },
  ];
  const would_have_been = [
    { started_at: at(5), resolved_at: at(10), duration_seconds: 300 },
    { started_at: at(60), resolved_at: at(61), duration_seconds: 60 },
    { started_at: at(95), resolved_at: null, duration_seconds: null },
  ];
  t.same(
    compareAlerts({ were, would_have_been }).map(({ startedAt, fate }) => [startedAt, fate]),
    [
      [at(90), 'kept'],
      [at(60), 'added'],
      [at(30), 'dropped'],
      [at(0), 'kept'],
    ],
  );
  t.end();
});

t.test('how far apart points may be', (t) => {
  t.equal(pointDistanceMs(0, 60_000), 60_000, 'single checks');
  t.equal(pointDistanceMs(HOUR_MS, 60_000), HOUR_MS, 'buckets of many checks');
  const gapMs = pointDistanceMs(60_000, 60_000) * 1.75;
  t.ok(gapMs > 120_000 && gapMs < 180_000, 'one check a little late is no gap, a missing one is');
  t.end();
});

t.test('the chart of a young monitor has the range that fits it', (t) => {
  t.equal(rangeOf('7d', 0), '7d', 'what the URL names');
  t.equal(rangeOf('constructor', 48 * HOUR_MS), '24h');
  t.equal(rangeOf(undefined, HOUR_MS / 2), '1h');
  t.equal(rangeOf(undefined, 2 * HOUR_MS), '6h');
  t.equal(rangeOf(undefined, 7 * HOUR_MS), '24h');
  t.equal(rangeOf(undefined, -1), '1h', 'the clock of the browser may be late');
  t.end();
});

t.test('a form sends what was changed, and never a secret that it did not get', (t) => {
  const monitor = {
    ...{ name: 'Shop', type: 'http', url: 'https://ana:p%40ss@shop.example/a@b', interval_seconds: 60 },
    ...{ timeout_ms: 10_000, locations: ['nyc', 'fra'], confirmations: null, retries: 1, channels: null },
    ...{ tags: ['a, b', 'c'], runbook_url: null },
    http: {
      ...{ method: 'GET', expected_status: 200, keyword: null, keyword_absent: null, follow_redirects: true },
      ...{ ignore_tls_errors: false, headers: { authorization: 'secret' }, body: 'secret', timeout_ms: 10_000 },
    },
  };
  const form = formOf(monitor);
  t.notMatch(JSON.stringify(form), /secret|ana/);
  t.equal(form['url'], 'https://***@shop.example/a@b');
  t.same(patchOf(form, ['tags', 'runbook_url', 'http.headers', 'http.body', 'http.keyword']), {
    ...{ tags: ['a, b', 'c'], runbook_url: null },
    http: { headers: { authorization: '***' }, body: '***', keyword: null },
  });
  t.same(patchOf({ ...form, type: 'tcp', url: ' shop.example:443 ' }, ['type', 'url', 'http.method']), {
    ...{ type: 'tcp', url: 'shop.example:443' },
  });
  const added = patchOf(formOf({ ...monitor, type: 'tcp', http: null }), []);
  t.same(added, {}, 'nothing was changed');
  const changed = patchOf({ ...formOf({ ...monitor, http: null }), type: 'http' }, ['type']);
  t.same(Object.keys(changed['http'] as Fields).length, 8, 'a new http monitor has all its settings');
  t.end();
});
