import { toIso } from '../../kernel/clock.js';
import type { ProcessSample__Output } from '../../proto/generated/picket/link/v1/ProcessSample.js';
import { printable } from '../printable.js';
import type { ServerDocument } from './documents.js';
import type { LatestMetrics, Processes, Server, ServerDisk, ServerInterface } from './schema.js';
import { statusNow } from './status.js';

/** The values of the newest report by series name. */
export type LatestValues = ReadonlyMap<string, number>;

const PROCESSES_MAX = 10;
const NAME_CHARS_MAX = 255;

/** A server in the API's shape. `latest`: of its newest report. */
export function serverView(server: ServerDocument, latest: LatestValues, nowMs: number): Server {
  const { live, inventory } = server;
  return {
    id: server._id,
    name: server.name,
    hostname: server.hostname,
    ip: server.ip,
    os: server.os || null,
    kernel: server.kernel || null,
    status: statusNow(server, nowMs),
    status_changed_at: toIso(server.status_changed_at_ms),
    agent_version: server.agent_version,
    report_interval_seconds: server.report_interval_ms / 1_000,
    last_seen_at: live === null ? null : toIso(Math.min(live.at_ms, live.received_at_ms)),
    tags: server.tags,
    metrics: live === null ? null : latestMetrics(latest, live.at_ms),
    inventory:
      inventory === null
        ? null
        : {
            architecture: inventory.architecture,
            cpu_model: inventory.cpu_model,
            cpu_cores: inventory.cpu_cores,
            memory_bytes: inventory.memory_bytes,
            swap_bytes: inventory.swap_bytes,
            virtualization: inventory.virtualization || null,
            booted_at: inventory.booted_at_ms === null ? null : toIso(inventory.booted_at_ms),
            devices_left_out: inventory.devices_left_out,
          },
    reports_dropped: {
      too_old: server.dropped.too_old,
      values: server.dropped.values,
      on_server: server.agent_dropped,
    },
    created_at: toIso(server.created_at_ms),
    updated_at: toIso(server.updated_at_ms),
  };
}

function latestMetrics(latest: LatestValues, atMs: number): LatestMetrics {
  const value = (name: string) => rounded(latest.get(name), 2);
  const whole = (name: string) => rounded(latest.get(name), 0);
  return {
    cpu_percent: value('cpu_percent'),
    mem_used_percent: value('mem_used_percent'),
    disk_used_percent: value('disk_used_percent'),
    load_1: value('load_1'),
    load_5: value('load_5'),
    load_15: value('load_15'),
    net_bytes_recv_rate: whole('net_bytes_recv_rate'),
    net_bytes_sent_rate: whole('net_bytes_sent_rate'),
    swap_used_percent: value('swap_used_percent'),
    mem_used_bytes: whole('mem_used_bytes'),
    disk_read_rate: whole('disk_read_rate'),
    disk_write_rate: whole('disk_write_rate'),
    processes: whole('processes'),
    tcp_connections: whole('tcp_connections'),
    uptime_seconds: whole('uptime_seconds'),
    updated_at: toIso(atMs),
  };
}

export function disksView({ inventory }: ServerDocument, latest: LatestValues): ServerDisk[] {
  return (inventory?.disks ?? []).map((disk) => ({
    mount: disk.mount,
    device: disk.device,
    type: disk.type,
    size_bytes: disk.size_bytes,
    used_bytes: disk.used_bytes,
    available_bytes: disk.available_bytes,
    used_percent: rounded(latest.get(`disk_used_percent:${disk.mount}`), 2),
    inodes_used_percent: rounded(latest.get(`disk_inodes_used_percent:${disk.mount}`), 2),
    block_device: disk.block_device || null,
    read_rate: rounded(latest.get(`disk_read_rate:${disk.block_device}`), 0),
    write_rate: rounded(latest.get(`disk_write_rate:${disk.block_device}`), 0),
  }));
}

export function interfacesView({ inventory }: ServerDocument, latest: LatestValues): ServerInterface[] {
  return (inventory?.interfaces ?? []).map((one) => ({
    name: one.name,
    mac: one.mac || null,
    addresses: one.addresses,
    speed_mbps: one.speed_mbps,
    up: one.up,
    bytes_recv_rate: rounded(latest.get(`net_bytes_recv_rate:${one.name}`), 0),
    bytes_sent_rate: rounded(latest.get(`net_bytes_sent_rate:${one.name}`), 0),
  }));
}

export function processesView(serverId: string, sample: ProcessSample__Output): Processes {
  const row = (process: ProcessSample__Output['byCpu'][number]) => ({
    pid: process.pid,
    name: printable(process.name, NAME_CHARS_MAX),
    user: printable(process.user, NAME_CHARS_MAX),
    cpu_percent: rounded(process.cpuPercent, 2) ?? 0,
    memory_bytes: Math.trunc(process.memoryBytes),
    memory_percent: rounded(process.memoryPercent, 2) ?? 0,
    started_at: process.startedAtMs > 0 ? toIso(process.startedAtMs) : null,
  });
  return {
    server_id: serverId,
    sampled_at: toIso(sample.atMs),
    total: sample.total,
    by_cpu: sample.byCpu.slice(0, PROCESSES_MAX).map(row),
    by_memory: sample.byMemory.slice(0, PROCESSES_MAX).map(row),
  };
}

/** null for what is not there. */
function rounded(value: number | undefined, decimals: 0 | 2): number | null {
  if (value === undefined || !Number.isFinite(value)) return null;
  return decimals === 0 ? Math.round(value) : Math.round(value * 100) / 100;
}
