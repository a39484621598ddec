import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { MonitorDocument } from '../../control-plane/monitors/documents.js';
import { slotPhaseMs } from '../../control-plane/monitors/phase.js';
import { toPortable } from '../../control-plane/monitors/portable.js';
import { changedSettings, newSettings, planRefusal, settingsOf } from '../../control-plane/monitors/settings.js';
import type { CreateMonitor, UpdateMonitor } from '../../control-plane/monitors/settings-schema.js';
import { createBatchedReads, createSharedReads } from '../../control-plane/monitors/shared-reads.js';
import { isHttps, parseTarget, redactUrl } from '../../control-plane/monitors/target.js';
import { settingsChanges } from '../../control-plane/monitors/update.js';
import { monitorView } from '../../control-plane/monitors/view.js';
import { createTargetGuard } from '../../kernel/target-guard.js';

const guard = createTargetGuard({ allowPrivate: false });
const open = createTargetGuard({ allowPrivate: true });
const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const rules = { plan: 'Enterprise' as const, locationCodes: CODES, guard };

const created = (input: Partial<CreateMonitor>) =>
  newSettings({ name: 'Shop', url: 'https://example.com/', type: 'http', ...input }, rules);
const paths = (checked: { errors: { path: string }[] }) => checked.errors.map((error) => error.path);

t.test('targets are understood as each type means them', async (t) => {
  const good: [Parameters<typeof parseTarget>[0], string, string, string, number | null][] = [
    ['http', 'https://example.com', 'https://example.com', 'example.com', 443],
    ['http', 'HTTP://Example.COM:8080/a?b#c', 'HTTP://Example.COM:8080/a?b#c', 'example.com', 8080],
    ['http', 'https://user:secret@example.com/', 'https://user:secret@example.com/', 'example.com', 443],
    ['http', 'https://bücher.example/', 'https://bücher.example/', 'xn--bcher-kva.example', 443],
    ['http', 'http://[2606:4700::1111]/', 'http://[2606:4700::1111]/', '2606:4700::1111', 80],
    ['tcp', 'example.com:25', 'example.com:25', 'example.com', 25],
    ['tcp', 'tcp://Example.com:65535', 'example.com:65535', 'example.com', 65_535],
    ['tcp', '[2606:4700::1111]:443', '[2606:4700::1111]:443', '2606:4700::1111', 443],
    ['tcp', 'bücher.example:1', 'xn--bcher-kva.example:1', 'xn--bcher-kva.example', 1],
    ['ping', '1.1.1.1', '1.1.1.1', '1.1.1.1', null],
    ['ping', '2606:4700::1111', '2606:4700::1111', '2606:4700::1111', null],
    ['ping', '[2606:4700::1111]', '2606:4700::1111', '2606:4700::1111', null],
    ['ping', 'Example.com.', 'example.com.', 'example.com.', null],
  ];
  for (const [type, url, canonical, host, port] of good) {
    t.same(parseTarget(type, url, guard), { ok: true, target: { host, port, canonical } }, `${type} ${url}`);
  }
  const bad: [Parameters<typeof parseTarget>[0], string][] = [
    ['http', 'example.com'],
    ['http', 'ftp://example.com'],
    ['http', 'https:example.com'],
    ['http', 'https://'],
    ['http', 'https:///path'],
    ['http', 'https://exa mple.com'],
    ['http', 'https://example.com\\@evil.example'],
    ['http', 'https://example.com:0/'],
    ['http', 'https://example.com:70000/'],
    ['http', 'https://a..b/'],
    ['http', `https://${'a'.repeat(64)}.example/`],
    ['http', 'https://example.com/\u0000'],
    ['http', 'https://exa\tmple.com/'],
    ['tcp', 'example.com'],
    ['tcp', 'example.com:0'],
    ['tcp', 'example.com:65536'],
    ['tcp', ':80'],
    ['tcp', '2606:4700::1111:80'],
    ['tcp', '[1.1.1.1]:80'],
    ['tcp', 'user@example.com:80'],
    ['tcp', 'example.com:80/'],
    ['tcp', 'https://example.com:80'],
    ['tcp', 'exam%70le.com:80'],
    ['tcp', '[example.com]:80'],
    ['ping', 'https://example.com'],
    ['ping', 'example.com:80'],
    ['ping', 'example.com/'],
    ['ping', 'a b'],
    ['ping', '[example.com]'],
    ['ping', ''],
    ['ping', 'fe80::1%eth0'],
    ['ping', 'a?b'],
    ['ping', 'a#b'],
  ];
  for (const [type, url] of bad) t.equal(parseTarget(type, url, open).ok, false, `${type} ${JSON.stringify(url)}`);
});

t.test('a private address is refused in every notation, unless allowed', async (t) => {
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '192.168.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '１２７.0.0.1',
  ];
  for (const host of hosts) {
    for (const [type, url] of [
      ['http', `http://${host}/`],
      ['tcp', `${host}:80`],
      ['ping', host],
    ] as const) {
      const refused = parseTarget(type, url, guard);
      t.match(refused, { ok: false, message: /private or reserved/ }, url);
    }
  }
  t.equal(parseTarget('http', 'http://127.0.0.1:8080/', open).ok, true);
  t.equal(parseTarget('ping', '224.0.0.1', open).ok, false, 'a multicast address never is a target');
});

t.test('property: what is accepted means the same when it is read again, and no text breaks the reader', async (t) => {
  const type = fc.constantFrom('http' as const, 'tcp' as const, 'ping' as const);
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.tuple(fc.domain(), fc.integer({ min: -5, max: 70_000 })).map(([host, port]) => `${host}:${port}`),
    fc.tuple(fc.ipV6(), fc.nat(65_535)).map(([host, port]) => `[${host}]:${port}`),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.domain(),
  );
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(type, texts, (kind, text) => {
        const parsed = parseTarget(kind, text, guard);
        if (!parsed.ok) return;
        const { host, port, canonical } = parsed.target;
        assert.equal(guard.hostRefusal(host), null);
        assert.deepEqual(parseTarget(kind, canonical, guard), parsed, 'canonical is a fixed point');
        if (kind !== 'ping') assert.ok(port !== null && port >= 1 && port <= 65_535);
        if (kind === 'http') assert.equal(new URL(text).hostname.replace(/^\[|\]$/g, ''), host);
      }),
      { numRuns: 2_000 },
    ),
  );
});

t.test('passwords in URLs are not told', async (t) => {
  t.equal(redactUrl('https://me:s3cret@example.com/a@b'), 'https://me:***@example.com/a@b');
  t.equal(redactUrl('https://me:s3c@ret@example.com/'), 'https://me:***@example.com/');
  t.equal(redactUrl('https://me@example.com/'), 'https://me@example.com/');
  t.equal(redactUrl('https://example.com/?a=b:c@d'), 'https://example.com/?a=b:c@d');
  t.equal(redactUrl('example.com:80'), 'example.com:80');
  t.equal(isHttps('http', 'HTTPS://x'), true);
  t.equal(isHttps('tcp', 'x:443'), false);
});

t.test('defaults are those of the contract', async (t) => {
  t.same(created({}), {
    errors: [],
    settings: {
      name: 'Shop',
      url: 'https://example.com/',
      type: 'http',
      interval_seconds: 60,
      timeout_ms: 10_000,
      locations: CODES,
      confirmations: null,
      retries: 1,
      channels: null,
      tags: [],
      runbook_url: null,
      http: {
        method: 'GET',
        expected_status: 200,
        keyword: null,
        keyword_absent: null,
        follow_redirects: true,
        ignore_tls_errors: false,
        headers: {},
        body: null,
      },
    },
  });
  const free = newSettings({ name: 'a', url: 'b.example:1', type: 'tcp' }, { ...rules, plan: 'Free' });
  t.same(free.settings.locations, ['fra', 'nyc'], 'as many locations as the plan allows');
  t.equal(free.settings.http, null);
  t.equal(created({ timeout_ms: 500 }).settings.timeout_ms, 500);
  t.equal(created({ http: { timeout_ms: 700 } }).settings.timeout_ms, 700);
  t.equal(created({ timeout_ms: 60_000, interval_seconds: 10 }).errors.length, 0, 'a timeout may exceed the interval');
});

t.test('what is wrong is named by its path', async (t) => {
  t.same(paths(created({ timeout_ms: 500, http: { timeout_ms: 600 } })), ['/timeout_ms']);
  t.same(paths(created({ timeout_ms: 500, http: { timeout_ms: 500 } })), []);
  t.same(paths(created({ type: 'tcp', url: 'example.com:80', http: {} })), ['/http']);
  t.same(paths(created({ type: 'ping', url: 'example.com', http: null })), []);
  t.same(paths(created({ http: null })), ['/http']);
  t.same(paths(created({ locations: ['fra', 'xyz', 'fra'] })), ['/locations/1', '/locations/2']);
  t.same(paths(created({ locations: ['fra', 'nyc'], confirmations: 3 })), ['/confirmations']);
  t.same(paths(created({ http: { method: 'HEAD', keyword: 'a', keyword_absent: 'b' } })), [
    '/http/keyword',
    '/http/keyword_absent',
  ]);
  t.same(paths(created({ http: { headers: { 'X-A': '1', 'x-a': '2' } } })), ['/http/headers/x-a']);
  t.same(paths(created({ http: { headers: { 'a b': '1', 'Content-Length': '2', $x: '3', 'a/b': '4' } } })), [
    '/http/headers/a b',
    '/http/headers/Content-Length',
    '/http/headers/$x',
    '/http/headers/a~1b',
  ]);
  t.same(paths(created({ http: { body: 'a\0', keyword: '\ud800' } })), ['/http/keyword', '/http/body']);
  t.same(paths(created({ runbook_url: 'javascript:alert(1)' })), ['/runbook_url']);
  t.same(paths(created({ url: 'http://10.0.0.1/', name: '  ' })), ['/name', '/url']);
});

t.test('a change merges: http by member, headers as a whole, the rest as given', async (t) => {
  const before = created({
    http: { keyword: 'ok', headers: { a: '1' } },
    tags: ['x'],
    runbook_url: 'https://r.example/',
  });
  const change = (patch: UpdateMonitor) => changedSettings(before.settings, patch, rules);
  t.same(change({}).settings, before.settings);
  t.same(change({ http: { expected_status: 204, headers: { b: '2' } } }).settings.http, {
    ...before.settings.http,
    expected_status: 204,
    headers: { b: '2' },
  });
  t.equal(change({ http: { keyword: null } }).settings.http?.keyword, null);
  t.equal(change({ runbook_url: null }).settings.runbook_url, null);
  t.equal(change({ http: { timeout_ms: 900 } }).settings.timeout_ms, 900);
  t.same(change({ tags: ['b', ' b ', 'c'] }).settings.tags, ['b', 'c']);
  t.same(paths(change({ type: 'tcp' })), ['/url'], 'the target must fit the new type');
  const tcp = change({ type: 'tcp', url: 'example.com:443' });
  t.same([tcp.errors, tcp.settings.http], [[], null]);
  t.equal(
    changedSettings(tcp.settings, { type: 'http', url: 'https://a.example/' }, rules).settings.http?.method,
    'GET',
  );
  t.same(paths(change({ http: null })), ['/http']);
  t.same(paths(change({ locations: ['fra'], confirmations: 2 })), ['/confirmations']);
});

t.test('the plan refuses with the plan that lifts it, and judges only what changes', async (t) => {
  const settings = created({ interval_seconds: 10, locations: ['fra', 'nyc', 'sin'] }).settings;
  t.match(planRefusal(settings, null, 'Free'), /every 60 seconds.*Enterprise plan takes 10 seconds/);
  t.match(planRefusal({ ...settings, interval_seconds: 30 }, null, 'Free'), /Pro plan takes 30 seconds/);
  t.match(planRefusal({ ...settings, interval_seconds: 60 }, null, 'Free'), /2 locations.*Pro plan allows 3/);
  t.equal(planRefusal(settings, null, 'Enterprise'), null);
  t.equal(planRefusal({ ...settings, name: 'b' }, settings, 'Free'), null, 'made on a larger plan, still editable');
});

t.test('audit changes name what changed and no secret', async (t) => {
  const a = created({
    url: 'https://u:one@example.com/',
    http: { headers: { authorization: 'A' }, body: 'p=1' },
  }).settings;
  const b = created({
    url: 'https://u:two@example.com/',
    name: 'New',
    http: { headers: { authorization: 'B', x: '1' }, body: 'p=2', expected_status: 201 },
  }).settings;
  const changes = settingsChanges(a, b);
  t.same(changes, {
    name: { from: 'Shop', to: 'New' },
    url: { from: 'https://u:***@example.com/', to: 'https://u:***@example.com/' },
    'http.expected_status': { from: 200, to: 201 },
    'http.headers': { from: ['authorization'], to: ['authorization', 'x'] },
    'http.body': { from: '[hidden]', to: '[hidden]' },
  });
  t.notMatch(JSON.stringify(changes), /one|two|p=1|p=2|"A"|"B"/);
});

t.test(
  'property: slots of a monitor are spread evenly over its locations, those of monitors over the interval',
  async (t) => {
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(
          fc.string(),
          fc.integer({ min: 10, max: 86_400 }),
          fc.integer({ min: 1, max: 5 }),
          (id, interval, count) => {
            const phases = Array.from({ length: count }, (_, index) => slotPhaseMs(id, interval, index, count));
            const sorted = [...phases].sort((x, y) => x - y);
            const intervalMs = interval * 1_000;
            const gaps = sorted.map((phase, index) => (sorted[index + 1] ?? (sorted[0] ?? 0) + intervalMs) - phase);
            assert.ok(phases.every((phase) => Number.isInteger(phase) && phase >= 0 && phase < intervalMs));
            assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 1, `gaps ${gaps}`);
          },
        ),
        { numRuns: 300 },
      ),
    );
    const buckets = new Array<number>(60).fill(0);
    for (let n = 0; n < 6_000; n++) {
      const id = `mon_01kf5e6q0h3v8r2m9x4t7c${n.toString(36).padStart(4, '0')}`;
      const second = Math.floor(slotPhaseMs(id, 60, 0, 5) / 1_000);
      buckets[second] = (buckets[second] ?? 0) + 1;
    }
    t.ok(Math.max(...buckets) < 160 && Math.min(...buckets) > 50, `100 in each second, about: ${buckets}`);
  },
);

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12);

function monitor(changes: Partial<MonitorDocument> = {}): MonitorDocument {
  return {
    _id: 'mon_1',
    workspace_id: 'ws_1',
    ...created({ locations: ['fra', 'nyc', 'sin'] }).settings,
    paused_at_ms: null,
    created_at_ms: NOW - 10 * MINUTE,
    updated_at_ms: NOW - 10 * MINUTE,
    version: 1,
    live_from_version: 1,
    last_checked_at_ms: null,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: NOW - 5 * MINUTE,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
    live: {},
    certificate: null,
    uptime: null,
    resolve_grace_until_ms: null,
    ...changes,
  };
}

const live = (checkedAgoMs: number, good: number | null, up = true) => ({
  slot_ms: NOW - checkedAgoMs,
  attempt: 0,
  final: true,
  checked_at_ms: NOW - checkedAgoMs,
  received_at_ms: NOW - checkedAgoMs,
  up,
  response_time_ms: 12.6,
  http_status: 200,
  error: up ? null : { code: 'connect_timeout' as const, message: 'no answer' },
  good_response_time_ms: good,
});

t.test('the view: nulls before the first result, then medians, statuses and the certificate', async (t) => {
  const fresh = monitorView(monitor(), NOW);
  t.match(fresh, {
    status: 'up',
    last_checked_at: null,
    uptime_24h: null,
    response_time_ms: null,
    coverage_30d: 0,
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
    live: { fra: live(MINUTE, 10.4), nyc: live(2 * MINUTE + 1, 20), sin: live(MINUTE, 30, false), old: live(0, 1_000) },
    last_checked_at_ms: NOW - 30 * MINUTE,
    certificate,
  });
  const view = monitorView(running, NOW);
  t.equal(view.response_time_ms, 20, 'median of the assigned locations, failing ones by their last good time');
  t.same(
    view.location_status.map(({ status }) => status),
    ['up', 'unknown', 'down'],
    'stale after two intervals',
  );
  t.same(view.location_status[2]?.error, { code: 'connect_timeout', message: 'no answer' });
  t.match(view.ssl, { grade: 'A', days_remaining: 30 });
  t.equal(monitorView({ ...running, url: 'http://example.com/' }, NOW).ssl, null, 'ssl is for https alone');
  t.equal(
    monitorView({ ...running, certificate: { ...certificate, not_after_ms: NOW - 1 } }, NOW).ssl?.days_remaining,
    -1,
  );
  t.equal(monitorView({ ...running, locations: ['fra', 'nyc'] }, NOW).response_time_ms, 15);
  const paused = monitorView({ ...running, paused_at_ms: NOW - 1 }, NOW);
  t.match(paused, {
    status: 'paused',
    paused_at: '2026-01-31T11:59:59.999Z',
    status_changed_at: '2026-01-31T11:59:59.999Z',
  });
  const forgotten = monitorView({ ...running, live: {} }, NOW);
  t.equal(forgotten.last_checked_at, '2026-01-31T11:30:00.000Z', 'kept although the votes were forgotten');
});

t.test('property: an exported entry creates the same settings again, member for member', async (t) => {
  const text = fc
    .string({ minLength: 1, maxLength: 20 })
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const http = fc.record(
    {
      method: fc.constantFrom('GET' as const, 'POST' as const, 'DELETE' as const),
      expected_status: fc.integer({ min: 100, max: 599 }),
      keyword: fc.option(text),
      keyword_absent: fc.option(text),
      follow_redirects: fc.boolean(),
      ignore_tls_errors: fc.boolean(),
      headers: fc.dictionary(fc.stringMatching(/^x-[a-z]{1,5}$/), text, { maxKeys: 3 }),
      body: fc.option(fc.string()),
      timeout_ms: fc.integer({ min: 100, max: 60_000 }),
    },
    { requiredKeys: [] },
  );
  const input = fc.record(
    {
      interval_seconds: fc.integer({ min: 10, max: 86_400 }),
      locations: fc.uniqueArray(fc.constantFrom(...CODES), { minLength: 2 }),
      http,
      confirmations: fc.option(fc.integer({ min: 1, max: 2 })),
      retries: fc.integer({ min: 0, max: 5 }),
      channels: fc.option(fc.constant([])),
      tags: fc.uniqueArray(text, { maxLength: 3 }),
      runbook_url: fc.option(fc.constant('https://runbook.example/')),
    },
    { requiredKeys: [] },
  );
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(input, fc.boolean(), (members, isPaused) => {
        // Through JSON, as a request comes: fast-check's dictionaries have no prototype.
        const settings = created(JSON.parse(JSON.stringify(members))).settings;
        const portable = toPortable(monitor({ ...settings, paused_at_ms: isPaused ? NOW : null }));
        const { paused, ...entry } = JSON.parse(JSON.stringify(portable));
        assert.equal(paused, isPaused ? true : undefined);
        assert.deepEqual(settingsOf(newSettings(entry, rules).settings), settings);
      }),
    ),
  );
});

t.test('shared reads: those who ask together share one, and nobody gets an older answer', async (t) => {
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
  t.equal(reads, 2, 'another key does not wait, the same one does');
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
  t.equal(await fourth, 4, 'began after it was asked for');
  const failing = share('c', () => Promise.reject(new Error('away')));
  const caught = failing.catch((error: Error) => error.message);
  await turns();
  t.equal(await caught, 'away');
  t.equal(await share('c', async () => 9), 9, 'a failed read is not passed on');
});

t.test('batched reads: ids asked for together come together, each once, by group', async (t) => {
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
