import type { ReportValues } from '../report-values.js';
import type { ControlGroup } from './control-group.js';
import type { SystemFiles } from './system-files.js';

/** Bytes. */
export interface Memory {
  total: number;
  available: number;
  swapTotal: number;
  swapFree: number;
}

/** `/proc/meminfo`; null when it says nothing of the memory's size. */
export function parseMeminfo(text: string): Memory | null {
  const bytes = (name: string): number | null => {
    const found = new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1];
    return found === undefined ? null : Number(found) * 1024;
  };
  const total = bytes('MemTotal');
  const free = bytes('MemFree');
  if (total === null || free === null) return null;
  // Kernels before 3.14 leave it to the reader.
  const available = bytes('MemAvailable') ?? free + (bytes('Buffers') ?? 0) + (bytes('Cached') ?? 0);
  return { total, available, swapTotal: bytes('SwapTotal') ?? 0, swapFree: bytes('SwapFree') ?? 0 };
}

/** What is in use, of what there is to use. */
export interface MemoryUse {
  usedBytes: number;
  totalBytes: number;
  swap: { usedBytes: number; totalBytes: number } | null;
}

export function memoryUse(memory: Memory, limit: ReturnType<ControlGroup['memory']>): MemoryUse {
  if (limit !== null) {
    const { swap } = limit;
    return {
      usedBytes: limit.usedBytes,
      totalBytes: limit.limitBytes,
      swap: swap === null ? null : { usedBytes: swap.usedBytes, totalBytes: swap.limitBytes },
    };
  }
  const { total, available, swapTotal, swapFree } = memory;
  return {
    usedBytes: Math.max(0, total - available),
    totalBytes: total,
    swap: { usedBytes: swapTotal - swapFree, totalBytes: swapTotal },
  };
}

export function readMemoryUse(files: SystemFiles, group: ControlGroup): MemoryUse | null {
  const text = files.read('/proc/meminfo', '/proc/meminfo');
  const memory = text === null ? null : parseMeminfo(text);
  return memory === null ? null : memoryUse(memory, group.memory());
}

export function sampleMemory(files: SystemFiles, group: ControlGroup, values: ReportValues): void {
  const use = readMemoryUse(files, group);
  if (use === null) return;
  values.add('MEM_USED_PERCENT', '', (100 * use.usedBytes) / use.totalBytes);
  values.add('MEM_USED_BYTES', '', use.usedBytes);
  if (use.swap !== null) values.add('SWAP_USED_PERCENT', '', swapPercent(use.swap));
}

/** Of no swap at all nothing is in use: a line at zero, as other tools show it, and no rule waits for a series. */
export function swapPercent({ usedBytes, totalBytes }: { usedBytes: number; totalBytes: number }): number {
  return totalBytes === 0 ? 0 : (100 * usedBytes) / totalBytes;
}
