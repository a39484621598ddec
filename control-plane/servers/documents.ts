import type { Binary } from 'mongodb';

/**
 * - `pending`: enrolled, but no sample has arrived.
 * - `online`: samples arrive.
 * - `offline`: three samples in a row are missing.
 */
export type ServerStatus = 'pending' | 'online' | 'offline';

/** The latest inventory that the agent sent. */
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
  /** The number of devices that the agent omits from its samples because there are too many. */
  devices_left_out: number;
  at_ms: number;
}

/** The newest sample, by the time when it was taken and not when it arrived. */
export interface LiveSample {
  at_ms: number;
  /** On the control plane's clock. */
  received_at_ms: number;
  /** The encoded sample message. */
  report: Binary;
}

/** The file system that will be full first if it goes on growing as in the last six hours. */
export interface DiskForecast {
  mount: string;
  /** How full it was at `at_ms`. */
  percent: number;
  points_per_hour: number;
  full_at_ms: number;
  /** When it was computed. */
  at_ms: number;
}

/** One document of `servers`. `_id` is also the id of the agent's node. */
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
  live: LiveSample | null;
  /** Absent or null: no file system grows steadily. That of a server that is not online is outdated. */
  disk_forecast?: DiskForecast | null;
  /**
   * When the latest samples arrived, by the database's clock. Null or missing before the first sample, and in documents
   * of earlier versions, which have only `live.received_at_ms`.
   */
  heard_at?: Date | null;
  /** The number of samples and values that were not stored since the enrolment, by reason. */
  dropped: { too_old: number; values: number };
  /** The number of samples that the agent dropped because its disk was full. */
  agent_dropped: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes of name and tags, for `ETag`. */
  version: number;
}

/** A server as lists show it, without the devices of its inventory. */
export interface ListedServer extends Omit<ServerDocument, 'inventory'> {
  inventory: Omit<ServerInventory, 'disks' | 'interfaces'> | null;
}
