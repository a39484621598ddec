/** The memory of the machine, in bytes. */
export interface Memory {
  total: number;
  available: number;
  swapTotal: number;
  swapFree: number;
}

/** Parses `/proc/meminfo`. Returns null if the total or the free memory is missing. */
export function parseMeminfo(text: string): Memory | null {
  const bytes = (name: string): number | null => {
    const found = new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1];
    return found === undefined ? null : Number(found) * 1024;
  };
  const total = bytes('MemTotal');
  const free = bytes('MemFree');
  if (total === null || free === null) return null;
  // Kernels before 3.14 have no MemAvailable. This sum is the usual approximation.
  const available = bytes('MemAvailable') ?? free + (bytes('Buffers') ?? 0) + (bytes('Cached') ?? 0);
  return { total, available, swapTotal: bytes('SwapTotal') ?? 0, swapFree: bytes('SwapFree') ?? 0 };
}
