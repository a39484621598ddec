/** The examples of processes, file systems and network interfaces in the OpenAPI document. */

const SERVER_ID = 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n';

const PROCESS = {
  pid: 812,
  name: 'php-fpm8.2',
  user: 'www-data',
  cpu_percent: 31.5,
  memory_bytes: 182_452_224,
  memory_percent: 2.18,
  started_at: '2026-01-30T03:00:02.000Z',
};

export const PROCESSES_EXAMPLE = {
  server_id: SERVER_ID,
  sampled_at: '2026-01-31T12:00:00.000Z',
  total: 143,
  by_cpu: [PROCESS],
  by_memory: [PROCESS],
};

export const DISK_EXAMPLE = {
  mount: '/var',
  device: '/dev/sda2',
  type: 'ext4',
  size_bytes: 105_089_261_568,
  used_bytes: 73_562_483_097,
  available_bytes: 26_150_000_000,
  used_percent: 73.77,
  inodes_used_percent: 8.1,
  block_device: 'sda',
  read_rate: 0,
  write_rate: 65_536,
  forecast: { full_at: '2026-02-01T21:24:00.000Z', points_per_hour: 0.79 },
};

export const INTERFACE_EXAMPLE = {
  name: 'eth0',
  mac: '02:00:17:ab:cd:ef',
  addresses: ['192.0.2.17', '2001:db8::17'],
  speed_mbps: 10_000,
  up: true,
  bytes_recv_rate: 184_320,
  bytes_sent_rate: 921_600,
};
