import { availableParallelism, cpus, uptime } from 'node:os';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { rateWindow } from '../rates.js';
import { createSampleValues } from '../sample-values.js';
import { createBlockDevices } from './block-devices.js';
import type { Collector } from './collector.js';
import { createControlGroup } from './control-group.js';
import { createCpuCollector } from './cpu.js';
import { createDeviceLimits } from './device-limits.js';
import { createFileSystems } from './file-systems.js';
import { primaryAddress, readInterfaces } from './interfaces.js';
import { readUptime, sampleMachine } from './machine.js';
import { readMemoryUse, sampleMemory } from './memory.js';
import { createNetwork } from './network.js';
import { parseMeminfo } from './parsers/meminfo.js';
import { createPressure } from './pressure.js';
import { createProcessCount } from './process-count.js';
import { createSystemFiles, type SystemFiles } from './system-files.js';
import { sampleTopProcesses } from './top-processes.js';

const PAGE_BYTES_DEFAULT = 4096;

export interface LinuxCollectorNeeds {
  /** `/` except in tests. */
  root: string;
  intervalMs: number;
  clock: Clock;
  logger: Logger;
}

/** Reads /proc and /sys without privileges. It starts no process and keeps no file open. */
export function createLinuxCollector(needs: LinuxCollectorNeeds): Collector {
  const { clock } = needs;
  const files = createSystemFiles(needs);
  const limits = createDeviceLimits(needs.logger);
  const window = rateWindow(needs.intervalMs);
  const memoryBytes = parseMeminfo(files.read('/proc/meminfo', '/proc/meminfo') ?? '')?.total ?? 0;
  const cores = cpus().length || availableParallelism();
  const group = createControlGroup({ files, cores, memoryBytes });
  const cpu = createCpuCollector({ files, group, limits, window });
  const fileSystems = createFileSystems({ files, limits });
  const blockDevices = createBlockDevices({ files, limits, window });
  const pressure = createPressure(files, group);
  const countProcesses = createProcessCount(files);
  const network = createNetwork({ files, limits, window });

  return {
    async sample(monotonic) {
      const values = createSampleValues();
      cpu.sample(monotonic, values);
      sampleMemory(files, group, values);
      fileSystems.sample(values);
      sampleMachine(files, values);
      pressure.sample(values);
      values.add('PROCESSES', '', countProcesses() ?? Number.NaN);
      blockDevices.sample(monotonic, values);
      network.sample(monotonic, values);
      return values.all();
    },
    async parts() {
      const memory = readMemoryUse(files, group);
      const interfaces = readInterfaces(files);
      return {
        ip: primaryAddress(files, interfaces),
        cpuCores: Math.max(1, Math.ceil(group.cpuCores() ?? cores)),
        memoryBytes: memory?.totalBytes ?? 0,
        swapBytes: memory?.swap?.totalBytes ?? 0,
        disks: fileSystems.disks(),
        interfaces,
        devicesLeftOut: limits.leftOut(),
      };
    },
    processes: (nowMs) =>
      sampleTopProcesses({
        files,
        clock,
        nowMs,
        pageBytes: pageBytes(files),
        memoryBytes: group.memory()?.limitBytes ?? memoryBytes,
      }),
    uptimeSeconds: () => readUptime(files) ?? uptime(),
  };
}

function pageBytes(files: SystemFiles): number {
  const kibibytes = /^KernelPageSize: +(\d+) kB/m.exec(files.readOptional('/proc/self/smaps') ?? '')?.[1];
  return kibibytes === undefined ? PAGE_BYTES_DEFAULT : Number(kibibytes) * 1024;
}
