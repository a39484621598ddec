import t from 'tap';
import { type Answer, startApp } from '../../helpers/app.js';
import { quickClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { enrolNode, readJoinToken } from '../../helpers/node-link/fake-node.js';
import {
  fakeHandler,
  fakeMonitors,
  noAgents,
  nodeDependencies,
  openTestAuthority,
} from '../../helpers/node-link/node-side.js';
import { openNodes } from '../../helpers/node-link/open-nodes.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const authority = await openTestAuthority(mongo);
const monitors = fakeMonitors();
const delays: Record<string, { p50_ms: number; p99_ms: number }> = {};
const dependencies = nodeDependencies(mongo, authority, monitors, {
  clock: quickClock(10),
  grpcAddress: 'nodes.example:8443',
  canaryTargets: ['tcp://192.0.2.1:443'],
});
const nodes = await openNodes(dependencies);
const monitored = new Set<string>();
const server = nodes.createServer({ handler: fakeHandler(), agents: noAgents });
const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
const app = await startApp({
  mongo,
  routes: [
    ...nodes.routes,
    ...nodes.locationRoutes({
      detectionDelay: (code) => delays[code] ?? null,
      isQuarantined: () => false,
      isMonitored: async (_tx, code) => monitored.has(code),
    }),
  ],
});
const otherTenant = await buildWorkspace(mongo);
const { key: otherTenantKey } = await buildKey(mongo, otherTenant);

t.teardown(async () => {
  await app.close();
  await server.drain();
  await nodes.stop();
  await mongo.drop();
});

interface ProbeRow {
  id: string;
  state: string;
  connected: boolean;
  [member: string]: unknown;
}

async function enrol(location: string) {
  const made = await app.request<{ token: string }>('POST', '/v1/admin/probes/join-tokens', { body: { location } });
  return enrolNode(made.body.data.token, { address, hostname: `host-${location}`, version: '2.0.0' });
}
const probe = async (id: string) => (await app.request<ProbeRow>('GET', `/v1/admin/probes/${id}`)).body.data;
const audits = (action: string) =>
  mongo.db.collection('audit_log').find({ action, workspace_id: app.workspace.id }).sort({ _id: 1 }).toArray();

t.test('every path under /v1/admin is 404 for everyone except operators', async (t) => {
  const routes = [
    ['GET', '/v1/admin/probes'],
    ['GET', '/v1/admin/probes/prb_01kf5e6q0h3v8r2m9x4t7c1z5n'],
    ['PATCH', '/v1/admin/probes/prb_01kf5e6q0h3v8r2m9x4t7c1z5n', { drained: true }],
    ['DELETE', '/v1/admin/probes/prb_01kf5e6q0h3v8r2m9x4t7c1z5n'],
    ['POST', '/v1/admin/probes/join-tokens', { location: 'fra' }],
    ['GET', '/v1/admin/locations'],
    ['POST', '/v1/admin/locations', { code: 'ber', city: 'Berlin', region: 'EU-Central' }],
    ['PATCH', '/v1/admin/locations/fra', { city: 'X' }],
  ] as const;
  for (const [method, path, body] of routes) {
    const answer = await app.request(method, path, { key: otherTenantKey, ...(body === undefined ? {} : { body }) });
    t.equal(answer.status, 404, `${method} ${path}`);
    t.equal((await app.request(method, path, { key: null, ...(body === undefined ? {} : { body }) })).status, 401);
  }
  for (const path of new Set(routes.map(([, one]) => one))) {
    for (const method of ['PUT', 'OPTIONS', 'DELETE', 'PATCH', 'POST', 'GET']) {
      const answer = await app.request(method, path, { key: otherTenantKey });
      t.equal(answer.status, 404, `${method} ${path}`);
      t.equal(answer.headers.get('allow'), null);
    }
    t.equal((await app.request('PUT', path)).status, 405, 'operators learn the methods');
  }
  t.equal(
    (await app.request('GET', '/v1/locations', { key: otherTenantKey })).status,
    200,
    'every key can read locations',
  );
});

t.test('a join token is shown once with its install command, and one probe can use it', async (t) => {
  const startedMs = Date.now();
  const answer = await app.request<{ token: string; install_command: string; expires_at: string }>(
    'POST',
    '/v1/admin/probes/join-tokens',
    { body: { location: 'fra' } },
  );
  t.equal(answer.status, 201);
  const { token, install_command, expires_at } = answer.body.data;
  t.equal(install_command, `install ${token}`);
  const createdMs = Date.parse(expires_at) - 86_400_000;
  t.ok(startedMs <= createdMs && createdMs <= Date.now(), 'valid for 24 h');
  t.match(readJoinToken(token), { fingerprint: authority.fingerprint, address: 'nodes.example:8443' });
  const node = await enrolNode(token, { address });
  t.equal(node.location, 'fra');
  const entries = await audits('probe.join_token_created');
  t.match(entries.at(-1), { actor: { email: app.workspace.email }, resource: { type: 'location', id: 'fra' } });
  t.notMatch(JSON.stringify(entries), readJoinToken(token).secret);
  t.match((await audits('probe.enrolled')).at(-1), {
    actor: { email: 'system' },
    resource: { type: 'probe', id: node.id },
  });
  for (const body of [{}, { location: 'xyz' }, { location: 'FRA' }, { location: 'fra', more: 1 }]) {
    t.equal((await app.request('POST', '/v1/admin/probes/join-tokens', { body })).status, 422, JSON.stringify(body));
  }
});

t.test('the view of a probe shows its state', async (t) => {
  const node = await enrol('lon');
  t.match(await probe(node.id), {
    id: node.id,
    location: 'lon',
    hostname: 'host-lon',
    version: '2.0.0',
    state: 'disconnected',
    connected: false,
    last_seen_at: null,
    lag_ms: null,
  });
  const connectedMs = Date.now();
  const stream = await node.connect({ version: '2.0.1' });
  stream.status({
    spoolRecords: 12,
    spoolBytes: 3_400,
    spoolDroppedTotal: 5,
    lagMs: 777,
    latenessP50Ms: 3,
    latenessP99Ms: 40,
    slotsRun: 60,
    slotsDue: 60,
    assignments: 9,
    canaries: 1,
    canaryOk: true,
  });
  const row = await waitFor('the report', 30_000, async () => {
    const seen = await probe(node.id);
    return seen['lag_ms'] === 777 ? seen : null;
  });
  t.match(row, {
    state: 'connected',
    connected: true,
    version: '2.0.1',
    spool_records: 12,
    spool_bytes: 3_400,
    dropped_total: 5,
    assignments: 9,
    canary_ok: true,
    schedule_lateness: { p50_ms: 3, p99_ms: 40 },
  });
  const lastSeenMs = Date.parse(String(row['last_seen_at']));
  t.ok(connectedMs <= lastSeenMs && lastSeenMs <= Date.now());
  t.match(await stream.next((message) => message.welcome), { canaryTargets: ['tcp://192.0.2.1:443'] });

  const drained = await app.request<ProbeRow>('PATCH', `/v1/admin/probes/${node.id}`, { body: { drained: true } });
  t.match(drained, { status: 200, body: { data: { state: 'drained', connected: true } } });
  t.match(await stream.next((message) => (message.welcome?.drained ? message.welcome : null)), { drained: true });
  const checking = async () => {
    const list = await app.request<{ code: string; connected_probes: number }[]>('GET', '/v1/locations');
    return list.body.data.find(({ code }) => code === 'lon')?.connected_probes;
  };
  t.equal(await checking(), 0, 'a drained probe is connected and may not check');
  const etag = String(drained.headers.get('etag'));
  const stale = await app.request('PATCH', `/v1/admin/probes/${node.id}`, {
    body: { drained: false },
    headers: { 'if-match': '"999"' },
  });
  t.match(stale, { status: 412, body: { code: 'precondition_failed' } });
  const undrained = await app.request<ProbeRow>('PATCH', `/v1/admin/probes/${node.id}`, {
    body: { drained: false },
    headers: { 'if-match': etag },
  });
  t.match(undrained, { status: 200, body: { data: { state: 'connected' } } });
  await waitFor('the end of the drain', 30_000, async () => (await checking()) === 1);
  for (const action of ['probe.drained', 'probe.undrained']) {
    t.match(await audits(action), [{ resource: { id: node.id }, metadata: { location: 'lon' } }], action);
  }

  t.equal((await app.request('DELETE', `/v1/admin/probes/${node.id}`)).status, 204);
  t.match(await stream.refusal(), { code: 'revoked' });
  t.match(await probe(node.id), { state: 'revoked', connected: false });
  t.equal((await app.request('DELETE', `/v1/admin/probes/${node.id}`)).status, 204, 'idempotent');
  t.match(await app.request('PATCH', `/v1/admin/probes/${node.id}`, { body: { drained: true } }), { status: 409 });
  t.equal((await audits('probe.revoked')).length, 1);
  const unknown = '/v1/admin/probes/prb_01kf5e6q0h3v8r2m9x4t7c1z5n';
  t.equal((await app.request('GET', unknown)).status, 404);
  t.equal((await app.request('DELETE', unknown)).status, 404);
  t.equal((await app.request('PATCH', unknown, { body: { drained: true } })).status, 404);
});

t.test('a location is read by its code, and deleted once it has neither monitors nor probes', async (t) => {
  const path = '/v1/admin/locations/osl';
  const body = { code: 'osl', city: 'Oslo', region: 'EU-North' };
  const made = await app.request('POST', '/v1/admin/locations', { body });
  const read = await app.request('GET', path);
  t.match(read, { status: 200, body: { data: made.body.data } });
  t.equal(read.headers.get('etag'), made.headers.get('etag'));
  t.match(await app.request('GET', '/v1/admin/locations/xyz'), { status: 404 });
  t.match(await app.request('DELETE', '/v1/admin/locations/xyz'), { status: 404 });

  monitored.add('osl');
  t.match(await app.request('DELETE', path), {
    status: 409,
    body: { code: 'conflict', detail: /Monitors are checked/ },
  });
  monitored.clear();
  const node = await enrol('osl');
  t.match(await app.request('DELETE', path), { status: 409, body: { code: 'conflict', detail: /has probes/ } });
  t.equal((await app.request('DELETE', `/v1/admin/probes/${node.id}`)).status, 204);
  const unused = await app.request<{ token: string }>('POST', '/v1/admin/probes/join-tokens', {
    body: { location: 'osl' },
  });
  t.match(await app.request('DELETE', path, { headers: { 'if-match': '"7"' } }), { status: 412 });
  t.equal((await app.request('DELETE', path, { headers: { 'if-match': '"1"' } })).status, 204);
  t.match(await app.request('GET', path), { status: 404 });
  t.match(await audits('location.deleted'), [{ resource: { id: 'osl', name: 'Oslo' }, severity: 'warning' }]);
  await t.rejects(
    enrolNode(unused.body.data.token, { address, hostname: 'late', version: '1' }),
    'its unused join tokens end with it',
  );
});

t.test('a built-in location that was deleted does not come back at the next start', async (t) => {
  const codes = async () =>
    (await app.request<{ code: string }[]>('GET', '/v1/admin/locations')).body.data.map(({ code }) => code);
  t.ok((await codes()).includes('sfo'));
  t.equal((await app.request('DELETE', '/v1/admin/locations/sfo')).status, 204);
  const again = await openNodes(dependencies);
  t.teardown(() => again.stop());
  t.notOk((await codes()).includes('sfo'));
  const body = { code: 'sfo', city: 'San Francisco', region: 'US-West' };
  t.equal((await app.request('POST', '/v1/admin/locations', { body })).status, 201);
  const third = await openNodes(dependencies);
  t.teardown(() => third.stop());
  t.ok((await codes()).includes('sfo'), 'unless an operator added it again');
});

t.test('the list of probes is newest first and has cursors', async (t) => {
  for (let count = 0; count < 5; count++) await enrol('sfo');
  const all = await app.request<ProbeRow[]>('GET', '/v1/admin/probes?limit=200');
  const ids = all.body.data.map((row) => row.id);
  t.same(ids, [...ids].sort().reverse());
  t.equal(all.body.next_cursor, null);
  const walked: string[] = [];
  let cursor: string | null | undefined = '';
  while (cursor !== null && cursor !== undefined) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Answer<ProbeRow[]> = await app.request<ProbeRow[]>('GET', `/v1/admin/probes?limit=2${query}`);
    t.ok(page.body.data.length <= 2);
    walked.push(...page.body.data.map((row) => row.id));
    cursor = page.body.next_cursor;
  }
  t.same(walked, ids);
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=abc', 'unknown=1']) {
    t.equal((await app.request('GET', `/v1/admin/probes?${query}`)).status, 422, query);
  }
});

t.test('locations: built-in ones first, operators can add and change them, both prefixes work', async (t) => {
  const body = {
    code: 'ber2',
    city: 'Berlin',
    region: 'EU-Central',
    canary_targets: ['https://a.example/', 'tcp://b.example:25', 'c.example'],
  };
  const made = await app.request('POST', '/v1/admin/locations', { body });
  t.match(made, { status: 201, body: { data: { ...body, connected_probes: 0 } } });
  t.equal(made.headers.get('location'), '/v1/admin/locations/ber2');
  t.match(await app.request('POST', '/v1/admin/locations', { body }), { status: 409, body: { code: 'conflict' } });
  const list = await app.request<{ code: string }[]>('GET', '/v1/locations');
  t.same(
    list.body.data.map(({ code }) => code),
    ['fra', 'nyc', 'sin', 'lon', 'sfo', 'ber2'],
  );
  t.same(list.body.data[0], {
    code: 'fra',
    city: 'Frankfurt',
    region: 'EU-Central',
    connected_probes: 0,
    schedule_lateness: null,
    detection_delay: null,
  });
  const page = await app.request<{ code: string }[]>('GET', '/v1/locations?limit=4');
  const rest = await app.request<{ code: string }[]>(
    'GET',
    `/api/v1/locations?limit=4&cursor=${page.body.next_cursor}`,
  );
  t.same(
    [...page.body.data, ...rest.body.data].map(({ code }) => code),
    list.body.data.map(({ code }) => code),
  );
  await waitFor('the directory', 30_000, () => nodes.locations.codes().includes('ber2'));

  const changed = await app.request('PATCH', '/v1/admin/locations/ber2', {
    body: { city: 'Berlin-Mitte' },
    headers: { 'if-match': '"1"' },
  });
  t.match(changed, { status: 200, body: { data: { city: 'Berlin-Mitte', region: 'EU-Central' } } });
  t.equal(
    (await app.request('PATCH', '/v1/admin/locations/ber2', { body: { city: 'X' }, headers: { 'if-match': '"1"' } }))
      .status,
    412,
  );
  t.equal((await app.request('PATCH', '/v1/admin/locations/nope', { body: { city: 'X' } })).status, 404);
  t.match((await audits('location.updated')).at(-1), {
    metadata: { changes: { city: { from: 'Berlin', to: 'Berlin-Mitte' } } },
  });
  t.equal((await audits('location.created')).filter(({ resource }) => resource.id === body.code).length, 1);
  const wrong = [
    { ...body, code: 'x' },
    { ...body, code: 'Ber' },
    { ...body, code: 'abcdefghi' },
    { ...body, code: 'new', city: '' },
    { ...body, code: 'new', extra: 1 },
    { ...body, code: 'new', canary_targets: ['ftp://x.example/'] },
    { ...body, code: 'new', canary_targets: ['tcp://x.example'] },
    { ...body, code: 'new', canary_targets: ['http://'] },
    { ...body, code: 'new', canary_targets: ['two words'] },
  ];
  for (const each of wrong) {
    t.equal((await app.request('POST', '/v1/admin/locations', { body: each })).status, 422, JSON.stringify(each));
  }
  t.equal((await app.request('PATCH', '/v1/admin/locations/fra', { body: {} })).status, 422);
});

t.test('changed canary targets are sent to the connected probes of the location at once', async (t) => {
  const stream = await (await enrol('ber2')).connect();
  t.match(await stream.next((message) => message.welcome), {
    canaryTargets: ['https://a.example/', 'tcp://b.example:25', 'c.example'],
  });
  await app.request('PATCH', '/v1/admin/locations/ber2', { body: { canary_targets: ['https://new.example/'] } });
  await stream.next((message) => message.welcome?.canaryTargets[0] === 'https://new.example/');
  t.notOk(stream.isOver(), 'on the same stream');
  stream.end();
});

t.test('locations show their probes, the lateness of checks and the detection delay', async (t) => {
  const [first, second] = [await enrol('sin'), await enrol('sin')];
  const streams = await Promise.all([first.connect(), second.connect()]);
  streams[0]?.status({ latenessP50Ms: 4, latenessP99Ms: 80, slotsRun: 100, slotsDue: 100 });
  streams[1]?.status({ latenessP50Ms: 9, latenessP99Ms: 20, slotsRun: 300, slotsDue: 300 });
  delays['sin'] = { p50_ms: 1_500, p99_ms: 7_000 };
  const sin = await waitFor('lateness', 15_000, async () => {
    const list = await app.request<{ code: string; schedule_lateness: { p99_ms: number } | null }[]>(
      'GET',
      '/v1/locations',
    );
    const found = list.body.data.find(({ code }) => code === 'sin');
    return found?.schedule_lateness?.p99_ms === 80 ? found : null;
  });
  t.match(sin, {
    connected_probes: 2,
    schedule_lateness: { p50_ms: 9, p99_ms: 80 },
    detection_delay: { p50_ms: 1_500, p99_ms: 7_000 },
  });
  const admin = await app.request<{ code: string; connected_probes: number }[]>('GET', '/v1/admin/locations');
  t.equal(admin.body.data.find(({ code }) => code === 'sin')?.connected_probes, 2);
  for (const stream of streams) stream.end();
});
