import t from 'tap';
import type { ServerDisk } from '../../../control-plane/servers/details/schema.js';
import { buildServer } from '../../helpers/factories.js';
import { startServersApp } from '../../helpers/servers/app.js';
import { encodeSample } from '../../helpers/servers/history.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOUNTS = ['/', '/var'];

const app = await startServersApp();
t.teardown(() => app.stop());

/** Stores a server whose `/var` grew by 2 percentage points an hour until now, and whose `/` did not. */
async function newServer(status: 'online' | 'offline') {
  const disk = {
    device: '/dev/sda1',
    type: 'ext4',
    size_bytes: 1,
    used_bytes: 1,
    available_bytes: 0,
    block_device: '',
  };
  const inventory = {
    ...{ architecture: 'x64', cpu_model: 'a', cpu_cores: 4, memory_bytes: 1, swap_bytes: 0, virtualization: '' },
    ...{ booted_at_ms: null, devices_left_out: 0, at_ms: 0, interfaces: [] },
    disks: MOUNTS.map((mount) => ({ ...disk, mount })),
  };
  const { _id: serverId } = await buildServer(app.mongo, { workspace_id: app.workspace.id, status, inventory });
  const nowMs = Date.now();
  const minutes = Array.from({ length: 360 }, (_, index) => 360 - index);
  await app.data.samples.insert(
    minutes.map((ago) => ({
      ...{ workspaceId: app.workspace.id, serverId, atMs: nowMs - ago * MINUTE_MS, receivedAtMs: nowMs },
      bytes: encodeSample(nowMs - ago * MINUTE_MS, {
        'disk_used_percent:/': 60,
        'disk_used_percent:/var': 80 - ago / 30,
      }),
    })),
  );
  return serverId;
}

const forecastsOf = async (serverId: string) => {
  const { body } = await app.request<ServerDisk[]>('GET', `/v1/servers/${serverId}/disks`);
  return body.data.map(({ mount, forecast }) => [mount, forecast] as const);
};

t.test('a disk that grows steadily has the time at which it is full', async (t) => {
  const beforeMs = Date.now();
  const [still, growing] = await forecastsOf(await newServer('online'));
  const afterMs = Date.now();
  t.same(still, ['/', null]);
  t.equal(growing?.[0], '/var');
  t.equal(growing?.[1]?.points_per_hour, 2);
  const fullAtMs = Date.parse(growing?.[1]?.full_at ?? '');
  t.ok(fullAtMs > beforeMs + 9.9 * HOUR_MS && fullAtMs < afterMs + 10.2 * HOUR_MS, '20 % are left, so for 10 h');
});

t.test('a server that is offline has no forecast', async (t) => {
  t.same(await forecastsOf(await newServer('offline')), [
    ['/', null],
    ['/var', null],
  ]);
});
