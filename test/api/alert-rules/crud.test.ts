import t from 'tap';
import type { AlertRule } from '../../../control-plane/alert-rules/schema.js';
import { setUpAlertRules } from '../../helpers/alert-rules/setup.js';
import { actorOf, buildKey, buildWorkspace } from '../../helpers/factories.js';

const world = await setUpAlertRules();
const { app } = world;
t.teardown(() => world.stop());

const cpu = { name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90 };
const PATH = '/v1/alert-rules';

t.test('create, read, list, delete: defaults, Location, ETag, audit entries', async (t) => {
  const answer = await app.request<AlertRule>('POST', PATH, { body: cpu });
  const rule = answer.body.data;
  t.equal(answer.status, 201);
  t.equal(answer.headers.get('location'), `${PATH}/${rule.id}`);
  t.equal(answer.headers.get('etag'), '"1"');
  t.match(rule, {
    ...cpu,
    id: /^rule_[0-9a-hjkmnp-tv-z]{26}$/,
    type: 'metric',
    for_seconds: 0,
    within_hours: null,
    severity: 'warning',
    server_ids: null,
    tags: null,
    blacklist_monitor_ids: null,
    channels: null,
    enabled: true,
  });
  t.same((await app.request('GET', `${PATH}/${rule.id}`)).body.data, rule);
  t.match((await world.audits('alert_rule.created')).at(-1), {
    resource: { type: 'alert_rule', id: rule.id, name: 'CPU is busy' },
    metadata: { type: 'metric', metric: 'cpu_percent', severity: 'warning' },
  });

  const second = await world.rule({ ...cpu, name: 'Second', operator: 'gte' });
  const page = await app.request<AlertRule[]>('GET', `${PATH}?limit=1`);
  t.same(page.body.data, [second], 'newest first');
  t.equal(second['operator'], '>=', 'responses have one spelling of operators');
  const rest = await app.request<AlertRule[]>('GET', `${PATH}?limit=1&cursor=${page.body.next_cursor}`);
  t.same(rest.body.data, [rule]);
  t.equal(rest.body.next_cursor, null);

  const stored = app.parts.mongo.db.collection<{ _id: string }>('alert_rules');
  t.match(await stored.findOne({ _id: second.id }), { operator: '>=' }, 'and so has the database');
  await stored.updateOne({ _id: second.id }, { $set: { operator: 'lt' } });
  t.equal(
    (await app.request<AlertRule>('GET', `${PATH}/${second.id}`)).body.data['operator'],
    '<',
    'of older versions too',
  );
  t.equal((await app.request('DELETE', `${PATH}/${rule.id}`, { headers: { 'if-match': '"2"' } })).status, 412);
  t.equal((await app.request('DELETE', `${PATH}/${rule.id}`)).status, 204);
  t.equal((await app.request('DELETE', `${PATH}/${second.id}`)).status, 204);
  t.equal((await app.request('GET', `${PATH}/${rule.id}`)).status, 404);
  t.match(await world.audits('alert_rule.deleted'), [{ resource: { id: rule.id } }, { resource: { id: second.id } }]);
});

t.test('requests name an event rule by type, metric or both; replies have both', async (t) => {
  for (const body of [
    { type: 'server_offline' },
    { metric: 'server_offline' },
    { type: 'server_offline', metric: 'server_offline' },
  ]) {
    t.match(await world.rule({ name: 'Offline', ...body }), {
      type: 'server_offline',
      metric: 'server_offline',
      severity: 'critical',
      for_seconds: 0,
      operator: null,
      threshold: null,
      within_hours: null,
    });
  }
  t.match(await world.rule({ name: 'Disk', metric: 'disk_full' }), {
    type: 'disk_full',
    metric: 'disk_full',
    severity: 'warning',
    within_hours: 24,
    for_seconds: null,
  });
});

t.test('a listing rule is named in the same three ways, and applies to all monitors or to some', async (t) => {
  const monitor = await world.insertMonitor();
  for (const body of [
    { type: 'blacklist_listed' },
    { metric: 'blacklist_listed' },
    { type: 'blacklist_listed', metric: 'blacklist_listed', server_ids: null, tags: null, for_seconds: null },
  ]) {
    t.match(await world.rule({ name: 'Listed', ...body }), {
      ...{ type: 'blacklist_listed', metric: 'blacklist_listed', severity: 'warning', blacklist_monitor_ids: null },
      ...{ operator: null, threshold: null, for_seconds: null, within_hours: null, server_ids: null, tags: null },
    });
  }
  const rule = await world.rule({ name: 'One', type: 'blacklist_listed', blacklist_monitor_ids: [monitor._id] });
  t.same(rule['blacklist_monitor_ids'], [monitor._id]);
  const patch = (body: object) => app.request<AlertRule>('PATCH', `${PATH}/${rule.id}`, { body });
  const changed = await patch({ blacklist_monitor_ids: null });
  t.match(changed.body.data, { blacklist_monitor_ids: null, for_seconds: null, within_hours: null });
  t.match((await world.audits('alert_rule.updated')).at(-1), {
    metadata: { changes: { blacklist_monitor_ids: { from: [monitor._id], to: null } } },
  });
  const other = await buildWorkspace(app.parts.mongo);
  const foreign = await world.insertMonitor({ workspace_id: other.id });
  for (const [body, at] of [
    [{ blacklist_monitor_ids: [foreign._id] }, '/blacklist_monitor_ids/0'],
    [{ tags: ['a'] }, '/tags'],
    [{ for_seconds: 60 }, '/for_seconds'],
    [{ metric: 'server_offline' }, '/metric'],
    [{ type: 'metric' }, '/type'],
  ] as const) {
    const answer = await patch(body);
    t.match([answer.status, answer.body.errors], [422, [{ path: at }]], JSON.stringify(body));
  }
});

t.test('a rule that was stored before blacklist monitors existed is shown and updated like any other', async (t) => {
  const rule = await world.rule({ ...cpu, name: 'Old' });
  const rules = app.parts.mongo.db.collection<{ _id: string }>('alert_rules');
  await rules.updateOne({ _id: rule.id }, { $unset: { blacklist_monitor_ids: 1 } });
  t.same((await app.request('GET', `${PATH}/${rule.id}`)).body.data, rule);
  await app.request('PATCH', `${PATH}/${rule.id}`, { body: { threshold: 80 } });
  t.same((await world.audits('alert_rule.updated')).at(-1)?.metadata, { changes: { threshold: { from: 90, to: 80 } } });
});

t.test('invalid settings are a 422 with the paths of the fields', async (t) => {
  const other = await buildWorkspace(app.parts.mongo);
  const foreign = await world.insertServer({ workspace_id: other.id });
  const own = await world.insertServer();
  const ownMonitor = await world.insertMonitor();
  const foreignMonitor = await world.insertMonitor({ workspace_id: other.id });
  const listed = { name: 'x', type: 'blacklist_listed' };
  const cases: [object, string[]][] = [
    [{}, ['/name']],
    [{ name: 'x' }, ['/metric', '/operator', '/threshold']],
    [{ ...cpu, surprise: 1 }, ['/surprise']],
    [{ ...cpu, metric: 'cpu' }, ['/metric']],
    [{ ...cpu, metric: 'mem_used_percent:/var' }, ['/metric']],
    [{ ...cpu, metric: 'disk_used_percent:' }, ['/metric']],
    [{ ...cpu, threshold: 100.5 }, ['/threshold']],
    [{ ...cpu, threshold: -1 }, ['/threshold']],
    [{ ...cpu, operator: '==' }, ['/operator']],
    [{ ...cpu, for_seconds: 86_401 }, ['/for_seconds']],
    [{ ...cpu, for_seconds: 1.5 }, ['/for_seconds']],
    [{ ...cpu, within_hours: 24 }, ['/within_hours']],
    [{ ...cpu, type: 'server_offline' }, ['/metric', '/operator', '/threshold']],
    [{ name: 'x', type: 'metric', metric: 'server_offline', operator: '>', threshold: 1 }, ['/metric']],
    [{ name: 'x', type: 'disk_full', for_seconds: 60 }, ['/for_seconds']],
    [{ name: 'x', type: 'disk_full', within_hours: 169 }, ['/within_hours']],
    [{ name: 'x', type: 'disk_full', metric: 'server_offline' }, ['/metric']],
    [{ name: 'x', type: 'server_offline', within_hours: 2 }, ['/within_hours']],
    [{ ...cpu, severity: 'fatal' }, ['/severity']],
    [{ ...cpu, server_ids: [own._id], tags: ['a'] }, ['/tags']],
    [{ ...cpu, server_ids: [] }, ['/server_ids']],
    [{ ...cpu, server_ids: [own._id, foreign._id] }, ['/server_ids/1']],
    [{ ...cpu, channels: ['chn_00000000000000000000000000'] }, ['/channels/0']],
    [{ ...cpu, blacklist_monitor_ids: [ownMonitor._id] }, ['/blacklist_monitor_ids']],
    [{ name: 'x', type: 'disk_full', blacklist_monitor_ids: [ownMonitor._id] }, ['/blacklist_monitor_ids']],
    [{ ...listed, server_ids: [own._id] }, ['/server_ids']],
    [{ ...listed, tags: ['a'] }, ['/tags']],
    [{ ...listed, server_ids: [own._id], tags: ['a'] }, ['/server_ids', '/tags']],
    [{ ...listed, operator: '>' }, ['/operator']],
    [{ ...listed, threshold: 1 }, ['/threshold']],
    [{ ...listed, for_seconds: 0 }, ['/for_seconds']],
    [{ ...listed, within_hours: 1 }, ['/within_hours']],
    [{ ...listed, metric: 'cpu_percent' }, ['/metric']],
    [{ ...cpu, metric: 'blacklist_listed', type: 'metric' }, ['/metric']],
    [{ ...listed, blacklist_monitor_ids: [] }, ['/blacklist_monitor_ids']],
    [{ ...listed, blacklist_monitor_ids: [own._id] }, ['/blacklist_monitor_ids/0']],
    [{ ...listed, blacklist_monitor_ids: [ownMonitor._id, ownMonitor._id] }, ['/blacklist_monitor_ids']],
    [{ ...listed, blacklist_monitor_ids: [ownMonitor._id, foreignMonitor._id] }, ['/blacklist_monitor_ids/1']],
    [{ ...listed, blacklist_monitor_ids: ['blm_00000000000000000000000000'] }, ['/blacklist_monitor_ids/0']],
  ];
  for (const [body, paths] of cases) {
    const answer = await app.request('POST', PATH, { body });
    t.equal(answer.status, 422, JSON.stringify(body));
    t.same(new Set(answer.body.errors?.map(({ path }) => path)), new Set(paths), JSON.stringify(body));
  }
  const named = await app.request('POST', PATH, { body: { ...cpu, server_ids: [foreign._id] } });
  t.match(named.body.errors, [{ message: new RegExp(foreign._id) }], 'it names the server');
  t.match(await world.rule({ ...cpu, metric: 'disk_used_percent:/var' }), { metric: 'disk_used_percent:/var' });
  t.match(await world.rule({ ...cpu, metric: 'load_5', threshold: 140 }), { threshold: 140 });
});

t.test('update: single fields, If-Match, the changes in the audit log', async (t) => {
  const rule = await world.rule({ ...cpu, tags: ['production'] });
  const path = `${PATH}/${rule.id}`;
  const patch = (body: object, headers: Record<string, string> = {}) =>
    app.request<AlertRule>('PATCH', path, { body, headers });
  const changed = await patch({ threshold: 95, tags: null }, { 'if-match': '"1"' });
  t.equal(changed.status, 200);
  t.equal(changed.headers.get('etag'), '"2"');
  t.match(changed.body.data, { name: 'CPU is busy', threshold: 95, tags: null });
  t.match((await world.audits('alert_rule.updated')).at(-1), {
    metadata: { changes: { threshold: { from: 90, to: 95 }, tags: { from: ['production'], to: null } } },
  });
  t.equal((await patch({ threshold: 80 }, { 'if-match': '"1"' })).status, 412);
  t.equal((await patch({ threshold: 95 })).headers.get('etag'), '"2"', 'an update without changes writes nothing');
  const entries = (await world.audits('alert_rule.updated')).filter(({ resource }) => resource.id === rule.id);
  t.equal(entries.length, 1);
  const wrong: [object, string][] = [
    [{ type: 'disk_full' }, '/type'],
    [{ metric: 'server_offline' }, '/metric'],
    [{ operator: null }, '/operator'],
    [{ within_hours: 3 }, '/within_hours'],
    [{ threshold: 101 }, '/threshold'],
  ];
  for (const [body, at] of wrong) {
    const answer = await patch(body);
    t.equal(answer.status, 422, JSON.stringify(body));
    t.same(
      answer.body.errors?.map((error) => error.path),
      [at],
      JSON.stringify(body),
    );
  }
  t.match((await patch({ metric: 'load_1', threshold: 140, for_seconds: null })).body.data, {
    metric: 'load_1',
    threshold: 140,
    for_seconds: 0,
  });
});

t.test('rules of other workspaces are not visible; reading needs a scope, changing needs full access', async (t) => {
  const rule = await world.rule(cpu);
  const other = await buildWorkspace(app.parts.mongo, { plan: 'Enterprise' });
  const { key } = await buildKey(app.parts.mongo, other);
  for (const [method, body] of [['GET'], ['PATCH', { name: 'mine' }], ['DELETE']] as const) {
    const request = body === undefined ? { key } : { key, body };
    t.equal((await app.request(method, `${PATH}/${rule.id}`, request)).status, 404, method);
  }
  t.same((await app.request<AlertRule[]>('GET', PATH, { key })).body.data, []);
  const { key: reader } = await buildKey(app.parts.mongo, app.workspace, { scopes: ['alerts:read', 'alerts:write'] });
  t.equal((await app.request('GET', `${PATH}/${rule.id}`, { key: reader })).status, 200);
  t.equal((await app.request('POST', PATH, { key: reader, body: cpu })).status, 403);
  const { key: withoutScope } = await buildKey(app.parts.mongo, app.workspace, { scopes: ['servers:read'] });
  t.equal((await app.request('GET', PATH, { key: withoutScope })).status, 403);
});

t.test('a workspace has at most 500 rules, also with concurrent requests', async (t) => {
  const workspace = await buildWorkspace(app.parts.mongo, { plan: 'Enterprise' });
  const { key } = await buildKey(app.parts.mongo, workspace);
  const rules = app.parts.mongo.db.collection<{ _id: string }>('alert_rules');
  const { id: _, ...shape } = await world.rule(cpu);
  const many = Array.from({ length: 498 }, () => ({
    ...{ ...shape, _id: app.parts.ids.next('rule'), workspace_id: workspace.id },
    ...{ created_at_ms: 0, updated_at_ms: 0, version: 1 },
  }));
  await rules.insertMany(many);
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.request('POST', PATH, { key, body: cpu })));
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
});

t.test('default rules are created once, by the system, and do not come back', async (t) => {
  const workspace = await buildWorkspace(app.parts.mongo, { plan: 'Enterprise' });
  const { key } = await buildKey(app.parts.mongo, workspace);
  const ensure = () => app.parts.runTransaction((tx) => world.first.ensureDefaultRules(tx, actorOf(workspace)));
  await Promise.all([ensure(), ensure()]);
  const listed = (await app.request<AlertRule[]>('GET', PATH, { key })).body.data;
  t.same(
    listed.map(({ name, type, severity, within_hours }) => ({ name, type, severity, within_hours })),
    [
      { name: 'Disk full within a day', type: 'disk_full', severity: 'warning', within_hours: 24 },
      { name: 'Server offline', type: 'server_offline', severity: 'critical', within_hours: null },
    ],
  );
  const entries = (await world.audits('alert_rule.created')).filter((entry) => entry.workspace_id === workspace.id);
  t.same(
    entries.map((entry) => entry.actor.email),
    ['system', 'system'],
  );
  for (const { id } of listed) t.equal((await app.request('DELETE', `${PATH}/${id}`, { key })).status, 204);
  await ensure();
  t.same((await app.request<AlertRule[]>('GET', PATH, { key })).body.data, []);
});

t.test('the default rule for listings is created once too, with or without rules on servers', async (t) => {
  const workspace = await buildWorkspace(app.parts.mongo, { plan: 'Enterprise' });
  const { key } = await buildKey(app.parts.mongo, workspace);
  const ensure = (what: 'ensureDefaultRules' | 'ensureDefaultListingRule') =>
    app.parts.runTransaction((tx) => world.first[what](tx, actorOf(workspace)));
  const listed = async () => (await app.request<AlertRule[]>('GET', PATH, { key })).body.data;
  await Promise.all([ensure('ensureDefaultListingRule'), ensure('ensureDefaultListingRule')]);
  const [rule, ...others] = await listed();
  t.match(rule, {
    ...{ name: 'Listed on a blacklist', type: 'blacklist_listed', severity: 'warning', enabled: true },
    ...{ channels: null, blacklist_monitor_ids: null },
  });
  t.same(others, []);
  await ensure('ensureDefaultRules');
  t.equal((await listed()).length, 3, 'the two sets are independent');
  t.equal((await app.request('DELETE', `${PATH}/${rule?.id}`, { key })).status, 204);
  await ensure('ensureDefaultListingRule');
  t.equal((await listed()).length, 2, 'a deleted rule does not come back');

  const old = await buildWorkspace(app.parts.mongo, { plan: 'Enterprise' });
  const notes = app.parts.mongo.db.collection<{ _id: string; at_ms: number }>('alert_rule_defaults');
  await notes.insertOne({ _id: old.id, at_ms: 0 });
  await app.parts.runTransaction((tx) => world.first.ensureDefaultRules(tx, actorOf(old)));
  await app.parts.runTransaction((tx) => world.first.ensureDefaultListingRule(tx, actorOf(old)));
  const rules = app.parts.mongo.db.collection('alert_rules').find({ workspace_id: old.id });
  t.match(await rules.toArray(), [{ type: 'blacklist_listed' }], 'a record without a key means the rules on servers');
});

t.test('the detail of a refused rule says how many more fields are invalid', async (t) => {
  const { body } = await app.request('POST', PATH, { body: { name: 'x' } });
  t.equal(body.detail, '/metric is missing (and 2 more).');
});
