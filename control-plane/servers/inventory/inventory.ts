import type { Inventory__Output } from '../../../proto/generated/picket/link/v1/Inventory.js';
import { INTERFACE_ADDRESSES_MAX, SAMPLE_INTERVAL_SECONDS } from '../../../proto/limits.js';
import { printable } from '../../printable.js';
import type { ServerInventory } from '../documents.js';
import type { AgentFacts } from '../live-store.js';

export const SAMPLE_INTERVAL_MS_DEFAULT = SAMPLE_INTERVAL_SECONDS.default * 1_000;
const TEXT_CHARS_MAX = 255;
const DEVICES_MAX = 200;

/** Returns the facts of an inventory message for storage: truncated and without control characters. */
export function readInventory(message: Inventory__Output, nowMs: number): AgentFacts {
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
      addresses: one.addresses.slice(0, INTERFACE_ADDRESSES_MAX).map(text),
      speed_mbps: one.speedMbps === 0 ? null : count(one.speedMbps),
      up: one.up,
    })),
    devices_left_out: count(message.devicesLeftOut),
    at_ms: nowMs,
  };
  const { min, max } = SAMPLE_INTERVAL_SECONDS;
  return {
    hostname: text(message.hostname),
    ip: message.ip === '' ? null : text(message.ip),
    os: text(message.os),
    kernel: text(message.kernel),
    agent_version: text(message.agentVersion),
    report_interval_ms:
      message.sampleIntervalMs === 0
        ? SAMPLE_INTERVAL_MS_DEFAULT
        : Math.min(Math.max(message.sampleIntervalMs, min * 1_000), max * 1_000),
    inventory,
    agent_dropped: count(message.samplesDropped),
  };
}

function text(value: string): string {
  return printable(value, TEXT_CHARS_MAX);
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.trunc(value)), Number.MAX_SAFE_INTEGER) : 0;
}
