import { parseCpuMax, parseKeyed } from './parsers/control-group-files.js';
import type { SystemFiles } from './system-files.js';

/**
 * The limits of the control group (v2) that is the root of this container. On a machine without a container, the root
 * group has no such files. The limits of the agent's own service are not those of the server, so they are not read.
 */
export interface ControlGroup {
  /** Returns how many cores may be used at the same time, such as 1.5; null without a limit. */
  cpuCores(): number | null;
  cpuUsageUsec(): number | null;
  /** Returns null without a limit. */
  memory(): { limitBytes: number; usedBytes: number; swap: { limitBytes: number; usedBytes: number } | null } | null;
  /** Returns the path of the group's pressure file; null on a machine without a container. */
  pressurePath(kind: 'cpu' | 'memory' | 'io'): string | null;
}

const ROOT = '/sys/fs/cgroup';

export function createControlGroup(needs: {
  files: SystemFiles;
  /** Cores of the machine. */
  cores: number;
  /** Memory of the machine. */
  memoryBytes: number;
}): ControlGroup {
  const { files } = needs;
  // The values of limits may change while the agent runs, but not whether there are any.
  const hasCpuMax = files.exists(`${ROOT}/cpu.max`);
  const hasMemoryMax = files.exists(`${ROOT}/memory.max`);

  function bytes(name: string): number | null {
    const text = hasMemoryMax ? files.readOptional(`${ROOT}/${name}`)?.trim() : undefined;
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  }

  return {
    cpuCores() {
      const text = hasCpuMax ? files.readOptional(`${ROOT}/cpu.max`) : null;
      const cores = text === null ? null : parseCpuMax(text);
      return cores !== null && cores < needs.cores ? cores : null;
    },
    cpuUsageUsec() {
      const text = hasCpuMax ? files.readOptional(`${ROOT}/cpu.stat`) : null;
      return text === null ? null : parseKeyed(text, 'usage_usec');
    },
    memory() {
      const limitBytes = bytes('memory.max');
      const current = limitBytes === null ? null : bytes('memory.current');
      if (limitBytes === null || current === null || limitBytes >= needs.memoryBytes) return null;
      // The kernel frees inactive page cache before an allocation fails, so that memory counts as available.
      const inactive = parseKeyed(files.readOptional(`${ROOT}/memory.stat`) ?? '', 'inactive_file') ?? 0;
      const swapLimit = bytes('memory.swap.max');
      const swapUsed = bytes('memory.swap.current');
      const swap = swapLimit === null || swapUsed === null ? null : { limitBytes: swapLimit, usedBytes: swapUsed };
      return { limitBytes, usedBytes: Math.max(0, current - inactive), swap };
    },
    pressurePath(kind) {
      const path = `${ROOT}/${kind}.pressure`;
      return hasMemoryMax && files.exists(path) ? path : null;
    },
  };
}
