import { readdir, readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '../../../kernel/clock.js';

const PERIOD_MS = 10;
const MIB_KIB = 1024;

/** What the child processes of another process took, at most, while they were watched. */
export interface ChildrenPeak {
  /** Processes at the same time. One that ends while the next one starts does not count. */
  processes: number;
  /** The resident memory of the largest one, in MiB. */
  memoryMib: number;
  /**
   * What all of them and their parent took at the same time, in MiB. The pages of files, which are those of the program of
   * Node.js, count once. `Pss` would count less than that: other processes of the machine share them too.
   */
  togetherMib: number;
}

/** Two processes run at the same time if they are both there this many times in succession. */
const LOOKS = 5;

/**
 * Watches the child processes of another process until `stop`. The memory of each is its highest so far, which the kernel
 * counts, so that a short peak between two looks is not missed.
 */
export function watchChildren(
  pid: number,
  clock: Pick<Clock, 'sleep'> = systemClock,
): { stop(): Promise<ChildrenPeak> } {
  const peak: ChildrenPeak = { processes: 0, memoryMib: 0, togetherMib: 0 };
  const stopping = new AbortController();

  let counts: number[] = [];
  async function look(): Promise<void> {
    const children = await childrenOf(pid);
    peak.togetherMib = Math.max(peak.togetherMib, await together([pid, ...children]));
    const sizes = await Promise.all(children.map((child) => memoryOf(child, 'VmHWM')));
    counts = [...counts, sizes.filter((size) => size > 0).length].slice(-LOOKS);
    if (counts.length === LOOKS) peak.processes = Math.max(peak.processes, Math.min(...counts));
    peak.memoryMib = Math.max(peak.memoryMib, ...sizes);
  }

  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await clock.sleep(PERIOD_MS, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return peak;
    },
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter((child) => child !== '')).map(Number);
}

async function together(pids: readonly number[]): Promise<number> {
  const own = await Promise.all(pids.map((pid) => memoryOf(pid, 'RssAnon')));
  const program = await Promise.all(pids.map((pid) => memoryOf(pid, 'RssFile')));
  return own.reduce((sum, size) => sum + size, 0) + Math.max(...program);
}

/** Returns a counter of the kernel in MiB (`man 5 proc_pid_status`); 0 for a process that has ended. */
async function memoryOf(pid: number, counter: 'VmHWM' | 'RssAnon' | 'RssFile'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${counter}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / MIB_KIB;
}
