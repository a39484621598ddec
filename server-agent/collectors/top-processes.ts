import type { Clock } from '../../kernel/clock.js';
import type { Process } from '../../proto/generated/picket/link/v1/Process.js';
import type { ProcessSample } from '../../proto/generated/picket/link/v1/ProcessSample.js';
import { processIds, readUptime } from './machine.js';
import { parsePasswd } from './parsers/passwd.js';
import { type ProcessStat, parseProcessStat } from './parsers/process-stat.js';
import type { SystemFiles } from './system-files.js';

/** The kernel gives times to programs in this unit, on every machine. */
const TICKS_PER_SECOND = 100;
const MEASURE_MS = 1_000;
const TOP = 10;
/** Processes read in one turn of the event loop, so that a machine with very many processes stays connected. */
const READS_PER_TURN = 500;

interface Measured {
  pid: number;
  stat: ProcessStat;
  cpuPercent: number;
}

export interface TopProcessesNeeds {
  files: SystemFiles;
  clock: Clock;
  /** Returns the control plane's time. */
  nowMs(): number;
  pageBytes: number;
  memoryBytes: number;
}

/** Returns the ten processes that use the most CPU over the next second, and the ten that use the most memory. */
export async function sampleTopProcesses(needs: TopProcessesNeeds): Promise<Omit<ProcessSample, 'nonce'>> {
  const measured = await measure(needs);
  const { atMs, describe } = createDescriber(needs);
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

async function measure({ files, clock }: TopProcessesNeeds): Promise<Measured[]> {
  const startedMs = clock.monotonic();
  const before = await readAll(files, clock);
  await clock.sleep(MEASURE_MS);
  const after = await readAll(files, clock);
  return [...after].map(([pid, { stat, atMs }]) => {
    const known = before.get(pid);
    // A process that started during the measurement, possibly with a reused pid, used all of its CPU time in it.
    const previous =
      known?.stat.startedTicks === stat.startedTicks ? known : { stat: { cpuTicks: 0 }, atMs: startedMs };
    // Each process has a time of its own, because reading all takes long on a busy machine or if the agent is stalled.
    const seconds = (atMs - previous.atMs) / 1000;
    const ticks = stat.cpuTicks - previous.stat.cpuTicks;
    return { pid, stat, cpuPercent: (100 * Math.max(0, ticks)) / TICKS_PER_SECOND / seconds };
  });
}

/** Returns the time of the sample, and a function that describes a process at that time. */
function createDescriber(needs: TopProcessesNeeds): { atMs: number; describe(measured: Measured): Process } {
  const { files } = needs;
  const users = parsePasswd(files.readOptional('/etc/passwd') ?? '');
  const atMs = Math.round(needs.nowMs());
  const bootedMs = atMs - (readUptime(files) ?? 0) * 1000;
  return {
    atMs,
    describe({ pid, stat, cpuPercent }) {
      const owner = files.owner(`/proc/${pid}`);
      const memoryBytes = stat.residentPages * needs.pageBytes;
      return {
        pid,
        name: stat.name,
        user: owner === null ? '' : (users.get(owner) ?? String(owner)),
        cpuPercent: Math.round(cpuPercent * 100) / 100,
        memoryBytes,
        memoryPercent: Math.round((10_000 * memoryBytes) / needs.memoryBytes) / 100,
        startedAtMs: Math.round(bootedMs + (stat.startedTicks * 1000) / TICKS_PER_SECOND),
      };
    },
  };
}

/** A process and when it was read, by the monotonic clock. */
interface ReadStat {
  stat: ProcessStat;
  atMs: number;
}

async function readAll(files: SystemFiles, clock: Clock): Promise<Map<number, ReadStat>> {
  const stats = new Map<number, ReadStat>();
  const ids = processIds(files) ?? [];
  for (let start = 0; start < ids.length; start += READS_PER_TURN) {
    if (start > 0) await clock.sleep(0);
    for (const pid of ids.slice(start, start + READS_PER_TURN)) {
      const text = files.readOptional(`/proc/${pid}/stat`);
      const stat = text === null ? null : parseProcessStat(text);
      if (stat !== null) stats.set(Number(pid), { stat, atMs: clock.monotonic() });
    }
  }
  return stats;
}
