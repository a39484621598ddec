import { readFile, writeFile } from 'node:fs/promises';

const MIB_KIB = 1024;

/** The resident memory of another process in MiB: the current value, and the highest since `resetPeak`. */
export interface PeakMemory {
  now(): Promise<number>;
  peak(): Promise<number>;
  /** Sets the peak to the current value. */
  resetPeak(): Promise<void>;
}

/** Reads the counters of the kernel (`man 5 proc_pid_status`), which miss no peak between two reads. */
export function peakMemory(pid: number): PeakMemory {
  const field = async (name: string) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / MIB_KIB;
  };
  return {
    now: () => field('VmRSS'),
    peak: () => field('VmHWM'),
    resetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
  };
}
