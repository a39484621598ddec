import type { Clock } from '../../kernel/clock.js';
import type { Process } from '../../proto/generated/picket/link/v1/Process.js';
import type { ProcessSample } from '../../proto/generated/picket/link/v1/ProcessSample.js';
import { processIds, readUptime } from './machine.js';
import type { SystemFiles } from './system-files.js';

/** What `/proc/<pid>/stat` says. */
export interface ProcessStat {
  /** What the process calls itself, 15 characters of it: a command line may hold secrets and is never read. */
  name: string;
  /** User and system time, in ticks of 1/100 s. */
  cpuTicks: number;
  /** After the start of the machine, in ticks. */
  startedTicks: number;
  residentPages: number;
}

/** Ticks in which the kernel tells times to programs, whatever it counts in itself. */
const TICKS_PER_SECOND = 100;
const BETWEEN_MS = 1_000;
const TOP = 10;
/** Of each turn of the event loop, so that a machine with very many processes keeps its link alive. */
const READ_AT_ONCE = 500;

/** null for what is no such line. The name stands in parentheses and may hold any character, also parentheses. */
export function parseProcessStat(text: string): ProcessStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  // The third field of the line is the first one here.
  const fields = text.slice(close + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const stat = {
    name: text.slice(open + 1, close),
    cpuTicks: field(14) + field(15),
    startedTicks: field(22),
    residentPages: field(24),
  };
  return Number.isFinite(stat.cpuTicks + stat.startedTicks + stat.residentPages) ? stat : null;
}

/** Names by number, of `/etc/passwd`. */
export function parsePasswd(text: string): Map<number, string> {
  const users = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [name = '', , id = ''] = line.split(':');
    if (name !== '' && /^\d+$/.test(id) && !users.has(Number(id))) users.set(Number(id), name);
  }
  return users;
}

interface Measured {
  pid: number;
  stat: ProcessStat;
  cpuPercent: number;
}

/** The ten processes that use most of the processor within one second from now, and of the memory. */
export async function sampleBusiest(options: {
  files: SystemFiles;
  clock: Clock;
  /** Of the control plane's clock, epoch milliseconds. */
  now(): number;
  pageBytes: number;
  memoryBytes: number;
}): Promise<Omit<ProcessSample, 'nonce'>> {
  const { files, clock } = options;
  const before = await readAll(files, clock);
  const beforeMs = clock.monotonic();
  await clock.sleep(BETWEEN_MS);
  const seconds = (clock.monotonic() - beforeMs) / 1000;
  const after = await readAll(files, clock);
  const measured: Measured[] = [];
  for (const [pid, stat] of after) {
    const was = before.get(pid);
    // A number that another process has by now, or a process that began since: all it used was used just now.
    const ticks = was?.startedTicks === stat.startedTicks ? stat.cpuTicks - was.cpuTicks : stat.cpuTicks;
    measured.push({ pid, stat, cpuPercent: (100 * Math.max(0, ticks)) / TICKS_PER_SECOND / seconds });
  }
  const users = parsePasswd(files.readIfThere('/etc/passwd') ?? '');
  const atMs = Math.round(options.now());
  const bootedMs = atMs - (readUptime(files) ?? 0) * 1000;
  const describe = ({ pid, stat, cpuPercent }: Measured): Process => {
    const owner = files.owner(`/proc/${pid}`);
    const memoryBytes = stat.residentPages * options.pageBytes;
    return {
      pid,
      name: stat.name,
      user: owner === null ? '' : (users.get(owner) ?? String(owner)),
      cpuPercent: Math.round(cpuPercent * 100) / 100,
      memoryBytes,
      memoryPercent: Math.round((10_000 * memoryBytes) / options.memoryBytes) / 100,
      startedAtMs: Math.round(bootedMs + (stat.startedTicks * 1000) / TICKS_PER_SECOND),
    };
  };
  const top = (size: (process: Measured) => number) =>
    [...measured]
      .sort((a, b) => size(b) - size(a))
      .slice(0, TOP)
      .map(describe);
  return {
    atMs,
    total: measured.length,
    byCpu: top((process) => process.cpuPercent),
    byMemory: top((process) => process.stat.residentPages),
  };
}

async function readAll(files: SystemFiles, clock: Clock): Promise<Map<number, ProcessStat>> {
  const stats = new Map<number, ProcessStat>();
  const ids = processIds(files) ?? [];
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    if (start > 0) await clock.sleep(0);
    for (const pid of ids.slice(start, start + READ_AT_ONCE)) {
      const text = files.readIfThere(`/proc/${pid}/stat`);
      const stat = text === null ? null : parseProcessStat(text);
      if (stat !== null) stats.set(Number(pid), stat);
    }
  }
  return stats;
}
