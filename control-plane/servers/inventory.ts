import type { Inventory__Output } from '../../proto/generated/picket/link/v1/Inventory.js';
import { printable } from '../printable.js';
import type { ServerInventory } from './documents.js';
import type { ReportedFacts } from './store.js';

export const REPORT_INTERVAL_MS_DEFAULT = 10_000;
const REPORT_INTERVAL_MS = { min: 1_000, max: 300_000 };
const TEXT_CHARS_MAX = 255;
const DEVICES_MAX = 200;
const ADDRESSES_MAX = 20;

/** What an agent says of its server, in the form in which it is stored: cut to lengths, freed of control characters. */
export function readInventory(message: Inventory__Output, nowMs: number): ReportedFacts {
  const inventory: ServerInventory = {
    architecture: text(message.architecture),
    cpu_model: text(message.cpuModel),
    cpu_cores: count(message.cpuCores),
    memory_bytes: count(message.memoryBytes),
    swap_bytes: count(message.swapBytes),
    virtualization: text(message.virtualization),
    booted_at_ms: message.bootedAtMs > 0 && message.bootedAtMs <= nowMs ? count(message.bootedAtMs) : null,
    disks: message.disks.slice(0, DEVICES_MAX).map((disk) => ({
      mount: text(disk.mount),
      device: text(disk.device),
      type: text(disk.type),
      size_bytes: count(disk.sizeBytes),
      used_bytes: count(disk.usedBytes),
      available_bytes: count(disk.availableBytes),
      block_device: text(disk.blockDevice),
    })),
    interfaces: message.interfaces.slice(0, DEVICES_MAX).map((one) => ({
      name: text(one.name),
      mac: text(one.mac),
      addresses: one.addresses.slice(0, ADDRESSES_MAX).map(text),
      speed_mbps: one.speedMbps === 0 ? null : count(one.speedMbps),
      up: one.up,
    })),
    devices_left_out: count(message.devicesLeftOut),
    at_ms: nowMs,
  };
  const { min, max } = REPORT_INTERVAL_MS;
  return {
    hostname: text(message.hostname),
    ip: message.ip === '' ? null : text(message.ip),
    os: text(message.os),
    kernel: text(message.kernel),
    agent_version: text(message.agentVersion),
    report_interval_ms:
      message.reportIntervalMs === 0
        ? REPORT_INTERVAL_MS_DEFAULT
        : Math.min(Math.max(message.reportIntervalMs, min), max),
    inventory,
    agent_dropped: count(message.reportsDropped),
  };
}

function text(value: string): string {
  return printable(value, TEXT_CHARS_MAX);
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.trunc(value)), Number.MAX_SAFE_INTEGER) : 0;
}
