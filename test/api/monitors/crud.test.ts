import t from 'tap';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { createChannelStore } from '../../../control-plane/notifications/channel-settings/store.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

const { monitors, create, stored, audits } = monitorActions(app);

t.test('create: defaults, Location, ETag, audit entry, a first check', async (t) => {
  const answer = await app.request<Monitor>('POST', '/v1/monitors', { body: shop });
  const monitor = answer.body.data;
  t.equal(answer.status, 201);
  t.equal(answer.headers.get('location'), `/v1/monitors/${monitor.id}`);
  t.equal(answer.headers.get('etag'), '"1"');
  t.match(monitor, {
    ...shop,
    id: /^mon_[0-9a-hjkmnp-tv-z]{26}$/,
    status: 'up',
    interval_seconds: 60,
    timeout_ms: 10_000,
    locations: ['fra', 'nyc', 'sin', 'lon', 'sfo'],
    ssl: null,
    uptime_24h: null,
    coverage_24h: 0,
    response_time_ms: null,
    last_checked_at: null,
    paused_at: null,
    confirmations: null,
    retries: 1,
    channels: null,
    tags: [],
    runbook_url: null,
    http: { method: 'GET', expected_status: 200, keyword: null, follow_redirects: true, timeout_ms: 10_000 },
  });
  t.same((await app.request('GET', `/v1/monitors/${monitor.id}`)).body.data, monitor);
  t.same(await audits(monitor.id), [
    { action: 'monitor.created', metadata: { interval_minutes: 1, check_type: 'http' } },
  ]);
  const run = await waitFor('first check', 30_000, () => app.runs.find(({ monitorId }) => monitorId === monitor.id));
  t.match(run, { reason: 'manual', locations: monitor.locations });
  t.match(app.directory.assignment('fra', monitor.id), { url: shop.url, version: 1, retries: 1, retryDelayMs: 5_000 });
  const tcp = await create({ name: 'Mail', url: 'tcp://MX.example.com:25', type: 'tcp', timeout_ms: 500 });
  t.match(tcp, { url: 'tcp://MX.example.com:25', http: null, timeout_ms: 500 }, 'the text stays unchanged');
  const specified = await create({ name: 'Ping', url: 'mx.example.com', type: 'ping', http: { timeout_ms: 700 } });
  t.match(specified, { http: null, timeout_ms: 700 }, 'every type has its timeout where the specification has it');
  const changed = await app.request('PATCH', `/v1/monitors/${specified.id}`, { body: { http: { timeout_ms: 800 } } });
  t.match(changed.body.data, { http: null, timeout_ms: 800 });
  const fast = await create({ ...shop, interval_seconds: 10 });
  t.match(await audits(fast.id), [{ metadata: { interval_minutes: 0.1667 } }], 'rounded');
});

t.test('a 422 says how many more fields are invalid, and what would be valid', async (t) => {
  const refusal = async (body: object) => {
    const { status, body: problem } = await app.request('POST', '/v1/monitors', { body });
    return { status, detail: problem.detail };
  };
  t.same(await refusal({ ...shop, locations: ['fra'], confirmations: 2 }), {
    status: 422,
    detail: '/confirmations must be at most 1, the number of locations of the monitor.',
  });
  t.same(await refusal({ name: 'p', url: '127.0.0.1:80', type: 'ping', http: { expected_status: 200 } }), {
    status: 422,
    detail: '/http/expected_status does not belong to a ping monitor (and 1 more).',
  });
  t.same(await refusal({ ...shop, channels: ['x'] }), {
    status: 422,
    detail: '/channels/0 must be an id of the form chn_….',
  });
});

t.test('create: invalid fields are a 422 with paths', async (t) => {
  const cases: [object, string[]][] = [
    [{}, ['/name', '/url', '/type']],
    [{ ...shop, surprise: 1 }, ['/surprise']],
    [{ ...shop, interval_seconds: 9 }, ['/interval_seconds']],
    [{ ...shop, interval_seconds: 86_401 }, ['/interval_seconds']],
    [{ ...shop, http: { timeout_ms: 99 } }, ['/http/timeout_ms']],
    [{ ...shop, timeout_ms: 60_001 }, ['/timeout_ms']],
    [{ ...shop, timeout_ms: 500, http: { timeout_ms: 501 } }, ['/timeout_ms']],
    [{ ...shop, locations: [] }, ['/locations']],
    [{ ...shop, locations: ['fra', 'fra'] }, ['/locations']],
    [{ ...shop, locations: ['mars'] }, ['/locations/0']],
    [{ ...shop, http: { expected_status: '200' } }, ['/http/expected_status']],
    [{ ...shop, http: { method: 'TRACE' } }, ['/http/method']],
    [{ ...shop, http: { hedaers: {} } }, ['/http/hedaers']],
    [
      {
        ...shop,
        http: { headers: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'v'.repeat(4_000)])) },
      },
      ['/http/headers'],
    ],
    [{ ...shop, http: { headers: { ['x'.repeat(129)]: 'v' } } }, [`/http/headers/${'x'.repeat(129)}`]],
    [{ ...shop, http: { headers: { ['x'.repeat(900_000)]: 'v' } } }, [`/http/headers/${'x'.repeat(186)}`]],
    [{ ...shop, type: 'tcp', url: 'x.example:1', http: { method: 'GET' } }, ['/http/method']],
    [{ ...shop, url: 'http://169.254.169.254/latest' }, ['/url']],
    [{ ...shop, url: 'http://2130706433/' }, ['/url']],
    [{ ...shop, url: 'file:///etc/passwd' }, ['/url']],
    [{ ...shop, name: 'a\r\nBcc: x' }, ['/name']],
    [{ ...shop, name: 'x'.repeat(201) }, ['/name']],
    [{ ...shop, channels: ['chn_00000000000000000000000000'] }, ['/channels/0']],
    [{ ...shop, confirmations: 6 }, ['/confirmations']],
  ];
  for (const [body, paths] of cases) {
    const answer = await app.request('POST', '/v1/monitors', { body });
    t.equal(answer.status, 422, JSON.stringify(body).slice(0, 100));
    t.same(
      answer.body.errors?.map(({ path }) => path),
      paths,
    );
  }
  t.equal(await monitors.countDocuments({ name: /x{201}/ }), 0);
});

t.test('a channel of the workspace is accepted, a channel of another workspace is not', async (t) => {
  const channel = (workspace_id: string) => ({
    _id: app.parts.ids.next('chn'),
    workspace_id,
    type: 'email' as const,
    name: 'Mail',
    config: {},
    masks: {},
    sealed: '',
    delay_minutes: 0,
    repeat_minutes: null,
    disabled_at_ms: null,
    disabled_reason: null,
    paused_until_ms: 0,
    created_at_ms: 0,
    updated_at_ms: 0,
    version: 1,
  });
  const [own, foreign] = [channel(app.workspace.id), channel('ws_other')];
  const store = createChannelStore(app.mongo.db);
  await app.parts.runTransaction(async (tx) => {
    await store.insert(tx, own);
    await store.insert(tx, foreign);
  });
  t.same((await create({ ...shop, channels: [own._id] })).channels, [own._id]);
  const refused = await app.request('POST', '/v1/monitors', { body: { ...shop, channels: [own._id, foreign._id] } });
  t.same([refused.status, refused.body.errors?.[0]?.path], [422, '/channels/1']);
});

t.test('list: filters, search, tags, newest first, and paging that returns each row once', async (t) => {
  const other = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, other);
  const mine = (path: string) => app.request<Monitor[]>('GET', path, { key });
  const made: string[] = [];
  for (let n = 0; n < 7; n++) {
    const body =
      n % 2 === 0
        ? { name: `Web ${n}`, url: `https://w${n}.example.com/a+b`, type: 'http', tags: ['prod', `n${n}`] }
        : { name: `Port ${n}`, url: `p${n}.example.com:80`, type: 'tcp' };
    const answer = await app.request<Monitor>('POST', '/v1/monitors', { key, body });
    made.unshift(answer.body.data.id);
  }
  const ids = async (query: string) => (await mine(`/v1/monitors${query}`)).body.data.map(({ id }) => id);
  t.same(await ids(''), made, 'newest first');
  t.same(await ids('?type=tcp'), [made[1], made[3], made[5]]);
  t.same(await ids('?tag=prod'), [made[0], made[2], made[4], made[6]]);
  t.same(await ids('?tag=n2'), [made[4]]);
  t.same(await ids('?q=PORT%205'), [made[1]]);
  t.same(await ids('?q=w4.EXAMPLE'), [made[2]]);
  t.same((await ids('?q=a%2Bb')).length, 4, 'the search text is not a pattern');
  t.same(await ids('?q=.*'), []);
  await app.request('POST', `/v1/monitors/${made[0]}/pause`, { key });
  await monitors.updateOne({ _id: made[1] ?? '' }, { $set: { 'state.status': 'down' } });
  t.same(await ids('?status=paused'), [made[0]]);
  t.same(await ids('?status=down'), [made[1]]);
  t.same(await ids('?status=up'), made.slice(2));
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof mine>> = await mine(`/v1/monitors?limit=2${cursor && `&cursor=${cursor}`}`);
    walked.push(...page.body.data.map(({ id }) => id));
    cursor = page.body.next_cursor ?? null;
    if (walked.length === 2) {
      await app.request('POST', '/v1/monitors', { key, body: shop });
      await app.request('DELETE', `/v1/monitors/${made[3]}`, { key });
    }
  }
  t.same(
    walked,
    made.filter((id) => id !== made[3]),
    'rows that are added or removed do not disturb paging',
  );
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=nonsense', '?status=bad', '?foo=1']) {
    t.equal((await mine(`/v1/monitors${query}`)).status, 422, query);
  }
  t.equal((await app.request('GET', `/v1/monitors/${made[2]}`)).status, 404, 'another workspace gets 404');
});

t.test('another workspace can neither read nor change a monitor', async (t) => {
  const { id } = await create();
  const { key } = await buildKey(app.mongo, await buildWorkspace(app.mongo));
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/check'],
  ] as const) {
    const answer = await app.request(method, `/v1/monitors/${id}${path}`, {
      key,
      ...(method === 'PATCH' ? { body: {} } : {}),
    });
    t.same([answer.status, answer.body.code], [404, 'not_found'], `${method} ${path}`);
  }
  t.equal((await stored(id)).version, 1);
});

t.test('scopes: read does not allow writes and write does not allow reads', async (t) => {
  const { id } = await create();
  const read = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read'] });
  const write = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:write'] });
  const reads = [
    ['GET', '/v1/monitors'],
    ['GET', `/v1/monitors/${id}`],
    ['GET', '/v1/monitors/export'],
  ] as const;
  const writes = [
    ['POST', '/v1/monitors'],
    ['PATCH', `/v1/monitors/${id}`],
    ['DELETE', `/v1/monitors/${id}`],
    ['POST', `/v1/monitors/${id}/pause`],
    ['POST', `/v1/monitors/${id}/resume`],
    ['POST', `/v1/monitors/${id}/check`],
    ['POST', '/v1/monitors/import'],
  ] as const;
  for (const [method, path] of reads) {
    t.equal((await app.request(method, path, { key: read.key })).status, 200);
    t.match((await app.request(method, path, { key: write.key })).body, {
      code: 'insufficient_scope',
      required_scope: 'monitors:read',
    });
  }
  for (const [method, path] of writes) {
    const refused = await app.request(method, path, { key: read.key, body: {} });
    t.match(refused.body, { status: 403, code: 'insufficient_scope', required_scope: 'monitors:write' }, path);
  }
});

t.test('update: merge, version, audit without secrets, If-Match', async (t) => {
  const { id } = await create({ ...shop, http: { keyword: ' in stock ', headers: { authorization: 'Bearer abc' } } });
  const path = `/v1/monitors/${id}`;
  const patched = await app.request<Monitor>('PATCH', path, {
    body: {
      interval_seconds: 300,
      locations: ['nyc', 'fra'],
      http: { expected_status: 204, headers: { authorization: 'Bearer xyz' } },
    },
    headers: { 'if-match': '"1"' },
  });
  t.equal(patched.status, 200);
  t.equal(patched.headers.get('etag'), '"2"');
  t.match(patched.body.data, {
    interval_seconds: 300,
    locations: ['nyc', 'fra'],
    name: 'Shop',
    http: { keyword: ' in stock ', expected_status: 204, headers: { authorization: 'Bearer xyz' } },
  });
  const entries = await audits(id);
  t.same(entries[1], {
    action: 'monitor.updated',
    metadata: {
      changes: {
        interval_seconds: { from: 60, to: 300 },
        locations: { from: ['fra', 'nyc', 'sin', 'lon', 'sfo'], to: ['nyc', 'fra'] },
        'http.expected_status': { from: 200, to: 204 },
        'http.headers': { from: ['authorization'], to: ['authorization'] },
      },
    },
  });
  const stale = await app.request('PATCH', path, { body: { name: 'x' }, headers: { 'if-match': '"1"' } });
  t.same([stale.status, stale.body.code], [412, 'precondition_failed']);
  const nothing = await app.request<Monitor>('PATCH', path, { body: { name: 'Shop', interval_seconds: 300 } });
  t.same([nothing.status, nothing.headers.get('etag')], [200, '"2"'], 'an update that changes nothing writes nothing');
  t.equal((await audits(id)).length, 2);
  t.equal((await app.request('PATCH', path, { body: { id: 'mon_x' } })).status, 422);
  t.equal((await app.request('PATCH', path, { body: { url: 'http://127.0.0.1/' } })).status, 422);
  t.equal((await app.request('PATCH', '/v1/monitors/mon_00000000000000000000000000', { body: {} })).status, 404);
  t.equal((await app.request('DELETE', path, { headers: { 'if-match': '"1"' } })).status, 412);
  await waitFor('assignment', 60_000, () => app.directory.assignment('nyc', id)?.intervalSeconds === 300);
  t.equal(app.directory.assignment('sin', id), null, 'a removed location loses the monitor');
});

t.test('Free plan: quota with concurrent requests, shortest interval, locations', async (t) => {
  const free = await startMonitorsApp({ plan: 'Free' });
  t.teardown(() => free.stop());
  const post = (body: object) => free.request<Monitor>('POST', '/v1/monitors', { body });
  t.match((await post({ ...shop, interval_seconds: 30 })).body, {
    status: 402,
    code: 'plan_limit',
    detail: /60 seconds.*Pro/,
  });
  t.match((await post({ ...shop, locations: ['fra', 'nyc', 'sin'] })).body, {
    status: 402,
    detail: /2 locations.*Pro/,
  });
  t.same(
    (await post(shop)).body.data.locations,
    ['fra', 'nyc'],
    'the default number of locations is what the plan allows',
  );
  const rivals = await Promise.all(Array.from({ length: 30 }, () => post(shop)));
  const codes = rivals.map(({ status }) => status).sort();
  t.equal(codes.filter((code) => code === 201).length, 19, `20 in all: ${codes}`);
  t.equal(codes.filter((code) => code === 402).length, 11);
  t.match(rivals.find(({ status }) => status === 402)?.body, {
    code: 'plan_limit',
    detail: /Free plan allows 20 monitors.*Pro/,
  });
  const [first] = (await free.request<Monitor[]>('GET', '/v1/monitors?limit=1')).body.data;
  await free.request('DELETE', `/v1/monitors/${first?.id}`);
  t.equal((await post(shop)).status, 201, 'a deleted monitor frees the quota');
  t.equal((await free.request('PATCH', `/v1/monitors/${first?.id}`, { body: {} })).status, 404);
});

t.test('private targets are accepted if the operator allows them', async (t) => {
  const inner = await startMonitorsApp({ allowPrivate: true });
  t.teardown(() => inner.stop());
  t.equal(
    (await inner.request('POST', '/v1/monitors', { body: { ...shop, url: 'http://127.0.0.1:8080/' } })).status,
    201,
  );
});
