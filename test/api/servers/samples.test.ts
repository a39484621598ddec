import t from 'tap';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { fetchText } from '../../helpers/machine/fetch-text.js';
import { type ServersApp, sampleMessageOf, startServersApp } from '../../helpers/servers/app.js';
import { waitFor } from '../../helpers/wait.js';

const app: ServersApp = await startServersApp();
t.teardown(() => app.stop());

interface ServerRow {
  id: string;
  name: string;
  status: string;
  last_seen_at: string | null;
  metrics: Record<string, number | string | null> | null;
  [member: string]: unknown;
}

const get = async (id: string) => (await app.request<ServerRow>('GET', `/v1/servers/${id}`)).body.data;
const EIGHT = {
  cpu_percent: 12.34,
  mem_used_percent: 50,
  disk_used_percent: 71.5,
  load_1: 0.5,
  load_5: 0.4,
  load_15: 0.3,
  net_bytes_recv_rate: 1_000,
  net_bytes_sent_rate: 2_000,
};

t.test('a join token creates one server, pending until its first sample', async (t) => {
  const beforeMs = Date.now();
  const made = await app.request<{ token: string; install_command: string; expires_at: string }>(
    'POST',
    '/v1/servers/join-tokens',
  );
  t.equal(made.status, 201);
  const { token } = made.body.data;
  t.match(made.body.data, { token: /^pjt_/, install_command: `install ${token}`, agent_address: 'picket.test:8443' });
  t.ok(Date.parse(made.body.data.expires_at) > beforeMs + 23 * 3_600_000);
  t.strictSame(app.defaultRules, [app.workspace.id], 'the first token creates the default alert rules');
  const agent = await app.join('db-1.example');
  t.match(agent.id, /^srv_[0-9a-z]{26}$/);
  t.match(await get(agent.id), {
    name: 'db-1.example',
    hostname: 'db-1.example',
    status: 'pending',
    agent_version: '0.9.0',
    last_seen_at: null,
    metrics: null,
  });
  const audit = await app.mongo.db.collection('audit_log').find({ 'resource.id': agent.id }).toArray();
  t.match(audit, [{ action: 'server.created', workspace_id: app.workspace.id, actor: { email: 'system' } }]);
  agent.close();
});

t.test('a sample is stored once, sets the server online, and is shown', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  const atMs = Date.now();
  const sample = sampleMessageOf(atMs, { ...EIGHT, 'disk_used_percent:/var': 71.5, mem_used_bytes: 4_096 });
  t.match(await stream.reports([sample]), { upToSeq: 1, rejections: [] });
  const server = await get(agent.id);
  t.match(server, { status: 'online', last_seen_at: new Date(atMs).toISOString() });
  t.match(server.metrics, { ...EIGHT, mem_used_bytes: 4_096, swap_used_percent: null });
  t.match(app.changes, [{ id: agent.id, from: 'pending', to: 'online' }]);
  await stream.reports([sample]);
  const stored = await app.mongo.db.collection('server_reports').countDocuments({ workspace_id: app.workspace.id });
  t.equal(stored, 1, 'sent twice, stored once');
  const history = await app.request<{ series: Record<string, { t: string; v: number }[]> }>(
    'GET',
    `/v1/servers/${agent.id}/metrics?metrics=cpu_percent`,
  );
  t.strictSame(history.body.data.series, { cpu_percent: [{ t: new Date(atMs).toISOString(), v: 12.34 }] });
  stream.end();
});

t.test(
  'too old samples are dropped and counted, future ones get the current time, late ones are for history only',
  async (t) => {
    const agent = await app.join();
    const stream = await agent.connect();
    const now = Date.now();
    const ack = await stream.reports([
      sampleMessageOf(now - 31 * 86_400_000, EIGHT),
      sampleMessageOf(now - 3_600_000, EIGHT),
      sampleMessageOf(now + 86_400_000, EIGHT),
    ]);
    t.match(ack.rejections, [{ reason: 'report_too_old' }]);
    t.equal(ack.rejections.length, 1);
    const [late, ahead] = app.accepted.filter((sample) => sample.serverId === agent.id);
    t.match(late, { late: true, atMs: now - 3_600_000 });
    t.match(ahead, { late: false });
    const aheadMs = ahead?.atMs ?? 0;
    t.ok(now <= aheadMs && aheadMs <= Date.now(), 'has the time of its arrival');
    t.match(await get(agent.id), { status: 'online', reports_dropped: { too_old: 1, values: 0 } });
    stream.end();
  },
);

t.test('samples that wait in memory are judged by the time of their arrival', async (t) => {
  const agent = await app.join();
  const node = { nodeId: agent.id, kind: 'agent', workspaceId: app.workspace.id } as const;
  const arrivedMs = Date.now() - 20_000;
  const { records } = app.servers.agentOwner;
  const bytes = loadMetricSampleCodec().encode(sampleMessageOf(arrivedMs - 15_000, EIGHT));
  t.same(await records.accept(node, [{ seq: 1, bytes }], arrivedMs), []);
  t.match(
    app.accepted.filter((sample) => sample.serverId === agent.id),
    [{ atMs: arrivedMs - 15_000, receivedAtMs: arrivedMs, late: false }],
    'it was written more than 30 s after it was taken, and is not late',
  );
  agent.close();
});

t.test('invalid values are dropped one by one, and counted', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`disk_used_percent:/mnt/${n}`, 1]));
  const codec = loadMetricSampleCodec();
  const ack = await stream.records([
    Buffer.from('not a sample'),
    codec.encode(sampleMessageOf(Date.now(), { cpu_percent: 5, mem_used_percent: -1, 'load_1:x': 3 })),
  ]);
  t.match(ack.rejections, [{ seq: 1, reason: 'report_malformed' }]);
  t.match(await get(agent.id), { metrics: { cpu_percent: 5, mem_used_percent: null }, reports_dropped: { values: 2 } });
  const bytes = codec.encode(sampleMessageOf(Date.now() + 1, many));
  t.match((await stream.records([bytes])).rejections, [{ reason: 'record_too_large' }]);
  const fits = Object.fromEntries(Object.entries(many).slice(0, 2_000));
  t.match(await stream.reports([sampleMessageOf(Date.now() + 2, fits)]), { rejections: [] });
  t.match(await get(agent.id), { reports_dropped: { values: 2 + 1_400 } });
  stream.end();
});

t.test('a credential has one stream: the second process is refused with a reason', async (t) => {
  const agent = await app.join();
  const first = await agent.connect({ instance: 'one' });
  const second = await agent.open({ instance: 'two' });
  t.match(await second.refusal(), { code: 'duplicate' });
  t.notOk(first.isOver());
  first.end();
  second.end();
});

t.test('deleting a server disconnects its agent and deletes its data, and nothing else', async (t) => {
  const agent = await app.join('gone.example');
  const other = await app.join('stays.example');
  const [stream, otherStream] = [await agent.connect(), await other.connect()];
  await stream.reports([sampleMessageOf(Date.now(), EIGHT)]);
  await otherStream.reports([sampleMessageOf(Date.now(), EIGHT)]);
  t.equal((await app.request('DELETE', `/v1/servers/${agent.id}`)).status, 204);
  t.match(await stream.refusal(), { code: 'revoked', detail: /removed/ });
  t.match(await (await agent.open()).refusal(), { code: 'revoked' });
  t.match(app.gone, [{ _id: agent.id }]);
  t.equal((await app.request('GET', `/v1/servers/${agent.id}`)).status, 404);
  await waitFor('its samples to be deleted', 60_000, async () => {
    const left = await app.mongo.db.collection('server_reports').countDocuments({});
    return (await countOf(agent.id)) === 0 && left > 0;
  });
  t.match(await get(other.id), { status: 'online' });
  t.equal((await app.request('DELETE', `/v1/servers/${agent.id}`)).status, 404);
  otherStream.end();
});

async function countOf(serverId: string): Promise<number> {
  const samples = app.mongo.db.collection<{ _id: string }>('server_reports');
  return samples.countDocuments({ _id: { $gte: `${serverId}/`, $lt: `${serverId}/~` } });
}

t.test('inventory, disks, network and processes', async (t) => {
  const agent = await app.join();
  t.equal((await app.request('GET', `/v1/servers/${agent.id}/processes`)).status, 409, 'no connected agent');
  const stream = await agent.connect();
  stream.send({
    inventory: {
      hostname: 'web-7',
      ip: '192.0.2.7',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.1.0',
      agentVersion: '0.9.1',
      cpuCores: 4,
      memoryBytes: 8_000_000_000,
      sampleIntervalMs: 10_000,
      disks: [
        {
          mount: '/var',
          device: '/dev/sda2',
          type: 'ext4',
          sizeBytes: 100,
          usedBytes: 70,
          availableBytes: 25,
          blockDevice: 'sda',
        },
        {
          mount: '/',
          device: '/dev/sda1',
          type: 'ext4',
          sizeBytes: 50,
          usedBytes: 5,
          availableBytes: 45,
          blockDevice: 'sda',
        },
      ],
      interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', addresses: ['192.0.2.7'], speedMbps: 1_000, up: true }],
    },
  });
  await stream.reports([
    sampleMessageOf(Date.now(), {
      ...EIGHT,
      'disk_used_percent:/var': 73.68,
      'disk_read_rate:sda': 5,
      'net_bytes_recv_rate:eth0': 7,
    }),
  ]);
  await waitFor('the inventory', 60_000, async () => (await get(agent.id))['ip'] === '192.0.2.7');
  t.match(await get(agent.id), {
    hostname: 'web-7',
    os: /Debian/,
    agent_version: '0.9.1',
    inventory: { cpu_cores: 4 },
  });
  const disks = await app.request<Record<string, unknown>[]>('GET', `/v1/servers/${agent.id}/disks?limit=1`);
  t.match(disks.body.data, [{ mount: '/', used_percent: null, read_rate: 5 }]);
  const rest = await app.request<Record<string, unknown>[]>(
    'GET',
    `/v1/servers/${agent.id}/disks?limit=1&cursor=${disks.body.next_cursor}`,
  );
  t.match(rest.body, { data: [{ mount: '/var', used_percent: 73.68 }], next_cursor: null });
  const network = await app.request('GET', `/v1/servers/${agent.id}/network`);
  t.match(network.body.data, [{ name: 'eth0', bytes_recv_rate: 7, bytes_sent_rate: null, up: true }]);

  const answer = app.request('GET', `/v1/servers/${agent.id}/processes`);
  const { nonce } = await stream.next((message) => message.sampleProcesses);
  const process = { pid: 7, name: 'php\u0007', user: 'www', cpuPercent: 31.456, memoryBytes: 5, memoryPercent: 1 };
  const rows = Array.from({ length: 12 }, () => process);
  stream.send({ processes: { nonce, atMs: Date.now(), total: 99, byCpu: rows, byMemory: rows } });
  const processes = await answer;
  t.equal(processes.status, 200);
  t.match(processes.body.data, {
    server_id: agent.id,
    total: 99,
    by_cpu: [{ pid: 7, name: 'php', cpu_percent: 31.46 }],
  });
  t.equal((processes.body.data['by_cpu'] as unknown[]).length, 10);
  stream.end();
});

t.test('another workspace cannot see the server through any route', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  await stream.reports([sampleMessageOf(Date.now(), EIGHT)]);
  const otherTenant = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, otherTenant);
  for (const path of ['', '/metrics', '/processes', '/disks', '/network']) {
    t.equal((await app.request('GET', `/v1/servers/${agent.id}${path}`, { key })).status, 404, path);
  }
  t.equal((await app.request('PATCH', `/v1/servers/${agent.id}`, { key, body: { name: 'mine' } })).status, 404);
  t.equal((await app.request('DELETE', `/v1/servers/${agent.id}`, { key })).status, 404);
  t.strictSame((await app.request('GET', '/v1/servers', { key })).body.data, []);
  const text = await fetchText(`${app.url}/metrics/servers`, key);
  t.match(text, { status: 200, body: '' });
  stream.end();
});

t.test('/metrics/servers: the latest values, only for a key with servers:read', async (t) => {
  const agent = await app.join('prom "1"\\');
  const stream = await agent.connect();
  await stream.reports([sampleMessageOf(Date.now(), { ...EIGHT, 'disk_used_percent:/var': 71.5 })]);
  const { body, status, type } = await fetchText(`${app.url}/metrics/servers`, app.key);
  t.match({ status, type }, { status: 200, type: /^text\/plain; version=0\.0\.4/ });
  const labels = `server="${agent.id}",name="prom \\"1\\"\\\\"`;
  t.ok(body.includes(`picket_server_cpu_percent{${labels}} 12.34\n`), body);
  t.ok(body.includes(`picket_server_device_disk_used_percent{server="${agent.id}",mountpoint="/var",name=`), body);
  t.match(body, /# TYPE picket_server_cpu_percent gauge\n/);
  t.equal((await fetchText(`${app.url}/metrics/servers`, null)).status, 401);
  const { key } = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read'] });
  t.equal((await fetchText(`${app.url}/metrics/servers`, key)).status, 403);
  stream.end();
});
