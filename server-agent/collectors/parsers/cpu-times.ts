/** Time that processors spent, in ticks of 1/100 s since the start of the machine. */
export interface CpuTimes {
  idle: number;
  iowait: number;
  steal: number;
  /** All time, including the three above. */
  total: number;
}

/** Shares of the time between two readings, in percent. */
export interface CpuShares {
  used: number;
  iowait: number;
  steal: number;
}

/** A counter that falls by more was reset, for example because the core was removed. Less is rounding by the kernel. */
const FALL_TICKS_MAX = 100;

/**
 * Returns the times of `/proc/stat` by core number; the key of the whole machine is ''. The columns `guest` and
 * `guest_nice` are not added, because `user` and `nice` already include them.
 */
export function parseCpuTimes(text: string): Map<string, CpuTimes> {
  const all = new Map<string, CpuTimes>();
  // Only the first lines are read, because the later line about interrupts is long.
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
 * Returns the shares between two readings; null if a counter was reset or no time passed. As in `htop`, time is used
 * if it is neither idle nor iowait. Stolen time counts as used, because a process was ready to run and could not;
 * `cpu_steal_percent` shows how much of the used time was stolen.
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
