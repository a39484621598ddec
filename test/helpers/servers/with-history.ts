import { Binary } from 'mongodb';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { createSamplesStore } from '../../../control-plane/servers/samples/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { neverSetAside } from '../set-aside.js';
import { serverDocument } from './document.js';
import { encodeSample } from './history.js';

const MINUTE_MS = 60_000;
const GIB = 2 ** 30;
const ids = createIds(systemClock, systemRandom);

const disk = (mount: string, used: number) => ({
  ...{ mount, device: '/dev/sda1', type: 'ext4', block_device: 'sda', size_bytes: 100 * GIB },
  ...{ used_bytes: used * GIB, available_bytes: (100 - used) * GIB },
});

/** Returns the values of a server this many minutes ago: `/var` fills up by 2 percentage points an hour. */
function valuesOf(minutesAgo: number): Record<string, number> {
  const wave = (period: number) => 1 + Math.sin(minutesAgo / period);
  return {
    cpu_percent: 12 + 20 * wave(25) + (minutesAgo % 3),
    ...{ cpu_iowait_percent: 2 * wave(40), load_1: wave(20), load_5: wave(30), load_15: wave(60) },
    ...{ mem_used_percent: 58 + 6 * wave(90), mem_used_bytes: 4.8 * GIB, swap_used_percent: 3 },
    ...{ disk_used_percent: 82 - minutesAgo / 30, 'disk_used_percent:/': 41 },
    'disk_used_percent:/var': 82 - minutesAgo / 30,
    ...{ 'disk_inodes_used_percent:/': 8, 'disk_inodes_used_percent:/var': 11 },
    ...{ disk_read_rate: 40_000 * wave(15), disk_write_rate: 900_000 * wave(35), 'disk_write_rate:sda': 900_000 },
    ...{ net_bytes_recv_rate: 2_000_000 * wave(50), net_bytes_sent_rate: 700_000 * wave(45) },
    ...{ 'net_bytes_recv_rate:eth0': 2_000_000, 'net_bytes_sent_rate:eth0': 700_000 },
  };
}

/** Stores a server that is online, with a sample for each of the last six hours' minutes and a gap of half an hour. */
export async function storeServerWithHistory(
  mongo: Mongo,
  over: Partial<ServerDocument> & { workspace_id: string },
): Promise<string> {
  const nowMs = Date.now();
  const serverId = ids.next('srv');
  const server = serverDocument({
    ...{ _id: serverId, agent_version: '1.4.0', os: 'Debian GNU/Linux 12 (bookworm)', kernel: '6.1.0-18-amd64' },
    // It is offline only after three intervals without a sample.
    ...{ ip: '192.0.2.17', status: 'online', report_interval_ms: 120_000 },
    ...{ status_changed_at_ms: nowMs, created_at_ms: nowMs, updated_at_ms: nowMs, heard_at: new Date(nowMs) },
    live: { at_ms: nowMs, received_at_ms: nowMs, report: new Binary(encodeSample(nowMs, valuesOf(0))) },
    inventory: {
      ...{ architecture: 'x64', cpu_model: 'AMD EPYC 7763', cpu_cores: 4, memory_bytes: 8 * GIB, swap_bytes: GIB },
      ...{ virtualization: 'kvm', booted_at_ms: nowMs - 21 * 86_400_000, devices_left_out: 0, at_ms: nowMs },
      disks: [disk('/', 41), disk('/var', 82)],
      interfaces: [
        {
          name: 'eth0',
          mac: '02:00:17:ab:cd:ef',
          addresses: ['192.0.2.17', '2001:db8::17'],
          speed_mbps: 10_000,
          up: true,
        },
        { name: 'eth1', mac: '02:00:17:ab:cd:f0', addresses: [], speed_mbps: null, up: false },
      ],
    },
    ...over,
  });
  await mongo.db.collection<ServerDocument>('servers').insertOne(server);
  const minutes = Array.from({ length: 360 }, (_, index) => 360 - index).filter((ago) => ago < 100 || ago >= 130);
  await createSamplesStore(mongo.db, neverSetAside).insert(
    minutes.map((ago) => {
      const atMs = nowMs - ago * MINUTE_MS;
      const bytes = encodeSample(atMs, valuesOf(ago));
      return { workspaceId: server.workspace_id, serverId, atMs, receivedAtMs: atMs, bytes };
    }),
  );
  return serverId;
}
