import { toIso } from '../../../kernel/clock.js';
import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import { printable } from '../../printable.js';
import type { ServerDocument } from '../documents.js';
import { type LatestValues, rounded } from '../samples/latest.js';
import type { Processes, ServerDisk, ServerInterface } from './schema.js';

const PROCESSES_MAX = 10;
const NAME_CHARS_MAX = 255;
/** The latest time that a Date can represent. An agent can send any number. */
const DATE_MS_MAX = 8_640_000_000_000_000;

/** `forecasts` are by mount point. */
export function disksView(
  { inventory }: ServerDocument,
  latest: LatestValues,
  forecasts: ReadonlyMap<string, NonNullable<ServerDisk['forecast']>>,
): ServerDisk[] {
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
    forecast: forecasts.get(disk.mount) ?? null,
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

function isTime(atMs: number): boolean {
  return atMs > 0 && atMs <= DATE_MS_MAX;
}

export function processesView(serverId: string, sample: ProcessSample__Output): Processes {
  const row = (process: ProcessSample__Output['byCpu'][number]) => ({
    pid: process.pid,
    name: printable(process.name, NAME_CHARS_MAX),
    user: printable(process.user, NAME_CHARS_MAX),
    cpu_percent: rounded(process.cpuPercent, 2) ?? 0,
    memory_bytes: Math.trunc(process.memoryBytes),
    memory_percent: rounded(process.memoryPercent, 2) ?? 0,
    started_at: isTime(process.startedAtMs) ? toIso(process.startedAtMs) : null,
  });
  return {
    server_id: serverId,
    sampled_at: toIso(isTime(sample.atMs) ? sample.atMs : 0),
    total: sample.total,
    by_cpu: sample.byCpu.slice(0, PROCESSES_MAX).map(row),
    by_memory: sample.byMemory.slice(0, PROCESSES_MAX).map(row),
  };
}
