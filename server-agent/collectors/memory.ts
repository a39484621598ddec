import type { SampleValues } from '../sample-values.js';
import type { ControlGroup } from './control-group.js';
import { type Memory, parseMeminfo } from './parsers/meminfo.js';
import type { SystemFiles } from './system-files.js';

/** Used and total memory of the machine, or of the container if it has a limit. */
export interface MemoryUse {
  usedBytes: number;
  totalBytes: number;
  swap: { usedBytes: number; totalBytes: number } | null;
}

export function readMemoryUse(files: SystemFiles, group: ControlGroup): MemoryUse | null {
  const text = files.read('/proc/meminfo', '/proc/meminfo');
  const memory = text === null ? null : parseMeminfo(text);
  return memory === null ? null : memoryUse(memory, group.memory());
}

function memoryUse(memory: Memory, limit: ReturnType<ControlGroup['memory']>): MemoryUse {
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

export function sampleMemory(files: SystemFiles, group: ControlGroup, values: SampleValues): void {
  const use = readMemoryUse(files, group);
  if (use === null) return;
  values.add('MEM_USED_PERCENT', '', (100 * use.usedBytes) / use.totalBytes);
  values.add('MEM_USED_BYTES', '', use.usedBytes);
  if (use.swap !== null) values.add('SWAP_USED_PERCENT', '', swapPercent(use.swap));
}

/** Returns 0 without any swap, as other tools do, so that the series exists and alert rules can evaluate it. */
export function swapPercent({ usedBytes, totalBytes }: { usedBytes: number; totalBytes: number }): number {
  return totalBytes === 0 ? 0 : (100 * usedBytes) / totalBytes;
}
