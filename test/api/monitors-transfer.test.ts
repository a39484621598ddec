import t from 'tap';
import { parse } from 'yaml';
import type { Monitor } from '../../control-plane/monitors/schema.js';
import type { ImportReport } from '../../control-plane/monitors/transfer-schema.js';
import { readUptimeKuma } from '../../control-plane/monitors/uptime-kuma.js';
import { readYamlFile } from '../../control-plane/monitors/yaml-file.js';
import { systemClock } from '../../kernel/clock.js';
import { buildKey, buildWorkspace } from '../helpers/factories.js';
import { startMonitorsApp } from '../helpers/monitors-app.js';
import { waitFor } from '../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

/** A workspace of its own, seen through one of its keys. */
async function workspace(plan: 'Free' | 'Enterprise' = 'Enterprise') {
  const { key } = await buildKey(app.mongo, await buildWorkspace(app.mongo, { plan }));
  return {
    post: (body: object) => app.request<Monitor>('POST', '/v1/monitors', { key, body }),
    pause: (id: string) => app.request('POST', `/v1/monitors/${id}/pause`, { key }),
    list: async () => (await app.request<Monitor[]>('GET', '/v1/monitors?limit=200', { key })).body.data.reverse(),
    export: (format: string) => app.request('GET', `/v1/monitors/export?format=${format}`, { key }),
    import: (body: unknown, query = '') =>
      app.request<ImportReport>('POST', `/v1/monitors/import${query}`, { key, body }),
    importYaml: (rawBody: string, query = '', type = 'application/yaml') =>
      app.request<ImportReport>('POST', `/v1/monitors/import${query}`, {
        key,
        rawBody,
        headers: { 'content-type': type },
      }),
  };
}

/** What a monitor is without id, state and times. */
const settings = ({
  id: _id,
  created_at: _c,
  updated_at: _u,
  status_changed_at: _s,
  paused_at: _p,
  ...rest
}: Monitor) => rest;

const FULL = [
  {
    name: 'Shop',
    url: 'https://user:p%40ss@shop.example.com/a?b=c#d',
    type: 'http',
    interval_seconds: 30,
    tags: ['prod', 'eu: 1'],
  },
  {
    name: 'Every member',
    url: 'https://api.example.com/',
    type: 'http',
    interval_seconds: 3_600,
    locations: ['sin', 'fra'],
    confirmations: 2,
    retries: 3,
    channels: [],
    tags: ['- x', '#y', 'null', '1'],
    runbook_url: 'https://runbook.example.com/',
    http: {
      method: 'POST',
      expected_status: 201,
      keyword: ' "quoted": {yes}\n',
      keyword_absent: '---\nerror',
      timeout_ms: 1_234,
      follow_redirects: false,
      ignore_tls_errors: true,
      headers: { 'X-Token': 'a: b # c', accept: '*/*' },
      body: '  two spaces\n\ttab \n\n  \nlast line without end   ',
    },
  },
  { name: 'yes', url: 'tcp://db.example.com:5432', type: 'tcp', timeout_ms: 500 },
  { name: '123', url: '1.1.1.1', type: 'ping' },
  { name: 'Übung № 1 🙂', url: '[2606:4700::1111]:53', type: 'tcp' },
];

t.test('export then import changes nothing; into an empty workspace it makes the same monitors', async (t) => {
  const from = await workspace();
  for (const body of FULL) t.equal((await from.post(body)).status, 201, body.name);
  const made = await from.list();
  await from.pause(made[2]?.id ?? '');
  const wanted = (await from.list()).map(settings);
  for (const format of ['yaml', 'json']) {
    const file = await from.export(format);
    t.equal(file.status, 200);
    t.match(file.headers.get('content-type'), new RegExp(`^application/${format}`));
    t.match(file.headers.get('content-disposition'), new RegExp(`attachment; filename="monitors.${format}"`));
    t.notMatch(file.text, /mon_|ws_|created_at/, 'no ids and no state');
    const send = (to: Awaited<ReturnType<typeof workspace>>, query = '') =>
      format === 'json' ? to.import(JSON.parse(file.text), query) : to.importYaml(file.text, query);
    const again = await send(from);
    t.match(again.body.data, {
      dry_run: false,
      format: 'picket',
      summary: { created: 0, updated: 0, unchanged: 5, refused: 0 },
    });
    t.same(
      (await from.list()).map(({ id }) => id),
      made.map(({ id }) => id),
    );
    const to = await workspace();
    const dry = await send(to, '?dry_run=true');
    t.match(dry.body.data, { dry_run: true, summary: { created: 5 }, monitors: [{ action: 'created', id: null }] });
    t.same(await to.list(), [], 'a dry run writes nothing');
    const real = await send(to);
    t.match(real.body.data.summary, { created: 5, updated: 0, unchanged: 0, refused: 0 });
    t.same((await to.list()).map(settings), wanted, `every member survives ${format}`);
  }
  t.equal((await from.export('xml')).status, 422);
});

t.test('an empty workspace exports an empty list in both formats', async (t) => {
  const empty = await workspace();
  t.same(parse((await empty.export('yaml')).text), { version: 1, monitors: [] });
  t.same(JSON.parse((await empty.export('json')).text), { version: 1, monitors: [] });
});

t.test('import updates by name, leaves the unnamed alone, keeps a pause, and writes audit entries', async (t) => {
  const to = await workspace();
  const shop = (await to.post({ name: 'Shop', url: 'https://a.example.com/', type: 'http', tags: ['old'] })).body.data;
  await to.post({ name: 'Other', url: 'https://o.example.com/', type: 'http' });
  await to.pause(shop.id);
  const file = {
    version: 1,
    monitors: [
      { name: 'Shop', url: 'https://b.example.com/', type: 'http', http: { headers: { k: 'secret' } } },
      { name: 'New', url: 'b.example.com:1', type: 'tcp', paused: true },
    ],
  };
  const report = (await to.import(file)).body.data;
  t.match(report, {
    summary: { created: 1, updated: 1, unchanged: 0, refused: 0 },
    monitors: [
      { name: 'Shop', action: 'updated', id: shop.id, changes: ['url', 'tags', 'http.headers'] },
      { name: 'New', action: 'created', id: /^mon_/ },
    ],
  });
  const after = await to.list();
  t.same(
    after.map(({ name, status }) => [name, status]),
    [
      ['Shop', 'paused'],
      ['Other', 'up'],
      ['New', 'paused'],
    ],
  );
  t.same(after[0]?.tags, [], 'what the file leaves out has its default');
  const entries = await app.mongo.db
    .collection('audit_log')
    .find({ 'resource.id': shop.id })
    .sort({ _id: 1 })
    .toArray();
  t.same(
    entries.map((entry) => entry['action']),
    ['monitor.created', 'monitor.paused', 'monitor.updated'],
  );
  t.notMatch(JSON.stringify(entries), /secret/);
  await waitFor('directory', 2_000, () => app.directory.lookup(report.monitors[1]?.id ?? '')?.paused === true);
});

t.test('names that repeat: equal goes to equal, then by target; what cannot be told is refused', async (t) => {
  const to = await workspace();
  const twin = (url: string, interval = 60) => ({ name: 'Twin', url, type: 'http', interval_seconds: interval });
  await to.post(twin('https://a.example.com/'));
  await to.post(twin('https://b.example.com/'));
  await to.post(twin('https://b.example.com/'));
  const actions = async (...monitors: object[]) => {
    const answer = await to.import({ version: 1, monitors }, '?dry_run=true');
    return answer.body.data.monitors.map(({ action }) => action);
  };
  t.same(
    await actions(twin('https://b.example.com/'), twin('https://a.example.com/'), twin('https://b.example.com/')),
    ['unchanged', 'unchanged', 'unchanged'],
  );
  t.same(await actions(twin('https://a.example.com/', 90)), ['updated']);
  t.same(await actions(twin('https://c.example.com/')), ['refused']);
  const [b, a, c] = ['b', 'a', 'c'].map((host) => twin(`https://${host}.example.com/`));
  t.same(await actions(b ?? {}, a ?? {}, c ?? {}), ['unchanged', 'unchanged', 'updated'], 'the only one that is left');
  const real = await to.import({ version: 1, monitors: [twin('https://c.example.com/')] });
  t.same([real.status, real.body.errors?.[0]?.path], [422, '/monitors/0/name']);
});

t.test('one bad entry refuses the whole file and nothing is half written', async (t) => {
  const to = await workspace();
  const good = { name: 'Good', url: 'https://a.example.com/', type: 'http' };
  const bad: [object, string][] = [
    [{ ...good, url: 'http://10.0.0.1/' }, '/monitors/1/url'],
    [{ ...good, interval_seconds: 'often' }, '/monitors/1/interval_seconds'],
    [{ ...good, surprise: 1 }, '/monitors/1/surprise'],
    [{ ...good, id: 'mon_1' }, '/monitors/1/id'],
    [{ name: 'x' }, '/monitors/1/url'],
    [{ ...good, http: { method: 'BREW' } }, '/monitors/1/http/method'],
    [{ ...good, http: { keyword: 5 } }, '/monitors/1/http/keyword'],
    [{ ...good, channels: ['chn_00000000000000000000000000'] }, '/monitors/1/channels/0'],
    [{ ...good, locations: ['mars'] }, '/monitors/1/locations/0'],
    [[], '/monitors/1'],
  ];
  for (const [entry, path] of bad) {
    const file = { version: 1, monitors: [good, entry] };
    const answer = await to.import(file);
    t.same([answer.status, answer.body.errors?.[0]?.path], [422, path], JSON.stringify(entry).slice(0, 90));
    const dry = await to.import(file, '?dry_run=true');
    t.match(dry.body.data, {
      summary: { created: 1, refused: 1 },
      monitors: [{ action: 'created' }, { action: 'refused', reasons: [/./] }],
    });
  }
  t.same(await to.list(), []);
  for (const file of [
    {},
    { version: 1 },
    { version: 2, monitors: [] },
    { version: 1, monitors: {} },
    { version: 1, monitors: [], x: 1 },
  ]) {
    t.equal((await to.import(file)).status, 422, JSON.stringify(file));
  }
  t.equal((await to.import([])).status, 422);
  t.equal((await to.import({ version: 1, monitors: [] })).status, 200);
  const tooMany = Array.from({ length: 2_001 }, (_, n) => ({ name: `${n}`, url: 'a.example:1', type: 'tcp' }));
  t.match((await to.import({ version: 1, monitors: tooMany })).body, { status: 422, detail: /2000/ });
});

t.test('the plan is kept: shortest interval, and the quota for all or nothing', async (t) => {
  const free = await workspace('Free');
  const entry = (n: number, interval_seconds = 60) => ({
    name: `M${n}`,
    url: 'a.example:1',
    type: 'tcp',
    interval_seconds,
    locations: ['fra'],
  });
  t.match((await free.import({ version: 1, monitors: [entry(1), entry(2, 10)] })).body, {
    status: 402,
    code: 'plan_limit',
    detail: /Enterprise/,
  });
  const many = Array.from({ length: 21 }, (_, n) => entry(n));
  t.match((await free.import({ version: 1, monitors: many })).body, {
    status: 402,
    code: 'plan_limit',
    detail: /20 monitors/,
  });
  t.match((await free.import({ version: 1, monitors: many }, '?dry_run=true')).body, { status: 402 });
  t.same(await free.list(), []);
  t.equal((await free.import({ version: 1, monitors: many.slice(0, 20) })).status, 200);
});

t.test('a thousand monitors in one transaction', async (t) => {
  const to = await workspace();
  const monitors = Array.from({ length: 1_000 }, (_, n) => ({ name: `M${n}`, url: `h${n}.example:1`, type: 'tcp' }));
  const startedMs = performance.now();
  t.match((await to.import({ version: 1, monitors })).body.data.summary, { created: 1_000 });
  t.comment(`1,000 monitors imported in ${Math.round(performance.now() - startedMs)} ms`);
  const file = JSON.parse((await to.export('json')).text);
  t.equal(file.monitors.length, 1_000, 'more than a page');
  t.same(
    file.monitors.map(({ name }: { name: string }) => name),
    monitors.map(({ name }) => name),
    'oldest first',
  );
  t.equal((await to.export('yaml')).text.match(/^- name: /gm)?.length, 1_000);
});

t.test('YAML: media types, and what is refused', async (t) => {
  const to = await workspace();
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
    ['a member twice', 'version: 1\nversion: 1', /version stands twice/],
    ['two documents', '---\na: 1\n---\nb: 1', /multiple documents/],
    ['bad indentation', 'a: b: c', /Nested mappings/],
    ['an unknown alias', 'a: *b', /alias/i],
  ];
  for (const [what, text, detail] of refused) {
    t.match((await to.importYaml(text)).body, { status: 422, code: 'validation_failed', detail }, what);
  }
  t.equal((await to.importYaml('')).status, 400);
  t.same(await to.list(), []);
});

t.test('YAML that keeps the parser busy is given up, and the process goes on meanwhile', async (t) => {
  let longestGapMs = 0;
  let lastMs = performance.now();
  const beat = setInterval(() => {
    longestGapMs = Math.max(longestGapMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 10);
  t.teardown(() => clearInterval(beat));
  const impatient = { ...systemClock, after: (_delayMs: number, run: () => void) => systemClock.after(300, run) };
  await t.rejects(readYamlFile('['.repeat(1_000_000), impatient), { code: 'validation_failed' });
  t.ok(longestGapMs < 200, `longest gap ${Math.round(longestGapMs)} ms`);
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

t.test('Uptime Kuma: what can be taken is, the rest is refused one by one with the reason', async (t) => {
  const to = await workspace();
  const dry = (await to.import(KUMA, '?dry_run=true')).body.data;
  t.match(dry, { format: 'uptime-kuma', summary: { created: 6, updated: 0, unchanged: 0, refused: 9 } });
  const report = (await to.import(KUMA)).body.data;
  t.same(report.summary, dry.summary);
  const reasons = Object.fromEntries(report.monitors.map(({ name, reasons: [why = ''] }) => [name, why]));
  t.match(reasons, {
    Push: /type push/,
    Docker: /type docker/,
    Upside: /upside down/,
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

t.test('Uptime Kuma: whatever stands in the list, the reader answers', async (t) => {
  t.same(readUptimeKuma(null), []);
  t.same(readUptimeKuma('x').length, 1);
  t.equal(readUptimeKuma({ 1: KUMA.monitorList[0], 2: KUMA.monitorList[5] }).length, 2, 'an object by id');
  for (const row of [
    null,
    5,
    [],
    'x',
    { type: {} },
    { type: 'http', headers: '[]' },
    { type: 'http', tags: [null, 5] },
  ]) {
    t.equal(readUptimeKuma([row]).length, 1);
  }
});
