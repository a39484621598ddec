import { currentLoad, fsSize, mem, type Systeminformation } from 'systeminformation';
import { isDeviceName } from '../../../proto/metrics.js';
import type { SampleValues } from '../../sample-values.js';
import type { DeviceLimits } from '../device-limits.js';
import { swapPercent } from '../memory.js';

export async function sampleCpu(values: SampleValues, limits: DeviceLimits): Promise<void> {
  const load = await currentLoad();
  values.add('CPU_PERCENT', '', load.currentLoad);
  values.add('LOAD_1', '', load.avgLoad);
  for (const [core, { load: percent }] of limits.first('cores', load.cpus).entries()) {
    values.add('CPU_PERCENT', String(core), percent);
  }
}

export async function sampleMemory(values: SampleValues): Promise<void> {
  const { total, available, swaptotal, swapused } = await mem();
  values.add('MEM_USED_PERCENT', '', (100 * (total - available)) / total);
  values.add('MEM_USED_BYTES', '', total - available);
  values.add('SWAP_USED_PERCENT', '', swapPercent({ usedBytes: swapused, totalBytes: swaptotal }));
}

export async function sampleFileSystems(values: SampleValues, limits: DeviceLimits): Promise<void> {
  const sizes = limits.first('mounts', realFileSystems(await fsSize()));
  const percents = sizes.map(({ used, available }) => (100 * used) / (used + available));
  values.add('DISK_USED_PERCENT', '', Math.max(-1, ...percents));
  for (const [index, { mount }] of sizes.entries()) {
    values.add('DISK_USED_PERCENT', mount, percents[index] ?? Number.NaN);
  }
}

/** Returns the file systems that have a size. */
export function realFileSystems(sizes: Systeminformation.FsSizeData[]): Systeminformation.FsSizeData[] {
  return sizes.filter(({ mount, size, used, available }) => isDeviceName(mount) && size > 0 && used + available > 0);
}
