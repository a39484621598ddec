// Original file: proto/link.proto

/**
 * The names in the API are the same in lower case. proto/metrics.ts describes each metric.
 */
export const Metric = {
  METRIC_UNSPECIFIED: 'METRIC_UNSPECIFIED',
  CPU_PERCENT: 'CPU_PERCENT',
  MEM_USED_PERCENT: 'MEM_USED_PERCENT',
  DISK_USED_PERCENT: 'DISK_USED_PERCENT',
  LOAD_1: 'LOAD_1',
  LOAD_5: 'LOAD_5',
  LOAD_15: 'LOAD_15',
  NET_BYTES_RECV_RATE: 'NET_BYTES_RECV_RATE',
  NET_BYTES_SENT_RATE: 'NET_BYTES_SENT_RATE',
  SWAP_USED_PERCENT: 'SWAP_USED_PERCENT',
  MEM_USED_BYTES: 'MEM_USED_BYTES',
  DISK_READ_RATE: 'DISK_READ_RATE',
  DISK_WRITE_RATE: 'DISK_WRITE_RATE',
  PROCESSES: 'PROCESSES',
  TCP_CONNECTIONS: 'TCP_CONNECTIONS',
  UPTIME_SECONDS: 'UPTIME_SECONDS',
  PRESSURE_CPU_PERCENT: 'PRESSURE_CPU_PERCENT',
  PRESSURE_MEMORY_PERCENT: 'PRESSURE_MEMORY_PERCENT',
  PRESSURE_IO_PERCENT: 'PRESSURE_IO_PERCENT',
  CPU_IOWAIT_PERCENT: 'CPU_IOWAIT_PERCENT',
  CPU_STEAL_PERCENT: 'CPU_STEAL_PERCENT',
  DISK_INODES_USED_PERCENT: 'DISK_INODES_USED_PERCENT',
} as const;

/**
 * The names in the API are the same in lower case. proto/metrics.ts describes each metric.
 */
export type Metric =
  | 'METRIC_UNSPECIFIED'
  | 0
  | 'CPU_PERCENT'
  | 1
  | 'MEM_USED_PERCENT'
  | 2
  | 'DISK_USED_PERCENT'
  | 3
  | 'LOAD_1'
  | 4
  | 'LOAD_5'
  | 5
  | 'LOAD_15'
  | 6
  | 'NET_BYTES_RECV_RATE'
  | 7
  | 'NET_BYTES_SENT_RATE'
  | 8
  | 'SWAP_USED_PERCENT'
  | 9
  | 'MEM_USED_BYTES'
  | 10
  | 'DISK_READ_RATE'
  | 11
  | 'DISK_WRITE_RATE'
  | 12
  | 'PROCESSES'
  | 13
  | 'TCP_CONNECTIONS'
  | 14
  | 'UPTIME_SECONDS'
  | 15
  | 'PRESSURE_CPU_PERCENT'
  | 16
  | 'PRESSURE_MEMORY_PERCENT'
  | 17
  | 'PRESSURE_IO_PERCENT'
  | 18
  | 'CPU_IOWAIT_PERCENT'
  | 19
  | 'CPU_STEAL_PERCENT'
  | 20
  | 'DISK_INODES_USED_PERCENT'
  | 21

/**
 * The names in the API are the same in lower case. proto/metrics.ts describes each metric.
 */
export type Metric__Output = typeof Metric[keyof typeof Metric]
