import { toIso } from '../../kernel/clock.js';
import type { DiskForecast, ListedServer } from './documents.js';
import { type LatestValues, rounded } from './samples/latest.js';
import type { LatestMetrics, Server } from './schema.js';
import { statusAsOfMs } from './status.js';

const HOUR_MS = 3_600_000;

/** Returns a server as the API shows it. `latest` are the values of its live sample. */
export function serverView(server: ListedServer, latest: LatestValues, receivedUntilMs: number | null): Server {
  const { live, inventory } = server;
  return {
    id: server._id,
    name: server.name,
    hostname: server.hostname,
    ip: server.ip,
    os: server.os || null,
    kernel: server.kernel || null,
    status: server.status,
    status_as_of: toIso(statusAsOfMs(server, receivedUntilMs)),
    status_changed_at: toIso(server.status_changed_at_ms),
    agent_version: server.agent_version,
    report_interval_seconds: server.report_interval_ms / 1_000,
    last_seen_at: live === null ? null : toIso(Math.min(live.at_ms, live.received_at_ms)),
    tags: server.tags,
    metrics: live === null ? null : latestMetrics(latest, live.at_ms),
    disk_forecast: server.status === 'online' ? forecastView(server.disk_forecast ?? null) : null,
    inventory:
      inventory === null
        ? null
        : {
            architecture: inventory.architecture,
            cpu_model: inventory.cpu_model,
            cpu_cores: inventory.cpu_cores,
            memory_bytes: inventory.memory_bytes,
            swap_bytes: inventory.swap_bytes,
            virtualization: inventory.virtualization || null,
            booted_at: inventory.booted_at_ms === null ? null : toIso(inventory.booted_at_ms),
            devices_left_out: inventory.devices_left_out,
          },
    reports_dropped: {
      too_old: server.dropped.too_old,
      values: server.dropped.values,
      on_server: server.agent_dropped,
    },
    created_at: toIso(server.created_at_ms),
    updated_at: toIso(server.updated_at_ms),
  };
}

function forecastView(forecast: DiskForecast | null): Server['disk_forecast'] {
  if (forecast === null) return null;
  const { mount, percent, points_per_hour, full_at_ms, at_ms } = forecast;
  return {
    mount,
    used_percent: decimals(percent, 1),
    points_per_hour: decimals(points_per_hour, 2),
    full_at: toIso(full_at_ms),
    hours_until_full: decimals((full_at_ms - at_ms) / HOUR_MS, 1),
    computed_at: toIso(at_ms),
  };
}

const decimals = (value: number, count: number): number => Math.round(value * 10 ** count) / 10 ** count;

function latestMetrics(latest: LatestValues, atMs: number): LatestMetrics {
  const value = (name: string) => rounded(latest.get(name), 2);
  const whole = (name: string) => rounded(latest.get(name), 0);
  return {
    cpu_percent: value('cpu_percent'),
    mem_used_percent: value('mem_used_percent'),
    disk_used_percent: value('disk_used_percent'),
    load_1: value('load_1'),
    load_5: value('load_5'),
    load_15: value('load_15'),
    net_bytes_recv_rate: whole('net_bytes_recv_rate'),
    net_bytes_sent_rate: whole('net_bytes_sent_rate'),
    swap_used_percent: value('swap_used_percent'),
    mem_used_bytes: whole('mem_used_bytes'),
    disk_read_rate: whole('disk_read_rate'),
    disk_write_rate: whole('disk_write_rate'),
    processes: whole('processes'),
    tcp_connections: whole('tcp_connections'),
    uptime_seconds: whole('uptime_seconds'),
    updated_at: toIso(atMs),
  };
}
