/** What a value of a metric counts. */
export type Unit = 'percent' | 'bytes' | 'bytes_per_second' | 'load' | 'count' | 'seconds';

export interface RuleMetric {
  unit: Unit;
  /** What a device in the name of the series is, such as `/var` in `disk_used_percent:/var`; null without devices. */
  device: 'mount' | 'block_device' | 'interface' | 'core' | null;
}

/** The metrics of servers, the most used ones first. */
export const METRICS = {
  cpu_percent: { unit: 'percent', device: 'core' },
  mem_used_percent: { unit: 'percent', device: null },
  disk_used_percent: { unit: 'percent', device: 'mount' },
  load_1: { unit: 'load', device: null },
  load_5: { unit: 'load', device: null },
  load_15: { unit: 'load', device: null },
  swap_used_percent: { unit: 'percent', device: null },
  disk_inodes_used_percent: { unit: 'percent', device: 'mount' },
  cpu_iowait_percent: { unit: 'percent', device: null },
  cpu_steal_percent: { unit: 'percent', device: null },
  pressure_cpu_percent: { unit: 'percent', device: null },
  pressure_memory_percent: { unit: 'percent', device: null },
  pressure_io_percent: { unit: 'percent', device: null },
  net_bytes_recv_rate: { unit: 'bytes_per_second', device: 'interface' },
  net_bytes_sent_rate: { unit: 'bytes_per_second', device: 'interface' },
  disk_read_rate: { unit: 'bytes_per_second', device: 'block_device' },
  disk_write_rate: { unit: 'bytes_per_second', device: 'block_device' },
  mem_used_bytes: { unit: 'bytes', device: null },
  processes: { unit: 'count', device: null },
  tcp_connections: { unit: 'count', device: null },
  uptime_seconds: { unit: 'seconds', device: null },
} as const satisfies Readonly<Record<string, RuleMetric>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

const BYTES_IN_MB = 1_000_000;
const IN_MEGABYTES: readonly Unit[] = ['bytes', 'bytes_per_second'];

/** Returns the metric with this name; null for one that these pages do not know. */
export function metricOf(name: string): (RuleMetric & { name: MetricName }) | null {
  const known = METRIC_NAMES.find((one) => one === name);
  return known === undefined ? null : { ...METRICS[known], name: known };
}

/** `disk_used_percent:/var` is the metric and the device; without a colon, the device is empty. */
export function splitSeries(series: string): { metric: string; device: string } {
  const [metric = '', ...device] = series.split(':');
  return { metric, device: device.join(':') };
}

/** Returns a threshold as people type it: bytes are megabytes. */
export function shownThreshold(value: number, unit: Unit): number {
  return IN_MEGABYTES.includes(unit) ? value / BYTES_IN_MB : value;
}

/** The opposite of `shownThreshold`. */
export function storedThreshold(shown: number, unit: Unit): number {
  return IN_MEGABYTES.includes(unit) ? Math.round(shown * BYTES_IN_MB) : shown;
}
