import { readFile, writeFile } from 'node:fs/promises';

const MIB_KIB = 1024;

/** The resident memory of another process, MiB: what it holds now, and the most it ever held since `forgetPeak`. */
export interface PeakMemory {
  now(): Promise<number>;
  peak(): Promise<number>;
  /** The peak begins anew at what is held now. */
  forgetPeak(): Promise<void>;
}

/** Reads the kernel's own books (`man 5 proc_pid_status`), which miss no peak between two looks. */
export function peakMemory(pid: number): PeakMemory {
  const field = async (name: string) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / MIB_KIB;
  };
  return {
    now: () => field('VmRSS'),
    peak: () => field('VmHWM'),
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
  };
}
