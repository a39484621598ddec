/** What the device part of a series name is, as in `disk_used_percent:/var`. */
export type DeviceKind = 'mount' | 'block_device' | 'interface' | 'core';

export type MetricUnit = 'percent' | 'bytes' | 'bytes_per_second' | 'load' | 'count' | 'seconds';

/** One metric of a server. Both ends of the link stand on this list. */
export interface MetricDefinition {
  /** In the API and, in capitals, in link.proto. */
  name: string;
  unit: MetricUnit;
  /** Digits after the point that are kept. */
  decimals: 0 | 2;
  /** null: of the whole server only. */
  device: DeviceKind | null;
  help: string;
}

const define = (name: string, unit: MetricUnit, device: DeviceKind | null, help: string): MetricDefinition => ({
  name,
  unit,
  decimals: unit === 'percent' || unit === 'load' ? 2 : 0,
  device,
  help,
});

/** Every metric, the specification's eight first. */
export const METRICS: readonly MetricDefinition[] = [
  define('cpu_percent', 'percent', 'core', 'Time in which the processors worked.'),
  define('mem_used_percent', 'percent', null, 'Memory that is not available to programs.'),
  define('disk_used_percent', 'percent', 'mount', 'Used part of a file system; of the server: the fullest real one.'),
  define('load_1', 'load', null, 'Load average over one minute.'),
  define('load_5', 'load', null, 'Load average over five minutes.'),
  define('load_15', 'load', null, 'Load average over fifteen minutes.'),
  define('net_bytes_recv_rate', 'bytes_per_second', 'interface', 'Bytes received a second, loopback left out.'),
  define('net_bytes_sent_rate', 'bytes_per_second', 'interface', 'Bytes sent a second, loopback left out.'),
  define('swap_used_percent', 'percent', null, 'Used part of the swap space.'),
  define('mem_used_bytes', 'bytes', null, 'Memory that is not available to programs.'),
  define('disk_read_rate', 'bytes_per_second', 'block_device', 'Bytes read from disks a second.'),
  define('disk_write_rate', 'bytes_per_second', 'block_device', 'Bytes written to disks a second.'),
  define('processes', 'count', null, 'Processes that exist.'),
  define('tcp_connections', 'count', null, 'Established TCP connections.'),
  define('uptime_seconds', 'seconds', null, 'Time since the server was started.'),
  define('pressure_cpu_percent', 'percent', null, 'Time in which some task waited for a processor (PSI, 10 s).'),
  define('pressure_memory_percent', 'percent', null, 'Time in which some task waited for memory (PSI, 10 s).'),
  define('pressure_io_percent', 'percent', null, 'Time in which some task waited for a disk (PSI, 10 s).'),
  define('cpu_iowait_percent', 'percent', null, 'Time in which processors were idle and waited for disks.'),
  define('cpu_steal_percent', 'percent', null, 'Time that the hypervisor gave to others.'),
  define(
    'disk_inodes_used_percent',
    'percent',
    'mount',
    'Used part of the inodes; of the server: the fullest file system.',
  ),
];

/** Values that one report may hold; the agent leaves the rest out, the control plane drops it. */
export const REPORT_VALUES_MAX = 600;
/** Characters of a device name; longer ones are left out, as they cannot be asked for. */
export const DEVICE_CHARACTERS_MAX = 200;

/** The name of a series: `cpu_percent`, `disk_used_percent:/var`. */
export function seriesName(metric: string, device: string): string {
  return device === '' ? metric : `${metric}:${device}`;
}

/** The two parts that `seriesName` was made of. */
export function splitSeries(series: string): { metric: string; device: string } {
  const colon = series.indexOf(':');
  return colon < 0
    ? { metric: series, device: '' }
    : { metric: series.slice(0, colon), device: series.slice(colon + 1) };
}
