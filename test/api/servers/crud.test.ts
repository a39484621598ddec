import t from 'tap';
import type { Server } from '../../../control-plane/servers/schema.js';
import { buildKey, buildServer } from '../../helpers/factories.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { startServersApp } from '../../helpers/servers/app.js';

const app = await startServersApp();
t.teardown(() => app.stop());
const mine = { workspace_id: app.workspace.id };

t.test('the list is newest first, filtered by status, tag and part of a name, and paginated', async (t) => {
  const now = Date.now();
  const live = { at_ms: now, received_at_ms: now };
  await buildServer(app.mongo, { ...mine, name: 'web-1', tags: ['prod', 'web'], status: 'online', live });
  await buildServer(app.mongo, {
    ...mine,
    name: 'db (main)',
    hostname: 'db.example',
    tags: ['prod'],
    status: 'offline',
  });
  await buildServer(app.mongo, { ...mine, name: 'new', hostname: 'n.example', ip: '192.0.2.9' });
  await buildServer(app.mongo, { workspace_id: 'ws_other', name: 'web-1 of another' });
  const names = async (query: string) => {
    const answer = await app.request<{ name: string }[]>('GET', `/v1/servers${query}`);
    t.equal(answer.status, 200, query);
    return answer.body.data.map(({ name }) => name);
  };
  t.strictSame(await names(''), ['new', 'db (main)', 'web-1']);
  t.strictSame(await names('?status=online'), ['web-1']);
  t.strictSame(await names('?status=offline'), ['db (main)']);
  t.strictSame(await names('?status=pending'), ['new']);
  t.strictSame(await names('?tag=prod'), ['db (main)', 'web-1']);
  t.strictSame(await names('?q=WEB'), ['web-1']);
  t.strictSame(await names('?q=(main)'), ['db (main)'], 'as text, not as a pattern');
  t.strictSame(await names('?q=192.0.2'), ['new']);
  const first = await app.request<{ name: string }[]>('GET', '/v1/servers?limit=2');
  const rest = await app.request<{ name: string }[]>('GET', `/v1/servers?limit=2&cursor=${first.body.next_cursor}`);
  t.match([first.body.data.length, rest.body.data.map(({ name }) => name)], [2, ['web-1']]);
  t.equal(rest.body.next_cursor, null);
  t.equal((await app.request('GET', '/v1/servers?status=up')).status, 422);
  t.equal((await app.request('GET', '/v1/servers?colour=red')).status, 422);
});

t.test('a server has the forecast of its fullest disk while it is online, and the list finds it', async (t) => {
  const nowMs = Date.now();
  const forecast = (hours: number) => ({
    ...{ mount: '/var', percent: 91.26, points_per_hour: 0.987, at_ms: nowMs },
    full_at_ms: nowMs + hours * 3_600_000,
  });
  const filling = { ...mine, tags: ['filling'], status: 'online' as const };
  const soon = await buildServer(app.mongo, { ...filling, name: 'soon', disk_forecast: forecast(9.04) });
  await buildServer(app.mongo, { ...filling, name: 'later', disk_forecast: forecast(30) });
  await buildServer(app.mongo, { ...filling, name: 'gone', status: 'offline', disk_forecast: forecast(9) });
  await buildServer(app.mongo, { ...filling, name: 'steady', disk_forecast: null });
  const read = async (query: string) =>
    (await app.request<Server[]>('GET', `/v1/servers?tag=filling${query}`)).body.data;
  t.strictSame(
    (await read('')).map(({ name, disk_forecast: found }) => [name, found?.hours_until_full]),
    [
      ['steady', undefined],
      ['gone', undefined],
      ['later', 30],
      ['soon', 9],
    ],
  );
  t.strictSame((await app.request<Server>('GET', `/v1/servers/${soon._id}`)).body.data.disk_forecast, {
    ...{ mount: '/var', used_percent: 91.3, points_per_hour: 0.99, hours_until_full: 9 },
    full_at: new Date(nowMs + 9.04 * 3_600_000).toISOString(),
    computed_at: new Date(nowMs).toISOString(),
  });
  const names = async (query: string) => (await read(query)).map(({ name }) => name);
  t.strictSame(await names('&disk_full_within_hours=24'), ['soon']);
  t.strictSame(await names('&disk_full_within_hours=48'), ['later', 'soon']);
  t.strictSame(await names('&disk_full_within_hours=48&status=offline'), []);
  t.strictSame(await names('&disk_full_within_hours=8'), []);
  for (const hours of ['0', '8761', 'soon']) {
    t.equal((await app.request('GET', `/v1/servers?disk_full_within_hours=${hours}`)).status, 422, hours);
  }
});

t.test('the list does not read the devices of inventories, and details do', async (t) => {
  const disk = { mount: '/', device: '/dev/sda1', type: 'ext4', size_bytes: 1, used_bytes: 1, available_bytes: 0 };
  const inventory = {
    ...{ architecture: 'x64', cpu_model: 'a', cpu_cores: 4, memory_bytes: 1, swap_bytes: 0, virtualization: '' },
    ...{ booted_at_ms: null, devices_left_out: 0, at_ms: 0, interfaces: [] },
    disks: Array.from({ length: 200 }, () => ({ ...disk, block_device: 'x'.repeat(250) })),
  };
  const server = await buildServer(app.mongo, { ...mine, tags: ['big'], inventory });
  const [listed] = await app.data.store.list(app.workspace.id, { tag: 'big' }, null, 10);
  t.equal(listed?.inventory?.cpu_cores, 4);
  t.notOk('disks' in (listed?.inventory ?? {}));
  t.notOk('interfaces' in (listed?.inventory ?? {}));
  const rows = await app.request<object[]>('GET', '/v1/servers?tag=big');
  const one = await app.request('GET', `/v1/servers/${server._id}`);
  t.same(rows.body.data, [one.body.data]);
  const disks = await app.request<object[]>('GET', `/v1/servers/${server._id}/disks?limit=200`);
  t.equal(disks.body.data.length, 200);
});

t.test('status_as_of is the time up to which the status is known', async (t) => {
  const heardMs = Date.now() - 3_600_000;
  const live = { at_ms: heardMs - 500, received_at_ms: heardMs };
  const shown = async (server: Parameters<typeof buildServer>[1]) => {
    const { _id } = await buildServer(app.mongo, { ...mine, status_changed_at_ms: heardMs - 60_000, ...server });
    const { body } = await app.request<{ status: string; status_as_of: string }>('GET', `/v1/servers/${_id}`);
    return { status: body.data.status, agoMs: Date.parse(body.data.status_as_of) - heardMs };
  };
  const silent = await shown({ status: 'online', live, heard_at: new Date(heardMs + 7) });
  t.same(silent, { status: 'online', agoMs: 7 }, 'offline only once that is certain');
  t.same(await shown({ status: 'online', live }), { status: 'online', agoMs: 0 }, 'of an earlier version');
  t.same(await shown({ status: 'offline', live }), { status: 'offline', agoMs: -60_000 }, 'no control plane receives');
  t.same(await shown({}), { status: 'pending', agoMs: -60_000 });
});

t.test('name and tags can be updated at the version that was read', async (t) => {
  const server = await buildServer(app.mongo, mine);
  const path = `/v1/servers/${server._id}`;
  const read = await app.request('GET', path);
  const etag = read.headers.get('etag') ?? '';
  const body = { name: 'renamed', tags: ['a', 'b'] };
  const changed = await app.request('PATCH', path, { body, headers: { 'if-match': etag } });
  t.match(changed, { status: 200, body: { data: body } });
  t.not(changed.headers.get('etag'), etag);
  t.equal((await app.request('PATCH', path, { body, headers: { 'if-match': etag } })).status, 412);
  t.equal((await app.request('DELETE', path, { headers: { 'if-match': etag } })).status, 412);
  const again = await app.request('PATCH', path, { body });
  t.equal(again.headers.get('etag'), changed.headers.get('etag'), 'a request without a change writes nothing');
  const entries = await app.mongo.db.collection('audit_log').find({ 'resource.id': server._id }).toArray();
  t.match(entries, [
    {
      action: 'server.updated',
      metadata: { changes: { name: { from: 'web-1', to: 'renamed' }, tags: { from: [], to: ['a', 'b'] } } },
    },
  ]);
  t.equal(entries.length, 1);
  for (const wrong of [{}, { name: '' }, { name: 'x\ny' }, { tags: ['a', 'a'] }, { hostname: 'x' }]) {
    t.equal((await app.request('PATCH', path, { body: wrong })).status, 422, JSON.stringify(wrong));
  }
});

t.test('scopes', async (t) => {
  const server = await buildServer(app.mongo, mine);
  const reader = await buildKey(app.mongo, app.workspace, { scopes: ['servers:read'] });
  const writer = await buildKey(app.mongo, app.workspace, { scopes: ['servers:write'] });
  const path = `/v1/servers/${server._id}`;
  t.equal((await app.request('GET', path, { key: reader.key })).status, 200);
  t.match(await app.request('POST', '/v1/servers/join-tokens', { key: reader.key }), {
    status: 403,
    body: { code: 'insufficient_scope', required_scope: 'servers:write' },
  });
  t.equal((await app.request('DELETE', path, { key: reader.key })).status, 403);
  t.equal((await app.request('GET', path, { key: writer.key })).status, 403, 'write does not imply read');
  t.equal((await app.request('PATCH', path, { key: writer.key, body: { name: 'x' } })).status, 200);
  t.equal((await app.request('DELETE', path, { key: writer.key })).status, 204);
});

t.test('a plan limits the servers: no token beyond it, even for concurrent requests', async (t) => {
  const small = await startServersApp({ plan: 'Free' });
  t.teardown(() => small.stop());
  const token = async () => {
    const made = await small.request<{ token: string }>('POST', '/v1/servers/join-tokens');
    return { status: made.status, token: made.body.data?.token ?? '', problem: made.body };
  };
  const tokens = [await token(), await token(), await token(), await token()];
  t.strictSame(
    tokens.map(({ status }) => status),
    [201, 201, 201, 201],
    'a token does not count as a server',
  );
  const joined = await Promise.allSettled(tokens.map((one) => enrolNode(one.token, { address: small.address })));
  const refused = joined.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.equal(joined.length - refused.length, 2, 'the Free plan has two servers');
  t.match(refused[0], { details: /Free plan allows 2 servers/ });
  t.match(await token(), { status: 402, problem: { code: 'plan_limit', detail: /servers/ } });
  const [server] = (await small.request<{ id: string }[]>('GET', '/v1/servers')).body.data;
  await small.request('DELETE', `/v1/servers/${server?.id}`);
  const left = tokens.filter((_, n) => joined[n]?.status === 'rejected')[0];
  await t.resolves(enrolNode(left?.token ?? '', { address: small.address }), 'the refused token stays valid');
});

t.test('a token is valid once, and only for a server', async (t) => {
  const made = await app.request<{ token: string }>('POST', '/v1/servers/join-tokens');
  const node = await enrolNode(made.body.data.token, { address: app.address });
  t.match(node.id, /^srv_/);
  const again = await enrolNode(made.body.data.token, { address: app.address }).catch((error: unknown) => error);
  t.match(again, { details: /unknown, used or expired/ });
  const probes = await app.mongo.db.collection('nodes').countDocuments({ kind: 'probe' });
  t.equal(probes, 0);
});

t.test('the rotation of an agent’s credential is in the audit log of the workspace of its server', async (t) => {
  const agent = await app.join('web-7.example');
  await agent.rotate();
  const action = 'integration.credential_rotated';
  const entries = await app.mongo.db.collection('audit_log').find({ action }).toArray();
  t.match(entries, [
    {
      workspace_id: app.workspace.id,
      actor: { id: null, email: 'system', ip: null },
      resource: { type: 'server', id: agent.id, name: 'web-7.example' },
    },
  ]);
  t.equal(entries.length, 1);
});

t.test('two control planes: processes are requested through the one with the stream', async (t) => {
  const other = await startServersApp({ beside: app });
  t.teardown(() => other.stop());
  const agent = await app.join();
  const stream = await agent.connect();
  void stream
    .next((message) => message.sampleProcesses)
    .then(({ nonce }) => stream.send({ processes: { nonce, atMs: Date.now(), total: 3, byCpu: [], byMemory: [] } }));
  const { key } = await buildKey(app.mongo, app.workspace);
  const answer = await other.request('GET', `/v1/servers/${agent.id}/processes`, { key });
  t.match(answer, { status: 200, body: { data: { total: 3 } } });
  stream.end();
});
