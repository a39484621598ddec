/** What the device in a series name such as `disk_used_percent:/var` is. */
export type DeviceKind = 'mount' | 'block_device' | 'interface' | 'core';

export type MetricUnit = 'percent' | 'bytes' | 'bytes_per_second' | 'load' | 'count' | 'seconds';

/** One metric of a server. Agents and the control plane share this list. */
export interface MetricDefinition {
  /** The name in the API; in upper case, the name in link.proto. */
  name: string;
  unit: MetricUnit;
  /** Decimal places that are kept. */
  decimals: 0 | 2;
  /** null for a metric that only the whole server has. */
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

/** All metrics. */
export const METRICS: readonly MetricDefinition[] = [
  define('cpu_percent', 'percent', 'core', 'Share of time the processors were busy.'),
  define('mem_used_percent', 'percent', null, 'Share of memory not available to programs.'),
  define('disk_used_percent', 'percent', 'mount', 'Used share of a file system; for the server: of the fullest one.'),
  define('load_1', 'load', null, 'Load average over one minute.'),
  define('load_5', 'load', null, 'Load average over five minutes.'),
  define('load_15', 'load', null, 'Load average over fifteen minutes.'),
  define('net_bytes_recv_rate', 'bytes_per_second', 'interface', 'Bytes received per second, without loopback.'),
  define('net_bytes_sent_rate', 'bytes_per_second', 'interface', 'Bytes sent per second, without loopback.'),
  define('swap_used_percent', 'percent', null, 'Used share of the swap space.'),
  define('mem_used_bytes', 'bytes', null, 'Memory not available to programs.'),
  define('disk_read_rate', 'bytes_per_second', 'block_device', 'Bytes read from disks per second.'),
  define('disk_write_rate', 'bytes_per_second', 'block_device', 'Bytes written to disks per second.'),
  define('processes', 'count', null, 'Number of processes.'),
  define('tcp_connections', 'count', null, 'Established TCP connections.'),
  define('uptime_seconds', 'seconds', null, 'Time since the server was booted.'),
  define('pressure_cpu_percent', 'percent', null, 'Share of time some task waited for a processor (PSI, 10 s).'),
  define('pressure_memory_percent', 'percent', null, 'Share of time some task waited for memory (PSI, 10 s).'),
  define('pressure_io_percent', 'percent', null, 'Share of time some task waited for a disk (PSI, 10 s).'),
  define('cpu_iowait_percent', 'percent', null, 'Share of time the processors were idle and waited for disks.'),
  define('cpu_steal_percent', 'percent', null, 'Share of time the hypervisor gave to other machines.'),
  define(
    'disk_inodes_used_percent',
    'percent',
    'mount',
    'Used share of the inodes of a file system; for the server: of the fullest one.',
  ),
];

const DEVICE_CHARACTERS_MAX = 200;
/** Control characters, and the comma that separates names in a query. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const DEVICE_REFUSED = /[\u0000-\u001f\u007f,]/;

/** Returns whether a device with this name can have a series. The agent leaves out other devices. */
export function isDeviceName(name: string): boolean {
  return name !== '' && name.length <= DEVICE_CHARACTERS_MAX && !DEVICE_REFUSED.test(name);
}

/** Returns the name of a series: `cpu_percent`, `disk_used_percent:/var`. */
export function seriesName(metric: string, device: string): string {
  return device === '' ? metric : `${metric}:${device}`;
}

/** Returns the two arguments of `seriesName`. */
export function splitSeries(series: string): { metric: string; device: string } {
  const colon = series.indexOf(':');
  return colon < 0
    ? { metric: series, device: '' }
    : { metric: series.slice(0, colon), device: series.slice(colon + 1) };
}
