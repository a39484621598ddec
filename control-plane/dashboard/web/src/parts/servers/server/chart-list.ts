import type { ServerMetrics } from '../../../api/types.ts';

type Series = ServerMetrics['series'];

/** One chart of a server: lines without any point are left out. */
export interface ServerChart {
  title: string;
  unit: string;
  format: 'percent' | 'load' | 'rate';
  lines: { label: string; points: Series[string] }[];
}

/** The words of the charts. */
interface ChartWords {
  cpu: string;
  cpuBusy: string;
  cpuWait: string;
  cpuSteal: string;
  load: string;
  loadUnit(cores: number | null): string;
  load1: string;
  load5: string;
  load15: string;
  memory: string;
  memoryUsed: string;
  swapUsed: string;
  disk: string;
  diskIo: string;
  diskRead: string;
  diskWrite: string;
  network: string;
  received: string;
  sent: string;
  percent: string;
  perSecond: string;
}

const MOUNT = 'disk_used_percent:';

/**
 * Returns the charts of what the API answered. A line that has no point in the whole range, such as that of the
 * hypervisor on a real machine, would only need explaining; a chart stays, so that pages of servers look the same. Pure.
 */
export function chartsOf(series: Series, words: ChartWords, cores: number | null): ServerChart[] {
  const line = (label: string, name: string) => ({ label, points: series[name] ?? [] });
  const mounts = Object.keys(series).filter((name) => name.startsWith(MOUNT));
  const percent = { unit: words.percent, format: 'percent' } as const;
  const rate = { unit: words.perSecond, format: 'rate' } as const;
  const charts: ServerChart[] = [
    {
      ...{ title: words.cpu, ...percent },
      lines: [
        line(words.cpuBusy, 'cpu_percent'),
        line(words.cpuWait, 'cpu_iowait_percent'),
        line(words.cpuSteal, 'cpu_steal_percent'),
      ],
    },
    {
      ...{ title: words.memory, ...percent },
      lines: [line(words.memoryUsed, 'mem_used_percent'), line(words.swapUsed, 'swap_used_percent')],
    },
    {
      ...{ title: words.load, unit: words.loadUnit(cores), format: 'load' },
      lines: [line(words.load1, 'load_1'), line(words.load5, 'load_5'), line(words.load15, 'load_15')],
    },
    { ...{ title: words.disk, ...percent }, lines: mounts.sort().map((name) => line(name.slice(MOUNT.length), name)) },
    {
      ...{ title: words.diskIo, ...rate },
      lines: [line(words.diskRead, 'disk_read_rate'), line(words.diskWrite, 'disk_write_rate')],
    },
    {
      ...{ title: words.network, ...rate },
      lines: [line(words.received, 'net_bytes_recv_rate'), line(words.sent, 'net_bytes_sent_rate')],
    },
  ];
  return charts.map((chart) => ({ ...chart, lines: chart.lines.filter(({ points }) => points.length > 0) }));
}
