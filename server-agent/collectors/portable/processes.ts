import { mem, processes, type Systeminformation } from 'systeminformation';
import type { Process } from '../../../proto/generated/picket/link/v1/Process.js';
import type { ProcessSample } from '../../../proto/generated/picket/link/v1/ProcessSample.js';

const TOP = 10;

/** Returns the processes that use the most CPU, and those that use the most memory. */
export async function portableTopProcesses(nowMs: () => number): Promise<Omit<ProcessSample, 'nonce'>> {
  const [{ all, list }, { total }] = await Promise.all([processes(), mem()]);
  const top = (size: (one: Systeminformation.ProcessesProcessData) => number) =>
    [...list]
      .sort((a, b) => size(b) - size(a))
      .slice(0, TOP)
      .map((one): Process => describe(one, total));
  return {
    atMs: Math.round(nowMs()),
    total: all,
    byCpu: top(({ cpu }) => cpu),
    byMemory: top((one) => one.memRss),
  };
}

function describe(one: Systeminformation.ProcessesProcessData, memoryBytes: number): Process {
  return {
    pid: one.pid,
    name: one.name,
    user: one.user,
    cpuPercent: one.cpu,
    memoryBytes: one.memRss * 1024,
    memoryPercent: (100 * one.memRss * 1024) / memoryBytes,
    startedAtMs: Date.parse(one.started) || 0,
  };
}
