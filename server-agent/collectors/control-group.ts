import type { SystemFiles } from './system-files.js';

/**
 * The limits of the control group (v2) that is this container's root. On a machine of its own the root group has
 * none of these files, and what the agent's own service may use is no limit of the server's.
 */
export interface ControlGroup {
  /** Cores that may be used at the same time, such as 1.5; null: no limit. */
  cpuCores(): number | null;
  cpuUsageUsec(): number | null;
  /** null: no limit. */
  memory(): { limitBytes: number; usedBytes: number; swap: { limitBytes: number; usedBytes: number } | null } | null;
  /** Where its pressure stands; null on a machine of its own. */
  pressurePath(kind: 'cpu' | 'memory' | 'io'): string | null;
}

const ROOT = '/sys/fs/cgroup';

/** `200000 100000` is two cores; `max 100000` none less than there are. */
export function parseCpuMax(text: string): number | null {
  const [quota = '', period = ''] = text.trim().split(' ');
  const cores = Number(quota) / Number(period);
  return Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** Value of one line `name value`. */
export function parseKeyed(text: string, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

export function createControlGroup(options: {
  files: SystemFiles;
  /** Of the machine. */
  cores: number;
  memoryBytes: number;
}): ControlGroup {
  const { files } = options;
  // Whether there are limits does not change while it runs; which they are, may.
  const hasCpuMax = files.exists(`${ROOT}/cpu.max`);
  const hasMemoryMax = files.exists(`${ROOT}/memory.max`);

  function bytes(name: string): number | null {
    const text = hasMemoryMax ? files.readIfThere(`${ROOT}/${name}`)?.trim() : undefined;
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  }

  return {
    cpuCores() {
      const text = hasCpuMax ? files.readIfThere(`${ROOT}/cpu.max`) : null;
      const cores = text === null ? null : parseCpuMax(text);
      return cores !== null && cores < options.cores ? cores : null;
    },
    cpuUsageUsec() {
      const text = hasCpuMax ? files.readIfThere(`${ROOT}/cpu.stat`) : null;
      return text === null ? null : parseKeyed(text, 'usage_usec');
    },
    memory() {
      const limitBytes = bytes('memory.max');
      const current = limitBytes === null ? null : bytes('memory.current');
      if (limitBytes === null || current === null || limitBytes >= options.memoryBytes) return null;
      // Files that nobody looked at lately are given back before anything is refused: they are available.
      const inactive = parseKeyed(files.readIfThere(`${ROOT}/memory.stat`) ?? '', 'inactive_file') ?? 0;
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
