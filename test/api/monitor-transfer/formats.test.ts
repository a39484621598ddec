import t from 'tap';
import { readKumaRow, rowsOf } from '../../../control-plane/monitor-transfer/uptime-kuma/read.js';
import { createYamlReader } from '../../../control-plane/monitor-transfer/yaml-file.js';
import { systemClock } from '../../../kernel/clock.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { transferWorkspace } from '../../helpers/monitors/transfer-workspace.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

t.test('YAML: media types and refused files', async (t) => {
  const to = await transferWorkspace(app);
  const yaml = 'version: 1\nmonitors:\n  - {name: A, url: "a.example:1", type: tcp}\n';
  for (const type of ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml; charset=utf-8']) {
    t.equal((await to.importYaml(yaml, '?dry_run=true', type)).status, 200, type);
  }
  t.equal((await to.importYaml(yaml, '', 'text/plain')).status, 415);
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...Array.from(
      { length: 9 },
      (_, n) =>
        `b${n}: &b${n} [${Array(9)
          .fill(n === 0 ? '*a' : `*b${n - 1}`)
          .join(',')}]`,
    ),
  ];
  const refused: [string, string, RegExp][] = [
    ['aliases that grow', bomb.join('\n'), /aliases/],
    ['a tag of its own', 'version: !!js/function "function () {}"', /tag/],
    ['a duplicate key', 'version: 1\nversion: 1', /key version appears twice/],
    ['two documents', '---\na: 1\n---\nb: 1', /multiple documents/],
    ['bad indentation', 'a: b: c', /Nested mappings/],
    ['an unknown alias', 'a: *b', /alias/i],
    ['a part that is repeated too often', `a: &a [${'1,'.repeat(20_000)}]\nb: [${'*a,'.repeat(90)}]`, /aliases repeat/],
    ['too many levels', `${'- '.repeat(40)}x`, /32 levels deep/],
  ];
  for (const [what, text, detail] of refused) {
    t.match((await to.importYaml(text)).body, { status: 422, code: 'validation_failed', detail }, what);
  }
  t.equal((await to.importYaml('')).status, 400);
  t.same(await to.list(), []);
});

t.test('YAML that keeps the parser busy is aborted, and the process keeps working', async (t) => {
  let beats = 0;
  const beat = setInterval(() => void beats++, 10);
  t.teardown(() => clearInterval(beat));
  const impatient = { ...systemClock, after: (_delayMs: number, run: () => void) => systemClock.after(300, run) };
  const readYaml = createYamlReader({ clock: impatient });
  const sender = { workspaceId: 'ws_1', plan: 'Free', gone: new AbortController().signal } as const;
  const receive = async () => Buffer.from('['.repeat(1_000_000));
  await t.rejects(readYaml(receive, sender), { code: 'validation_failed' });
  // The parser is busy until it is aborted: in this process, it would leave no time for a single beat.
  t.ok(beats > 0, `${beats} beats`);
});

const KUMA = {
  version: '1.23.16',
  notificationList: [{ id: 1, name: 'Mail' }],
  monitorList: [
    {
      id: 1,
      name: 'Home',
      type: 'http',
      url: 'https://example.com/',
      method: 'GET',
      interval: 60,
      retryInterval: 60,
      maxretries: 2,
      timeout: 48,
      active: true,
      ignoreTls: false,
      upsideDown: false,
      maxredirects: 10,
      proxyId: null,
      accepted_statuscodes: ['200-299'],
      keyword: null,
      headers: null,
      body: null,
      authMethod: null,
      basic_auth_user: null,
      tags: [
        { tag_id: 1, monitor_id: 1, value: '', name: 'prod', color: '#f00' },
        { name: 'team', value: 'web' },
      ],
      notificationIDList: { 1: true },
    },
    {
      id: 2,
      name: 'API',
      type: 'keyword',
      url: 'https://api.example.com/',
      method: 'post',
      interval: 20,
      maxretries: 0,
      keyword: 'fine',
      accepted_statuscodes: ['201'],
      maxredirects: 0,
      ignoreTls: 1,
      active: 0,
      timeout: 100,
      headers: '{"X-A": "1"}',
      body: '{\n "q": 1\n}',
      httpBodyEncoding: 'json',
      basic_auth_user: 'me',
      basic_auth_pass: 'pw',
      authMethod: 'basic',
    },
    {
      id: 3,
      name: 'No errors',
      type: 'keyword',
      url: 'https://example.com/',
      keyword: 'error',
      invertKeyword: true,
      interval: 60,
    },
    { id: 4, name: 'DB', type: 'port', hostname: 'db.example.com', port: 5432, interval: 60, maxretries: 9 },
    { id: 5, name: 'DB 6', type: 'port', hostname: '2606:4700::1111', port: '5432', interval: 60 },
    { id: 6, name: 'Ping', type: 'ping', hostname: 'example.com', interval: 60, accepted_statuscodes: ['200-299'] },
    { id: 7, name: 'Push', type: 'push', interval: 60 },
    { id: 8, name: 'Docker', type: 'docker', interval: 60 },
    { id: 9, name: 'Upside', type: 'http', url: 'https://example.com/', upsideDown: true, interval: 60 },
    { id: 10, name: 'Proxied', type: 'http', url: 'https://example.com/', proxyId: 3, interval: 60 },
    { id: 11, name: 'NTLM', type: 'http', url: 'https://example.com/', authMethod: 'ntlm', interval: 60 },
    { id: 12, name: 'Internal', type: 'port', hostname: '192.168.1.5', port: 22, interval: 60 },
    { id: 13, name: 'Headers', type: 'http', url: 'https://example.com/', headers: 'not json', interval: 60 },
    { id: 14, type: 'ping', hostname: 'example.com' },
    { id: 15, name: 'Fast', type: 'ping', hostname: 'example.com', interval: 5 },
  ],
};

t.test('Uptime Kuma: supported monitors are imported, the others are refused one by one with the reason', async (t) => {
  const to = await transferWorkspace(app);
  const dry = (await to.import(KUMA, '?dry_run=true')).body.data;
  t.match(dry, { format: 'uptime-kuma', summary: { created: 6, updated: 0, unchanged: 0, refused: 9 } });
  const report = (await to.import(KUMA)).body.data;
  t.same(report.summary, dry.summary);
  const reasons = Object.fromEntries(report.monitors.map(({ name, reasons: [why = ''] }) => [name, why]));
  t.match(reasons, {
    Push: /type push/,
    Docker: /type docker/,
    Upside: /upside-down mode/,
    Proxied: /proxy/,
    NTLM: /ntlm/,
    Internal: /\/url must not be a private/,
    Headers: /not a JSON object/,
    Fast: /\/interval_seconds/,
  });
  t.match(report.monitors[13], { name: '', action: 'refused', reasons: [/\/name/] });
  t.match(report.monitors[0]?.notes, [/200-299 became 200/]);
  t.match(report.monitors[1]?.notes, [/100 s became 60 s/]);
  t.match(report.monitors[3]?.notes, [/9 retries became 5/]);
  t.match(
    [0, 1, 3].map((place) => report.monitors[place]?.warnings[0]),
    [
      { path: '/http/expected_status', code: 'one_status', params: { values: ['200-299'], to: 200 } },
      { path: '/timeout_ms', code: 'reduced', params: { from: 100_000, to: 60_000 } },
      { path: '/retries', code: 'reduced', params: { from: 9, to: 5 } },
    ],
  );
  const [home, api, absent, db, db6, ping] = await to.list();
  t.match(home, {
    name: 'Home',
    type: 'http',
    interval_seconds: 60,
    timeout_ms: 48_000,
    retries: 2,
    tags: ['prod', 'team:web'],
    status: 'up',
    http: { method: 'GET', expected_status: 200, follow_redirects: true },
  });
  t.match(api, {
    status: 'paused',
    interval_seconds: 20,
    timeout_ms: 60_000,
    retries: 0,
    http: {
      method: 'POST',
      expected_status: 201,
      keyword: 'fine',
      follow_redirects: false,
      ignore_tls_errors: true,
      body: '{\n "q": 1\n}',
      headers: {
        'X-A': '1',
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('me:pw').toString('base64')}`,
      },
    },
  });
  t.match(absent?.http, { keyword: null, keyword_absent: 'error' });
  t.match(db, { type: 'tcp', url: 'db.example.com:5432', retries: 5, http: null });
  t.match(db6, { url: '[2606:4700::1111]:5432' });
  t.match(ping, { type: 'ping', url: 'example.com', http: null });
  const again = (await to.import(KUMA)).body.data;
  t.same(again.summary, { created: 0, updated: 0, unchanged: 6, refused: 9 });
});

t.test('Uptime Kuma: the reader accepts any list', async (t) => {
  t.same(rowsOf(null), []);
  t.same(rowsOf('x').length, 1);
  t.equal(rowsOf({ 1: KUMA.monitorList[0], 2: KUMA.monitorList[5] }).length, 2, 'an object by id');
  for (const row of [
    null,
    5,
    [],
    'x',
    { type: {} },
    { type: 'http', headers: '[]' },
    { type: 'http', tags: [null, 5] },
  ]) {
    t.match(readKumaRow(row), { name: '' });
  }
});
