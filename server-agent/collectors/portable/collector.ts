import { availableParallelism } from 'node:os';
import { fsSize, mem, networkConnections, networkInterfaces, processes, time } from 'systeminformation';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createSampleValues, type SampleValues } from '../../sample-values.js';
import type { Collector, ServerParts } from '../collector.js';
import { createDeviceLimits, DEVICES_MAX } from '../device-limits.js';
import { createReadWarnings } from '../read-warnings.js';
import { portableTopProcesses } from './processes.js';
import { createPortableRates } from './rates.js';
import { realFileSystems, sampleCpu, sampleFileSystems, sampleMemory } from './values.js';

export interface PortableCollectorNeeds {
  intervalMs: number;
  clock: Clock;
  logger: Logger;
}

/** The collector for systems without /proc. It uses `systeminformation`, which runs programs of the system. */
export function createPortableCollector(needs: PortableCollectorNeeds): Collector {
  const limits = createDeviceLimits(needs.logger);
  const rates = createPortableRates({ intervalMs: needs.intervalMs, limits });
  const warn = createReadWarnings(needs.logger);

  /** If one kind of value cannot be read, the sample still contains the others. */
  async function attempt(kind: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      warn(kind, error);
    }
  }

  return {
    async sample(monotonic) {
      const values = createSampleValues();
      await Promise.all([
        attempt('the CPU', () => sampleCpu(values, limits)),
        attempt('the memory', () => sampleMemory(values)),
        attempt('the file systems', () => sampleFileSystems(values, limits)),
        attempt('the network', () => rates.sampleNetwork(monotonic, values)),
        attempt('the disks', () => rates.sampleDisks(monotonic, values)),
        attempt('the processes', async () => values.add('PROCESSES', '', (await processes()).all)),
        attempt('the connections', () => sampleConnections(values)),
      ]);
      values.add('UPTIME_SECONDS', '', time().uptime);
      return values.all();
    },
    parts: async () => ({ ...(await readParts()), devicesLeftOut: limits.leftOut() }),
    processes: portableTopProcesses,
    uptimeSeconds: () => time().uptime,
  };
}

async function sampleConnections(values: SampleValues): Promise<void> {
  const open = (await networkConnections()).filter(({ state }) => state === 'ESTABLISHED');
  values.add('TCP_CONNECTIONS', '', open.length);
}

async function readParts(): Promise<Omit<ServerParts, 'devicesLeftOut'>> {
  const [memory, sizes, found] = await Promise.all([mem(), fsSize(), networkInterfaces()]);
  const interfaces = [found].flat().filter(({ internal }) => !internal);
  const { ip4 = '', ip6 = '' } = interfaces.find((one) => one.default) ?? {};
  return {
    ip: ip4 || ip6,
    cpuCores: availableParallelism(),
    memoryBytes: memory.total,
    swapBytes: memory.swaptotal,
    disks: realFileSystems(sizes)
      .slice(0, DEVICES_MAX.mounts)
      .map(({ mount, fs, type, size, used, available }) => ({
        mount,
        device: fs,
        type,
        sizeBytes: size,
        usedBytes: used,
        availableBytes: available,
        blockDevice: '',
      })),
    interfaces: interfaces
      .slice(0, DEVICES_MAX.interfaces)
      .map(({ iface, mac, ip4: v4, ip6: v6, speed, operstate }) => ({
        name: iface,
        mac,
        addresses: [v4, v6].filter((address) => address !== ''),
        speedMbps: Math.max(0, speed ?? 0),
        up: operstate === 'up',
      })),
  };
}
