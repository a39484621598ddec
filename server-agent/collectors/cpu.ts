import { type RateWindow, readingTime, stepOf } from '../rates.js';
import type { SampleValues } from '../sample-values.js';
import type { ControlGroup } from './control-group.js';
import type { DeviceLimits } from './device-limits.js';
import { type CpuTimes, cpuShares, parseCpuTimes } from './parsers/cpu-times.js';
import type { SystemFiles } from './system-files.js';

export interface CpuCollector {
  sample(monotonic: () => number, values: SampleValues): void;
}

interface Reading {
  atMs: number;
  times: Map<string, CpuTimes>;
  /** CPU time used by the control group, in microseconds. */
  groupUsec: number | null;
}

export function createCpuCollector(needs: {
  files: SystemFiles;
  group: ControlGroup;
  limits: DeviceLimits;
  window: RateWindow;
}): CpuCollector {
  const { files, group, limits, window } = needs;
  let previous: Reading | null = null;

  function addMachine(before: Reading, now: Reading, values: SampleValues): void {
    // The first entry is the whole machine.
    for (const [core, times] of [...now.times].slice(0, 1).concat(limits.first('cores', [...now.times].slice(1)))) {
      const timesBefore = before.times.get(core);
      const shares = timesBefore === undefined ? null : cpuShares(timesBefore, times);
      if (shares === null) continue;
      values.add('CPU_PERCENT', core, shares.used);
      if (core !== '') continue;
      values.add('CPU_IOWAIT_PERCENT', '', shares.iowait);
      values.add('CPU_STEAL_PERCENT', '', shares.steal);
    }
  }

  return {
    sample(monotonic, values) {
      const beforeMs = monotonic();
      const text = files.read('/proc/stat', '/proc/stat');
      const groupUsec = group.cpuUsageUsec();
      const atMs = readingTime(beforeMs, monotonic(), window);
      if (text === null) return;
      const now = { atMs, times: parseCpuTimes(text), groupUsec };
      const step = stepOf(previous?.atMs ?? null, atMs, window);
      const before = previous;
      if (step !== 'too_soon') previous = now;
      if (before === null || step !== 'measured') return;
      const cores = group.cpuCores();
      // In a container with a CPU limit, /proc/stat is that of the whole host, so its values are not used.
      if (cores === null) addMachine(before, now, values);
      else addGroup(before, now, cores, values);
    },
  };
}

/** Adds the share that the container used of the cores that it may use. */
function addGroup(before: Reading, now: Reading, cores: number, values: SampleValues): void {
  if (before.groupUsec === null || now.groupUsec === null || now.groupUsec < before.groupUsec) return;
  const share = (now.groupUsec - before.groupUsec) / 1000 / ((now.atMs - before.atMs) * cores);
  values.add('CPU_PERCENT', '', Math.min(100, share * 100));
}
