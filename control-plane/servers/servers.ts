import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { DiskForecast, ServerDocument, ServerStatus } from './documents.js';

/** A sample of a server that was validated and stored. */
export interface AcceptedSample {
  serverId: string;
  workspaceId: string;
  /** When it was taken, on the control plane's clock. */
  atMs: number;
  receivedAtMs: number;
  /** Whether it waited on the agent's disk. Late samples are for the history only; alert rules ignore them. */
  late: boolean;
  /** By series name: `cpu_percent`, `disk_used_percent:/var`. */
  values: ReadonlyMap<string, number>;
}

/** Called with every stored sample, for each server in the order of arrival. Must not throw or block. */
export interface SampleListener {
  accepted(samples: readonly AcceptedSample[]): void;
}

/** The fields of a server that alert rules and incidents use. */
export type ServerFacts = Pick<
  ServerDocument,
  '_id' | 'workspace_id' | 'name' | 'tags' | 'hostname' | 'status' | 'status_changed_at_ms' | 'report_interval_ms'
>;

/** The queries that other slices may use. All are limited to a workspace, except `offline`, which is for jobs. */
export interface ServerDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ServerDocument | null>;
  /** Returns the existing servers among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<ServerFacts[]>;
  /** Returns the servers of the workspace with one of these tags; null returns all servers. */
  tagged(workspaceId: string, tags: readonly string[] | null, tx?: Transaction): Promise<ServerFacts[]>;
  /** Returns the offline servers of all workspaces, sorted by id, after `afterId`. */
  offline(afterId: string | null, limit: number): Promise<ServerFacts[]>;
}

/** Where the check of disks keeps its forecasts. */
export interface ForecastStore {
  /** Returns the workspaces that have an online server. */
  workspacesOnline(): Promise<string[]>;
  setForecast(server: ServerIdentity, forecast: DiskForecast | null): Promise<void>;
}

/** Called in the transaction that changes a server. The alert rules implement it. */
export interface StatusListener {
  changed(
    tx: Transaction,
    server: ServerDocument,
    change: { from: ServerStatus; to: ServerStatus; atMs: number },
  ): Promise<void>;
  /** Called when a user changes the name or tags. */
  edited(tx: Transaction, actor: Actor, server: ServerDocument): Promise<void>;
  /** Called when a user deletes the server. */
  deleted(tx: Transaction, actor: Actor, server: ServerDocument): Promise<void>;
}

/** The metric history for alert rules: the same values as the metrics endpoint, without its limits. */
export interface MetricHistory {
  /** Returns the raw points of one series within [fromMs, toMs], oldest first. */
  raw(server: ServerIdentity, series: string, fromMs: number, toMs: number): Promise<MetricPoint[]>;
  /** Returns the minute averages within [fromMs, toMs) of all series of `metric`, by series name. */
  minutes(server: ServerIdentity, metric: string, fromMs: number, toMs: number): Promise<Map<string, MetricPoint[]>>;
}

export interface ServerIdentity {
  workspaceId: string;
  serverId: string;
}

export interface MetricPoint {
  atMs: number;
  value: number;
}
