import t from 'tap';
import { createBatchedReads, createSharedReads } from '../../../control-plane/monitors/shared-reads.js';
import { monitorView, type ViewNeeds } from '../../../control-plane/monitors/view.js';
import { MINUTE, monitor, NOW } from '../../helpers/monitors/settings.js';

const live = (checkedAgoMs: number, up = true) => ({
  slot_ms: NOW - checkedAgoMs,
  attempt: 0,
  final: true,
  checked_at_ms: NOW - checkedAgoMs,
  received_at_ms: NOW - checkedAgoMs,
  up,
  response_time_ms: 12.6,
  http_status: 200,
  error: up ? null : { code: 'connect_timeout' as const, message: 'no answer' },
});

/** Every location has a probe, and the stored uptime is current. */
const everywhere: ViewNeeds = { hasProbe: () => true, uptimeAtRead: ({ uptime }) => uptime };

const good = (response_time_ms: number) => ({ checked_at_ms: NOW - MINUTE, response_time_ms });

t.test('the view: nulls before the first result, then medians, statuses and the certificate', async (t) => {
  const fresh = monitorView(monitor(), everywhere, NOW);
  t.match(fresh, {
    status: 'up',
    last_checked_at: null,
    uptime_24h: null,
    response_time_ms: null,
    coverage_30d: 0,
    uptime_computed_at: null,
    ssl: null,
    http: { timeout_ms: 10_000 },
    status_changed_at: '2026-01-31T11:55:00.000Z',
  });
  t.same(
    fresh.location_status.map(({ status }) => status),
    ['unknown', 'unknown', 'unknown'],
  );
  const certificate = {
    grade: 'A' as const,
    not_after_ms: NOW + 30.5 * 86_400_000,
    fingerprint: 'f',
    issuer: 'i',
    subject: 's',
    checked_at_ms: NOW,
  };
  const running = monitor({
    live: { fra: live(MINUTE), nyc: live(2 * MINUTE + 1), sin: live(MINUTE, false), old: live(0) },
    good: { fra: good(10.4), nyc: good(20), sin: good(30), old: good(1_000) },
    last_checked_at_ms: NOW - 30 * MINUTE,
    certificate,
  });
  const view = monitorView(running, everywhere, NOW);
  t.equal(
    view.response_time_ms,
    20,
    'median of the locations; a failing location counts with its last successful response time',
  );
  t.same(
    view.location_status.map(({ status }) => status),
    ['up', 'unknown', 'down'],
    'stale after two intervals',
  );
  const without = monitorView(running, { ...everywhere, hasProbe: (code) => code === 'fra' }, NOW).location_status;
  t.same(
    without.map(({ status }) => status),
    ['up', 'no_probe', 'no_probe'],
    'whatever its latest result says',
  );
  t.ok(without[2]?.checked_at, 'with its latest result');
  t.equal(view.location_status[0]?.response_time_ms, 13, 'rounded like that of the monitor');
  t.same(view.location_status[2]?.error, { code: 'connect_timeout', message: 'no answer' });
  t.match(view.ssl, { grade: 'A', days_remaining: 30 });
  t.equal(
    monitorView({ ...running, url: 'http://example.com/' }, everywhere, NOW).ssl,
    null,
    'only https targets have ssl',
  );
  t.equal(
    monitorView({ ...running, certificate: { ...certificate, not_after_ms: NOW - 1 } }, everywhere, NOW).ssl
      ?.days_remaining,
    -1,
  );
  t.equal(monitorView({ ...running, locations: ['fra', 'nyc'] }, everywhere, NOW).response_time_ms, 15);
  const figures = { uptime: 99.9, coverage: 98 };
  const uptime = { computed_at_ms: NOW - 45_000, day: figures, week: figures, month: figures };
  t.match(monitorView({ ...running, uptime }, everywhere, NOW), {
    uptime_24h: 99.9,
    coverage_30d: 98,
    uptime_computed_at: '2026-01-31T11:59:15.000Z',
  });
  const paused = monitorView({ ...running, paused_at_ms: NOW - 1 }, everywhere, NOW);
  t.match(paused, {
    status: 'paused',
    paused_at: '2026-01-31T11:59:59.999Z',
    status_changed_at: '2026-01-31T11:59:59.999Z',
  });
  const reset = monitorView({ ...running, live: {} }, everywhere, NOW);
  t.equal(reset.last_checked_at, '2026-01-31T11:30:00.000Z', 'stays although the votes were reset');
});

t.test('shared reads: concurrent callers share one read, and no caller gets an older result', async (t) => {
  let reads = 0;
  const releases: (() => void)[] = [];
  const read = () => {
    const number = ++reads;
    return new Promise<number>((resolve) => releases.push(() => resolve(number)));
  };
  const turns = async () => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const share = createSharedReads<number>();
  const together = [share('a', read), share('a', read)];
  await turns();
  t.equal(reads, 1);
  const [second, third, other] = [share('a', read), share('a', read), share('b', read)];
  await turns();
  t.equal(reads, 2, 'another key does not wait, the same key does');
  releases[0]?.();
  t.same(await Promise.all(together), [1, 1]);
  await turns();
  t.equal(reads, 3);
  const fourth = share('a', read);
  releases[1]?.();
  releases[2]?.();
  t.same(await Promise.all([second, third, other]), [3, 3, 2]);
  await turns();
  releases[3]?.();
  t.equal(await fourth, 4, 'the read began after the call');
  const failing = share('c', () => Promise.reject(new Error('away')));
  const caught = failing.catch((error: Error) => error.message);
  await turns();
  t.equal(await caught, 'away');
  t.equal(await share('c', async () => 9), 9, 'a failed read does not affect later callers');
});

t.test('batched reads: ids that are requested together are read together, each once, by group', async (t) => {
  const asked: string[] = [];
  const find = createBatchedReads(async (group, ids) => {
    asked.push(`${group}:${ids.join('')}`);
    return ids.filter((id) => id !== 'x').map((_id) => ({ _id, group }));
  });
  const rows = await Promise.all([find('g', 'a'), find('g', 'b'), find('g', 'b'), find('h', 'a'), find('g', 'x')]);
  t.same(
    rows.map((row) => row && row.group + row._id),
    ['ga', 'gb', 'gb', 'ha', null],
  );
  t.same(asked, ['g:abx', 'h:a']);
});
