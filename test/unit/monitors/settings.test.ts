import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { toPortable } from '../../../control-plane/monitor-transfer/portable.js';
import { slotPhaseMs } from '../../../control-plane/monitors/directory/phase.js';
import { changedSettings, newSettings } from '../../../control-plane/monitors/settings/build.js';
import { settingsChanges } from '../../../control-plane/monitors/settings/changes.js';
import { planRefusal } from '../../../control-plane/monitors/settings/plan-limits.js';
import type { UpdateMonitor } from '../../../control-plane/monitors/settings/schema.js';
import { settingsOf } from '../../../control-plane/monitors/settings/settings.js';
import { CODES, created, monitor, NOW, rules } from '../../helpers/monitors/settings.js';

const paths = (checked: { errors: { path: string }[] }) => checked.errors.map((error) => error.path);

t.test('defaults follow the API contract', async (t) => {
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

t.test('validation errors name the path of the field', async (t) => {
  t.same(paths(created({ timeout_ms: 500, http: { timeout_ms: 600 } })), ['/timeout_ms']);
  t.same(paths(created({ timeout_ms: 500, http: { timeout_ms: 500 } })), []);
  const tcp = { type: 'tcp', url: 'example.com:80' } as const;
  t.same(created({ ...tcp, http: { timeout_ms: 700 } }).errors, []);
  t.match(created({ ...tcp, http: { timeout_ms: 700 } }).settings, { timeout_ms: 700, http: null });
  t.same(paths(created({ ...tcp, http: { timeout_ms: 700, method: 'GET', keyword: null } })), [
    '/http/method',
    '/http/keyword',
  ]);
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

t.test('an update merges http field by field and replaces headers and all other fields', async (t) => {
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
  t.same(paths(change({ type: 'tcp' })), ['/url'], 'the target must match the new type');
  const tcp = change({ type: 'tcp', url: 'example.com:443' });
  t.same([tcp.errors, tcp.settings.http], [[], null]);
  const slower = changedSettings(tcp.settings, { http: { timeout_ms: 700 } }, rules);
  t.same([slower.errors, slower.settings.timeout_ms, slower.settings.http], [[], 700, null]);
  t.equal(
    changedSettings(tcp.settings, { type: 'http', url: 'https://a.example/' }, rules).settings.http?.method,
    'GET',
  );
  t.same(paths(change({ http: null })), ['/http']);
  t.same(paths(change({ locations: ['fra'], confirmations: 2 })), ['/confirmations']);
});

t.test('a plan refusal names the plan that allows the setting, and only changed settings are checked', async (t) => {
  const settings = created({ interval_seconds: 10, locations: ['fra', 'nyc', 'sin'] }).settings;
  t.match(planRefusal(settings, null, 'Free'), {
    message: /60 seconds.*Enterprise plan allows 10 seconds/,
    code: 'plan_limit',
    params: { limit: 'interval_seconds', plan: 'Free', allowed: 60, larger_plan: 'Enterprise', larger_allows: 10 },
  });
  t.match(planRefusal({ ...settings, interval_seconds: 59 }, null, 'Free'), {
    message: /Pro plan allows 30 seconds/,
    params: { larger_plan: 'Pro', larger_allows: 30 },
  });
  t.match(planRefusal({ ...settings, interval_seconds: 60 }, null, 'Free'), {
    message: /2 locations.*Pro plan allows 5/,
    params: { limit: 'locations', allowed: 2, larger_plan: 'Pro', larger_allows: 5 },
  });
  t.equal(planRefusal(settings, null, 'Enterprise'), null);
  t.equal(planRefusal(settings, settings, 'Free'), null, 'a monitor from a larger plan can still be edited');
});

t.test('audit changes name the changed fields and contain no secrets', async (t) => {
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
    url: { from: 'https://***@example.com/', to: 'https://***@example.com/' },
    'http.expected_status': { from: 200, to: 201 },
    'http.headers': { from: ['authorization'], to: ['authorization', 'x'] },
    'http.body': { from: '[hidden]', to: '[hidden]' },
  });
  t.notMatch(JSON.stringify(changes), /one|two|p=1|p=2|"A"|"B"/);
});

t.test(
  'property: the slots of a monitor are spread evenly over its locations, those of all monitors over the interval',
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

t.test('property: an exported entry creates the same settings again', async (t) => {
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
        // Through JSON, like a request: the dictionaries of fast-check have no prototype.
        const settings = created(JSON.parse(JSON.stringify(members))).settings;
        const portable = toPortable(monitor({ ...settings, paused_at_ms: isPaused ? NOW : null }));
        const { paused, ...entry } = JSON.parse(JSON.stringify(portable));
        assert.equal(paused, isPaused ? true : undefined);
        assert.deepEqual(settingsOf(newSettings(entry, rules).settings), settings);
      }),
    ),
  );
});
