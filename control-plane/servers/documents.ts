import type { Binary } from 'mongodb';

/**
 * - `pending`: has enrolled and not reported yet.
 * - `online`: reports arrive.
 * - `offline`: three reports in a row are missing.
 */
export type ServerStatus = 'pending' | 'online' | 'offline';

/** What the agent says of its server, as last heard. */
export interface ServerInventory {
  architecture: string;
  cpu_model: string;
  cpu_cores: number;
  memory_bytes: number;
  swap_bytes: number;
  virtualization: string;
  booted_at_ms: number | null;
  disks: {
    mount: string;
    device: string;
    type: string;
    size_bytes: number;
    used_bytes: number;
    available_bytes: number;
    block_device: string;
  }[];
  interfaces: { name: string; mac: string; addresses: string[]; speed_mbps: number | null; up: boolean }[];
  /** Devices that the agent leaves out of its reports because there are too many. */
  devices_left_out: number;
  at_ms: number;
}

/** The newest report: by the time at which it was read, not at which it came. */
export interface LiveReport {
  at_ms: number;
  /** On the control plane's clock. */
  received_at_ms: number;
  /** An encoded MetricReport. */
  report: Binary;
}

/** One document of `servers`. `_id` is also that of the agent's node. */
export interface ServerDocument {
  _id: string;
  workspace_id: string;
  name: string;
  tags: string[];
  hostname: string;
  ip: string | null;
  os: string;
  kernel: string;
  agent_version: string;
  report_interval_ms: number;
  inventory: ServerInventory | null;
  status: ServerStatus;
  status_changed_at_ms: number;
  live: LiveReport | null;
  /** Reports and values that were not stored, since the enrolment: why, and how many. */
  dropped: { too_old: number; values: number };
  /** Records that the agent's own disk had no place for, as it says. */
  agent_dropped: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Changes of name and tags, for `ETag`. */
  version: number;
}
