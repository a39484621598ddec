import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerDocument, ServerStatus } from './documents.js';

/** One report of a server, checked and stored. */
export interface AcceptedReport {
  serverId: string;
  workspaceId: string;
  /** When it was read, on the control plane's clock. */
  atMs: number;
  receivedAtMs: number;
  /** It waited on the agent's disk: for history only, no rule fires on it. */
  late: boolean;
  /** By series name: `cpu_percent`, `disk_used_percent:/var`. */
  values: ReadonlyMap<string, number>;
}

/** Takes every stored report, in the order of arrival of each server. Must not throw; what it needs long for it does later. */
export interface ReportListener {
  accepted(reports: readonly AcceptedReport[]): void;
}

/** A server as rules and incidents know it. */
export type ServerFacts = Pick<
  ServerDocument,
  '_id' | 'workspace_id' | 'name' | 'tags' | 'hostname' | 'status' | 'status_changed_at_ms' | 'report_interval_ms'
>;

/** What other slices may ask of servers. Within the workspace but for `offline`, which is for jobs. */
export interface ServerDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ServerDocument | null>;
  /** In no order; those that there are. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<ServerFacts[]>;
  /** All servers of the workspace with one of these tags; null: all servers. */
  tagged(workspaceId: string, tags: readonly string[] | null, tx?: Transaction): Promise<ServerFacts[]>;
  /** Of all workspaces, those that are offline; by id, after `afterId`. */
  offline(afterId: string | null, limit: number): Promise<ServerFacts[]>;
}

/** A change of status, in the transaction that writes it. */
export interface StatusListener {
  changed(
    tx: Transaction,
    server: ServerDocument,
    change: { from: ServerStatus; to: ServerStatus; atMs: number },
  ): Promise<void>;
  /** A person changed its name or tags. */
  edited(tx: Transaction, actor: Actor, server: ServerDocument): Promise<void>;
  /** A person removed it. */
  deleted(tx: Transaction, actor: Actor, server: ServerDocument): Promise<void>;
}

/** Values of the past, for rules: the same as the metrics endpoint gives, without its limits. */
export interface MetricHistory {
  /** Raw points of one series within [fromMs, toMs], oldest first. */
  raw(server: ServerIdentity, series: string, fromMs: number, toMs: number): Promise<MetricPoint[]>;
  /** Averages of minutes within [fromMs, toMs) of each series whose metric is `metric`, by series name. */
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
