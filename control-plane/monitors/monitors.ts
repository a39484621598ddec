import type { PlanName } from '../accounts/plans.js';
import type { AssignmentSource } from '../nodes/nodes.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorType } from './schema.js';

/** What is kept in memory of a monitor, paused ones included, so that a result needs no read to be judged. */
export interface MonitorLookup {
  readonly id: string;
  readonly workspace_id: string;
  /** Decides how long results are kept. */
  readonly plan: PlanName;
  readonly type: MonitorType;
  readonly locations: readonly string[];
  readonly version: number;
  /** `live` takes only results of this version or later. */
  readonly live_from_version: number;
  readonly interval_seconds: number;
  readonly timeout_ms: number;
  readonly retries: number;
  readonly confirmations: number | null;
  readonly paused: boolean;
}

/** Every monitor of the installation, in memory. A cache: `refresh` before an absence is taken for certain. */
export interface MonitorDirectory extends AssignmentSource {
  /** Reads everything and keeps it fresh from then on. */
  start(): void;
  /** null for a monitor that was deleted, or is newer than the cache: `refresh` tells which. */
  lookup(monitorId: string): MonitorLookup | null;
  size(): number;
  stop(): Promise<void>;
}

/** The plans of workspaces, for retention. Given by the accounts slice. */
export interface WorkspacePlans {
  plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>>;
}

/** Whether channels exist. Given by the notifications slice. */
export interface ChannelIds {
  /** Those of `ids` that are no channel of the workspace. */
  unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
}

/** The `subject` of a monitor's incidents. */
export function monitorSubject(monitorId: string): string {
  return `monitor:${monitorId}`;
}
