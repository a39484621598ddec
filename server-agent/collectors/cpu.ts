import { type RateWindow, stepOf } from '../rates.js';
import type { ReportValues } from '../report-values.js';
import type { DeviceBounds } from './bounded.js';
import type { ControlGroup } from './control-group.js';
import type { SystemFiles } from './system-files.js';

/** Time that processors spent, in ticks of 1/100 s since the start of the machine. */
export interface CpuTimes {
  idle: number;
  iowait: number;
  steal: number;
  /** All there is, with the three above. */
  total: number;
}

/** Parts of the time between two readings, percent. */
export interface CpuShares {
  used: number;
  iowait: number;
  steal: number;
}

/** A time that falls by more began anew, as of a core that was taken away; by less it is the kernel's own rounding. */
const FALL_TICKS_MAX = 100;

/**
 * `/proc/stat` by core number; the whole machine is ''. The kernel counts what guests use in `user` and `nice`
 * already, so `guest` and `guest_nice` are left out.
 */
export function parseCpuTimes(text: string): Map<string, CpuTimes> {
  const all = new Map<string, CpuTimes>();
  // Only the first lines: those on interrupts behind them are long.
  for (let start = 0; text.startsWith('cpu', start); ) {
    const end = text.indexOf('\n', start);
    const [name = '', ...numbers] = text.slice(start, end < 0 ? undefined : end).split(/ +/);
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = numbers.map(Number);
    const total = user + nice + system + idle + iowait + irq + softirq + steal;
    all.set(name.slice('cpu'.length), { idle, iowait, steal, total });
    if (end < 0) break;
    start = end + 1;
  }
  return all;
}

/**
 * Used is what is neither idle nor waiting for a disk, as in `htop`. Time that the hypervisor gave to others counts
 * as used: something here wanted to run and could not, and `cpu_steal_percent` says how much of it that was. null
 * when the two readings are not of one row.
 */
export function cpuShares(before: CpuTimes, after: CpuTimes): CpuShares | null {
  const deltas = {
    idle: after.idle - before.idle,
    iowait: after.iowait - before.iowait,
    steal: after.steal - before.steal,
    total: after.total - before.total,
  };
  if (deltas.total <= 0 || Object.values(deltas).some((delta) => delta < -FALL_TICKS_MAX)) return null;
  const total = deltas.total - Math.min(0, deltas.idle) - Math.min(0, deltas.iowait) - Math.min(0, deltas.steal);
  const percent = (ticks: number) => Math.min(100, (100 * Math.max(0, ticks)) / total);
  const iowait = percent(deltas.iowait);
  return { used: Math.max(0, 100 - percent(deltas.idle) - iowait), iowait, steal: percent(deltas.steal) };
}

export interface CpuCollector {
  sample(atMs: number, values: ReportValues): void;
}

export function createCpuCollector(options: {
  files: SystemFiles;
  group: ControlGroup;
  bounds: DeviceBounds;
  window: RateWindow;
}): CpuCollector {
  const { files, group, bounds, window } = options;
  let before: { atMs: number; times: Map<string, CpuTimes>; groupUsec: number | null } | null = null;

  return {
    sample(atMs, values) {
      const text = files.read('/proc/stat', '/proc/stat');
      if (text === null) return;
      const now = { atMs, times: parseCpuTimes(text), groupUsec: group.cpuUsageUsec() };
      const step = stepOf(before?.atMs ?? null, atMs, window);
      const last = before;
      if (step !== 'too_soon') before = now;
      if (last === null || step !== 'measured') return;
      const cores = group.cpuCores();
      if (cores !== null) {
        // What /proc/stat says is of the whole host then, and so would be its cores.
        if (last.groupUsec === null || now.groupUsec === null || now.groupUsec < last.groupUsec) return;
        const share = (now.groupUsec - last.groupUsec) / 1000 / ((atMs - last.atMs) * cores);
        values.add('CPU_PERCENT', '', Math.min(100, share * 100));
        return;
      }
      // The whole machine is the first of them.
      for (const [core, times] of [...now.times].slice(0, 1).concat(bounds.first('cores', [...now.times].slice(1)))) {
        const was = last.times.get(core);
        const shares = was === undefined ? null : cpuShares(was, times);
        if (shares === null) continue;
        values.add('CPU_PERCENT', core, shares.used);
        if (core !== '') continue;
        values.add('CPU_IOWAIT_PERCENT', '', shares.iowait);
        values.add('CPU_STEAL_PERCENT', '', shares.steal);
      }
    },
  };
}
