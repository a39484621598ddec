import { availableParallelism, cpus, uptime } from 'node:os';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { rateWindow } from '../rates.js';
import { createReportValues } from '../report-values.js';
import { createBlockDevices } from './block-devices.js';
import { createDeviceBounds } from './bounded.js';
import { sampleBusiest } from './busiest.js';
import type { Collector } from './collector.js';
import { createControlGroup } from './control-group.js';
import { createCpuCollector } from './cpu.js';
import { createFileSystems } from './file-systems.js';
import { reachableAddress, readInterfaces } from './interfaces.js';
import { readUptime, sampleMachine } from './machine.js';
import { parseMeminfo, readMemoryUse, sampleMemory } from './memory.js';
import { createNetwork } from './network.js';
import { createPressure } from './pressure.js';
import { createProcessCount } from './process-count.js';
import { createSystemFiles, type SystemFiles } from './system-files.js';

const PAGE_BYTES_USUAL = 4096;

/** Reads /proc and /sys as any user may, starts no process and keeps no file open. `root` is `/` but in tests. */
export function createLinuxCollector(options: {
  root: string;
  intervalMs: number;
  clock: Clock;
  logger: Logger;
}): Collector {
  const { clock } = options;
  const files = createSystemFiles(options);
  const bounds = createDeviceBounds(options.logger);
  const window = rateWindow(options.intervalMs);
  const memoryBytes = parseMeminfo(files.read('/proc/meminfo', '/proc/meminfo') ?? '')?.total ?? 0;
  const cores = cpus().length || availableParallelism();
  const group = createControlGroup({ files, cores, memoryBytes });
  const cpu = createCpuCollector({ files, group, bounds, window });
  const fileSystems = createFileSystems({ files, bounds });
  const blockDevices = createBlockDevices({ files, bounds, window });
  const pressure = createPressure(files, group);
  const countProcesses = createProcessCount(files);
  const network = createNetwork({ files, bounds, window });

  return {
    async sample(atMs) {
      const values = createReportValues();
      cpu.sample(atMs, values);
      sampleMemory(files, group, values);
      fileSystems.sample(values);
      sampleMachine(files, values);
      pressure(values);
      values.add('PROCESSES', '', countProcesses() ?? Number.NaN);
      blockDevices.sample(atMs, values);
      network.sample(atMs, values);
      return values.all();
    },
    async parts() {
      const memory = readMemoryUse(files, group);
      const interfaces = readInterfaces(files);
      return {
        ip: reachableAddress(files, interfaces),
        cpuCores: Math.max(1, Math.ceil(group.cpuCores() ?? cores)),
        memoryBytes: memory?.totalBytes ?? 0,
        swapBytes: memory?.swap?.totalBytes ?? 0,
        disks: fileSystems.disks(),
        interfaces,
        devicesLeftOut: bounds.leftOut(),
      };
    },
    processes: (nowMs) =>
      sampleBusiest({
        files,
        clock,
        now: nowMs,
        pageBytes: pageBytes(files),
        memoryBytes: group.memory()?.limitBytes ?? memoryBytes,
      }),
    uptimeSeconds: () => readUptime(files) ?? uptime(),
  };
}

function pageBytes(files: SystemFiles): number {
  const kibibytes = /^KernelPageSize: +(\d+) kB/m.exec(files.readIfThere('/proc/self/smaps') ?? '')?.[1];
  return kibibytes === undefined ? PAGE_BYTES_USUAL : Number(kibibytes) * 1024;
}
