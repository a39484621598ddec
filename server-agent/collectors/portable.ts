import { availableParallelism } from 'node:os';
import {
  currentLoad,
  fsSize,
  fsStats,
  mem,
  networkConnections,
  networkInterfaces,
  networkStats,
  processes,
  type Systeminformation,
  time,
} from 'systeminformation';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Process } from '../../proto/generated/picket/link/v1/Process.js';
import { type CounterState, nextRates, rateWindow } from '../rates.js';
import { createReportValues, isDeviceName, type MetricName, type ReportValues } from '../report-values.js';
import { sumOfKnown } from './block-devices.js';
import { createDeviceBounds, type DeviceBounds } from './bounded.js';
import type { Collector } from './collector.js';
import { swapPercent } from './memory.js';

const TOP = 10;

/** For systems without /proc: by `systeminformation`, which asks the system's own programs. */
export function createPortableCollector(options: { intervalMs: number; clock: Clock; logger: Logger }): Collector {
  const window = rateWindow(options.intervalMs);
  const bounds = createDeviceBounds(options.logger);
  const told = new Set<string>();
  let network: CounterState | null = null;
  let disks: CounterState | null = null;

  /** What one kind of value could not be read for is told once, and the others are read all the same. */
  async function attempt(kind: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (told.has(kind)) return;
      told.add(kind);
      options.logger.warn({ err: error }, `cannot read ${kind}, its values are left out`);
    }
  }

  async function sampleNetwork(atMs: number, values: ReportValues): Promise<void> {
    const interfaces = (await networkStats('*')).filter(({ iface }) => isDeviceName(iface) && !/^lo\d*$/.test(iface));
    const counters = new Map<string, number>();
    for (const { iface, rx_bytes, tx_bytes } of interfaces) {
      counters.set(`r ${iface}`, rx_bytes);
      counters.set(`s ${iface}`, tx_bytes);
    }
    network = nextRates(network, atMs, counters, window);
    const names = interfaces.map(({ iface }) => iface);
    addRates(values, network, 'NET_BYTES_RECV_RATE', 'r', bounds.first('interfaces', names));
    addRates(values, network, 'NET_BYTES_SENT_RATE', 's', bounds.first('interfaces', names));
  }

  async function sampleDisks(atMs: number, values: ReportValues): Promise<void> {
    // Of the whole machine: systems without /proc do not tell it by device.
    const moved = await fsStats();
    if (moved === null) return;
    disks = nextRates(
      disks,
      atMs,
      new Map([
        ['r', moved.rx],
        ['w', moved.wx],
      ]),
      window,
    );
    values.add('DISK_READ_RATE', '', disks.rates.get('r') ?? Number.NaN);
    values.add('DISK_WRITE_RATE', '', disks.rates.get('w') ?? Number.NaN);
  }

  return {
    async sample(atMs) {
      const values = createReportValues();
      await Promise.all([
        attempt('the processor', () => sampleProcessor(values, bounds)),
        attempt('the memory', () => sampleMemory(values)),
        attempt('the file systems', () => sampleFileSystems(values, bounds)),
        attempt('the network', () => sampleNetwork(atMs, values)),
        attempt('the disks', () => sampleDisks(atMs, values)),
        attempt('the processes', async () => values.add('PROCESSES', '', (await processes()).all)),
        attempt('the connections', async () => {
          const open = (await networkConnections()).filter(({ state }) => state === 'ESTABLISHED');
          values.add('TCP_CONNECTIONS', '', open.length);
        }),
      ]);
      values.add('UPTIME_SECONDS', '', time().uptime);
      return values.all();
    },
    async parts() {
      const [memory, sizes, found] = await Promise.all([mem(), fsSize(), networkInterfaces()]);
      const interfaces = [found].flat().filter(({ internal }) => !internal);
      const { ip4 = '', ip6 = '' } = interfaces.find((one) => one.default) ?? {};
      return {
        ip: ip4 || ip6,
        cpuCores: availableParallelism(),
        memoryBytes: memory.total,
        swapBytes: memory.swaptotal,
        devicesLeftOut: bounds.leftOut(),
        disks: realSizes(sizes).map(({ mount, fs, type, size, used, available }) => ({
          mount,
          device: fs,
          type,
          sizeBytes: size,
          usedBytes: used,
          availableBytes: available,
          blockDevice: '',
        })),
        interfaces: interfaces.map(({ iface, mac, ip4: v4, ip6: v6, speed, operstate }) => ({
          name: iface,
          mac,
          addresses: [v4, v6].filter((address) => address !== ''),
          speedMbps: Math.max(0, speed ?? 0),
          up: operstate === 'up',
        })),
      };
    },
    async processes(nowMs) {
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
    },
    uptimeSeconds: () => time().uptime,
  };
}

async function sampleProcessor(values: ReportValues, bounds: DeviceBounds): Promise<void> {
  const load = await currentLoad();
  values.add('CPU_PERCENT', '', load.currentLoad);
  values.add('LOAD_1', '', load.avgLoad);
  for (const [core, { load: percent }] of bounds.first('cores', load.cpus).entries()) {
    values.add('CPU_PERCENT', String(core), percent);
  }
}

async function sampleMemory(values: ReportValues): Promise<void> {
  const { total, available, swaptotal, swapused } = await mem();
  values.add('MEM_USED_PERCENT', '', (100 * (total - available)) / total);
  values.add('MEM_USED_BYTES', '', total - available);
  values.add('SWAP_USED_PERCENT', '', swapPercent({ usedBytes: swapused, totalBytes: swaptotal }));
}

async function sampleFileSystems(values: ReportValues, bounds: DeviceBounds): Promise<void> {
  const sizes = bounds.first('mounts', realSizes(await fsSize()));
  const percents = sizes.map(({ used, available }) => (100 * used) / (used + available));
  values.add('DISK_USED_PERCENT', '', Math.max(-1, ...percents));
  for (const [at, { mount }] of sizes.entries()) values.add('DISK_USED_PERCENT', mount, percents[at] ?? Number.NaN);
}

function realSizes(sizes: Systeminformation.FsSizeData[]): Systeminformation.FsSizeData[] {
  return sizes.filter(({ mount, size, used, available }) => isDeviceName(mount) && size > 0 && used + available > 0);
}

function addRates(
  values: ReportValues,
  { rates }: CounterState,
  metric: MetricName,
  prefix: string,
  names: readonly string[],
): void {
  const rateOf = (name: string) => rates.get(`${prefix} ${name}`) ?? Number.NaN;
  values.add(metric, '', sumOfKnown(names.map(rateOf)));
  for (const name of names) values.add(metric, name, rateOf(name));
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
