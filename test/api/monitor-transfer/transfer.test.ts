import t from 'tap';
import { parse } from 'yaml';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { transferWorkspace } from '../../helpers/monitors/transfer-workspace.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

/** The settings of a monitor, without id, state and times. */
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

t.test('a file whose names thousands of monitors have is refused before they are compared', async (t) => {
  const workspace = await transferWorkspace(app);
  const { id } = (await workspace.post({ name: 'Same', url: '1.1.1.1', type: 'ping' })).body.data;
  const monitors = app.mongo.db.collection<MonitorDocument>('monitors');
  const one = await monitors.findOne({ _id: id });
  if (one === null) throw new Error('the monitor is not stored');
  const idOf = (index: number) => `mon_${String(index).padStart(26, '0')}`;
  const copies = Array.from({ length: 5_000 }, (_, index) => ({ ...one, _id: idOf(index), paused_at_ms: 1 }));
  await monitors.insertMany(copies);
  const file = { version: 1, monitors: [{ name: 'Same', url: '1.1.1.2', type: 'ping' }] };
  t.match(await workspace.import(file, '?dry_run=true'), { status: 422, body: { detail: /more than 5000 monitors/ } });
  await monitors.deleteMany({ _id: { $in: copies.map(({ _id }) => _id) } });
  t.match(await workspace.import(file, '?dry_run=true'), { status: 200, body: { data: { summary: { updated: 1 } } } });
});

t.test('a dry run lists five reasons of an entry', async (t) => {
  const workspace = await transferWorkspace(app);
  const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, 1]));
  const { body } = await workspace.import({ version: 1, monitors: [{ name: 'Many', ...unknown }] }, '?dry_run=true');
  t.match(body.data.monitors[0]?.reasons.slice(5), [/^and \d+ more errors$/]);
  t.equal(body.data.monitors[0]?.reasons.length, 6);
});

t.test('importing an export changes nothing; in an empty workspace it creates the same monitors', async (t) => {
  const from = await transferWorkspace(app);
  for (const body of FULL) t.equal((await from.post(body)).status, 201, body.name);
  const made = await from.list();
  await from.pause(made[2]?.id ?? '');
  const wanted = (await from.list()).map(settings);
  for (const format of ['yaml', 'json']) {
    const file = await from.export(`${format}&secrets=include`);
    t.equal(file.status, 200);
    t.match(file.headers.get('content-type'), new RegExp(`^application/${format}`));
    t.match(file.headers.get('content-disposition'), new RegExp(`attachment; filename="monitors.${format}"`));
    t.notMatch(file.text, /mon_|ws_|created_at/, 'no ids and no state');
    const send = (to: Awaited<ReturnType<typeof transferWorkspace>>, query = '') =>
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
    const to = await transferWorkspace(app);
    const dry = await send(to, '?dry_run=true');
    t.match(dry.body.data, { dry_run: true, summary: { created: 5 }, monitors: [{ action: 'created', id: null }] });
    t.same(await to.list(), [], 'a dry run writes nothing');
    const real = await send(to);
    t.match(real.body.data.summary, { created: 5, updated: 0, unchanged: 0, refused: 0 });
    t.same((await to.list()).map(settings), wanted, `every field is in the ${format} file`);
  }
  t.equal((await from.export('xml')).status, 422);
});

t.test('masks in a file keep the secrets of existing monitors and refuse new ones', async (t) => {
  const from = await transferWorkspace(app);
  for (const body of FULL) await from.post(body);
  const wanted = (await from.list()).map(settings);
  const file = (await from.export('yaml')).text;
  t.notMatch(file, /p%40ss|a: b # c|two spaces/);
  t.match((await from.importYaml(file)).body.data.summary, { updated: 0, unchanged: 5 });
  const edited = file.replace('interval_seconds: 30', 'interval_seconds: 60');
  const report = (await from.importYaml(edited)).body.data;
  t.match(report, { summary: { updated: 1, unchanged: 4 }, monitors: [{ changes: ['interval_seconds'] }] });
  wanted[0] = { ...wanted[0], interval_seconds: 60 } as (typeof wanted)[0];
  t.same((await from.list()).map(settings), wanted, 'the secrets stay');

  const to = await transferWorkspace(app);
  const refused = await to.importYaml(file);
  t.equal(refused.status, 422);
  t.match(refused.body.errors, [{ path: '/monitors/0/url', message: /value itself/ }]);
  t.match((await to.importYaml(file, '?dry_run=true')).body.data, {
    summary: { created: 3, refused: 2 },
    monitors: [{ action: 'refused', reasons: [/^\/url must be the value itself/] }, { action: 'refused' }],
  });
  t.same(await to.list(), []);
});

t.test('a parser of YAML 1.1 reads every text of an export as text', async (t) => {
  const from = await transferWorkspace(app);
  const tags = ['=', '<<', 'on', '12:30', '0x1f', '1_000', '2026-01-31', '~', '1e3'];
  t.equal((await from.post({ name: 'Shop', url: 'https://shop.example.com/', type: 'http', tags })).status, 201);
  const { text } = await from.export('yaml');
  for (const tag of tags) t.ok(text.includes(`- "${tag}"\n`), tag);
  t.same(parse(text).monitors[0].tags, tags);
});

t.test('an empty workspace exports an empty list in both formats', async (t) => {
  const empty = await transferWorkspace(app);
  t.same(parse((await empty.export('yaml')).text), { version: 1, monitors: [] });
  t.same(JSON.parse((await empty.export('json')).text), { version: 1, monitors: [] });
});

t.test('import updates by name, keeps other monitors and pauses, and writes audit entries', async (t) => {
  const to = await transferWorkspace(app);
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
  t.same(after[0]?.tags, [], 'an omitted field gets its default');
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
  await waitFor('directory', 20_000, () => app.directory.lookup(report.monitors[1]?.id ?? '')?.paused === true);
});

t.test('duplicate names: equal monitors match first, then equal targets; ambiguous entries are refused', async (t) => {
  const to = await transferWorkspace(app);
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
  t.same(
    await actions(b ?? {}, a ?? {}, c ?? {}),
    ['unchanged', 'unchanged', 'updated'],
    'the only monitor that is left',
  );
  const real = await to.import({ version: 1, monitors: [twin('https://c.example.com/')] });
  t.same([real.status, real.body.errors?.[0]?.path], [422, '/monitors/0/name']);
});

t.test('one invalid entry refuses the whole file, and nothing is written', async (t) => {
  const to = await transferWorkspace(app);
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

t.test('plan limits: shortest interval, and the quota for all or nothing', async (t) => {
  const free = await transferWorkspace(app, 'Free');
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
  const to = await transferWorkspace(app);
  const monitors = Array.from({ length: 1_000 }, (_, n) => ({ name: `M${n}`, url: `h${n}.example:1`, type: 'tcp' }));
  t.match((await to.import({ version: 1, monitors })).body.data.summary, { created: 1_000 });
  const file = JSON.parse((await to.export('json')).text);
  t.equal(file.monitors.length, 1_000, 'more than a page');
  t.same(
    file.monitors.map(({ name }: { name: string }) => name),
    monitors.map(({ name }) => name),
    'oldest first',
  );
  t.equal((await to.export('yaml')).text.match(/^- name: /gm)?.length, 1_000);
});

t.test('a workspace can be exported ten times at once', async (t) => {
  const { export: exported } = await transferWorkspace(app);
  const answers = await Promise.all(Array.from({ length: 15 }, () => exported('json')));
  const refused = answers.filter(({ status }) => status === 429);
  t.equal(answers.filter(({ status }) => status === 200).length, 15 - refused.length);
  t.ok(refused.length > 0 && refused.length <= 5);
  t.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
  t.equal((await (await transferWorkspace(app)).export('json')).status, 200, 'another one');
});
