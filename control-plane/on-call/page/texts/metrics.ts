import type { IncidentKind } from '../../../incidents/kind.js';
import type { Said } from '../said.js';

type Unit = 'percent' | 'bytes' | 'bytes_per_second' | 'seconds' | 'none';

/** The words of a language for the metrics of servers. The dashboard has the same. */
export interface MetricWords {
  names: Readonly<Record<keyof typeof UNITS, string>>;
  ofDevice(metric: string, device: string): string;
  /** By the symbol: `above` for `>`. */
  operators: Readonly<Record<string, string>>;
  sentence(metric: string, value: string, since: Said[number], limit: string): Said;
}

const UNITS = {
  cpu_percent: 'percent',
  mem_used_percent: 'percent',
  disk_used_percent: 'percent',
  load_1: 'none',
  load_5: 'none',
  load_15: 'none',
  swap_used_percent: 'percent',
  disk_inodes_used_percent: 'percent',
  cpu_iowait_percent: 'percent',
  cpu_steal_percent: 'percent',
  pressure_cpu_percent: 'percent',
  pressure_memory_percent: 'percent',
  pressure_io_percent: 'percent',
  net_bytes_recv_rate: 'bytes_per_second',
  net_bytes_sent_rate: 'bytes_per_second',
  disk_read_rate: 'bytes_per_second',
  disk_write_rate: 'bytes_per_second',
  mem_used_bytes: 'bytes',
  processes: 'none',
  tcp_connections: 'none',
  uptime_seconds: 'seconds',
} as const satisfies Readonly<Record<string, Unit>>;

const BYTES_IN_MB = 1_000_000;

type MetricFacts = Extract<ReturnType<IncidentKind['facts']>, { type: 'metric' }>;

/** `CPU: 97.2 % since … Limit of the rule: above 90 %.` */
export function metricCause(facts: MetricFacts, words: MetricWords, number: (value: number) => string): Said {
  const { metric, operator, threshold, value, since } = facts;
  const limit = `${words.operators[operator] ?? operator} ${amount(metric, threshold, number)}`;
  return words.sentence(label(metric, words), amount(metric, value, number), { atMs: Date.parse(since) }, limit);
}

/** Returns the name of a metric with its device; the series itself if the page does not know it. Pure. */
export function label(series: string, words: MetricWords): string {
  const [metric, device] = splitSeries(series);
  if (!isKnown(metric)) return series;
  return device === '' ? words.names[metric] : words.ofDevice(words.names[metric], device);
}

/** Returns a value with the unit of its metric. Pure. */
export function amount(series: string, value: number, number: (value: number) => string): string {
  const [metric] = splitSeries(series);
  const unit: Unit = isKnown(metric) ? UNITS[metric] : 'none';
  switch (unit) {
    case 'percent':
      return `${number(value)} %`;
    case 'bytes':
      return `${number(value / BYTES_IN_MB)} MB`;
    case 'bytes_per_second':
      return `${number(value / BYTES_IN_MB)} MB/s`;
    case 'seconds':
      return `${number(value)} s`;
    case 'none':
      return number(value);
  }
}

const isKnown = (metric: string): metric is keyof typeof UNITS => Object.hasOwn(UNITS, metric);

/** `disk_used_percent:/var` is the metric and the device. */
function splitSeries(series: string): [metric: string, device: string] {
  const [metric = '', ...device] = series.split(':');
  return [metric, device.join(':')];
}
