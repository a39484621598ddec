/** The examples of this slice in the OpenAPI document. */

const SERVER_ID = 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const SERVER_EXAMPLE = {
  id: SERVER_ID,
  name: 'web-1',
  hostname: 'web-1.example.com',
  ip: '192.0.2.17',
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: '6.1.0-18-amd64',
  status: 'online',
  status_as_of: '2026-01-31T12:00:00.412Z',
  status_changed_at: '2026-01-30T09:12:41.113Z',
  agent_version: '0.1.0',
  report_interval_seconds: 10,
  last_seen_at: '2026-01-31T12:00:00.000Z',
  tags: ['production'],
  metrics: {
    cpu_percent: 12.4,
    mem_used_percent: 61.28,
    disk_used_percent: 74.1,
    load_1: 0.42,
    load_5: 0.39,
    load_15: 0.35,
    net_bytes_recv_rate: 184_320,
    net_bytes_sent_rate: 921_600,
    swap_used_percent: 0,
    mem_used_bytes: 5_133_828_096,
    disk_read_rate: 0,
    disk_write_rate: 65_536,
    processes: 143,
    tcp_connections: 57,
    uptime_seconds: 1_814_400,
    updated_at: '2026-01-31T12:00:00.000Z',
  },
  disk_forecast: {
    mount: '/var',
    used_percent: 74.1,
    points_per_hour: 0.79,
    full_at: '2026-02-01T20:47:05.000Z',
    hours_until_full: 32.8,
    computed_at: '2026-01-31T11:58:00.000Z',
  },
  inventory: {
    architecture: 'x64',
    cpu_model: 'AMD EPYC 7763',
    cpu_cores: 4,
    memory_bytes: 8_378_421_248,
    swap_bytes: 1_073_737_728,
    virtualization: 'kvm',
    booted_at: '2026-01-10T12:00:00.000Z',
    devices_left_out: 0,
  },
  reports_dropped: { too_old: 0, values: 0, on_server: 0 },
  created_at: '2026-01-10T12:03:12.401Z',
  updated_at: '2026-01-10T12:03:12.401Z',
};

export const JOIN_TOKEN_EXAMPLE = {
  id: 'jtk_01kf5e6q0h3v8r2m9x4t7c1z5n',
  token: 'pjt_eyJ2IjoxLCJzIjoi…',
  install_command:
    "curl --proto '=https' -fsSL https://picket.example.com/install/agent.sh | sudo sh -s -- --token pjt_eyJ2IjoxLCJzIjoi…",
  agent_address: 'picket.example.com:8443',
  expires_at: '2026-02-01T12:00:00.000Z',
};
