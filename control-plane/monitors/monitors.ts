import type { Actor } from '../actor.js';
import type { AssignmentSource, RunNowReason } from '../nodes/nodes.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorDocument } from './documents.js';
import type {
  EndedReferences,
  MonitorDecision,
  MonitorImage,
  MonitorOperation,
  PlannedChange,
  UndoDecision,
} from './many/decision.js';
import type { MonitorFilter, MonitorType } from './schema.js';
import type { CreateMonitor } from './settings/schema.js';
import type { CheckedSettings, MonitorSettings } from './settings/settings.js';

/** The part of a monitor that is kept in memory, so that accepting a result needs no read. Includes paused monitors. */
export interface MonitorLookup {
  readonly id: string;
  readonly workspace_id: string;
  /** Decides how long results are kept. */
  readonly plan: PlanName;
  readonly type: MonitorType;
  readonly locations: readonly string[];
  readonly version: number;
  /** `live` accepts only results of this version or later. */
  readonly live_from_version: number;
  readonly interval_seconds: number;
  readonly timeout_ms: number;
  readonly retries: number;
  readonly confirmations: number | null;
  readonly paused: boolean;
}

/** Every monitor of the installation, in memory. It is a cache: `refresh` before you rely on an absence. */
export interface MonitorDirectory extends AssignmentSource {
  /** Reads all monitors and keeps them up to date. */
  start(): void;
  /** null for a monitor that was deleted or is newer than the cache; `refresh` to find out which. */
  lookup(monitorId: string): MonitorLookup | null;
  size(): number;
  stop(): Promise<void>;
}

/** Reads single monitors for requests of other slices. */
export interface MonitorReader {
  find(workspaceId: string, id: string): Promise<MonitorDocument | null>;
}

/** Reads and writes many monitors of a workspace, for export and import. An import writes in one transaction. */
export interface BulkMonitors {
  /** Returns the oldest first, those newer than `afterId`. */
  listOldest(workspaceId: string, afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /** Returns the oldest first, at most `rowsMax`. */
  findByNames(
    tx: Transaction,
    workspaceId: string,
    names: readonly string[],
    rowsMax: number,
  ): Promise<MonitorDocument[]>;
  /** Returns those of `ids` that are not channels of the workspace. The others can be stored in this transaction. */
  unknownChannels(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
  /** Returns the settings of a monitor with their secrets. Masks stay in place of secrets that cannot be opened. */
  settings(monitor: MonitorDocument): MonitorSettings;
  /** Returns the settings of a new monitor with all errors in them, except for masks and the plan's limits. */
  newSettings(actor: Actor, input: CreateMonitor): CheckedSettings;
  /** Throws 402 when the plan does not allow `adding` more monitors. */
  reserve(tx: Transaction, actor: Actor, adding: number): Promise<void>;
  /** Stores new monitors with their audit entries. */
  create(
    tx: Transaction,
    actor: Actor,
    monitors: readonly { settings: MonitorSettings; pausedAtMs: number | null }[],
  ): Promise<MonitorDocument[]>;
  /** Returns the change that gives a monitor settings that differ from its own. */
  updating(actor: Actor, monitor: MonitorDocument, settings: MonitorSettings): PlannedChange;
  /** Writes changes of monitors that were read in this transaction, with their audit entries. */
  write(tx: Transaction, actor: Actor, planned: readonly PlannedChange[]): Promise<MonitorDocument[]>;
  /** Notes the changes for every control plane. With a reason in `run`, the active monitors are checked at once. */
  announce(tx: Transaction, monitors: readonly MonitorDocument[], run: RunNowReason | null): Promise<void>;
}

/** Which monitors of a workspace: those with these ids, or those that a filter finds. */
export type MonitorSelection = { ids: readonly string[] } | { filter: MonitorFilter; except: readonly string[] };

/** Reads and changes many monitors of a workspace by the rules of single changes, for bulk changes. */
export interface ManyMonitors
  extends Pick<BulkMonitors, 'unknownChannels' | 'newSettings' | 'reserve' | 'create' | 'announce'> {
  /** Reads the oldest first, at most `rowsMax`. Only a part of them is in memory at a time. */
  select(
    workspaceId: string,
    selection: MonitorSelection,
    rowsMax: number,
    tx: Transaction,
  ): AsyncIterable<MonitorDocument>;
  /** Returns those that exist, the oldest first. */
  named(workspaceId: string, ids: readonly string[], tx: Transaction): Promise<MonitorDocument[]>;
  /** Returns the versions and names of those that exist, by id. */
  versionsOf(
    tx: Transaction,
    workspaceId: string,
    ids: readonly string[],
  ): Promise<Map<string, { version: number; name: string }>>;
  decide(actor: Actor, monitor: MonitorDocument, operation: MonitorOperation): MonitorDecision;
  /** Decides how to take an operation back, which left the monitor in this version. */
  undoing(actor: Actor, monitor: MonitorDocument, image: MonitorImage, version: number | null): UndoDecision;
  /**
   * Writes changes of monitors that were read in this transaction, and notes them for every control plane. With
   * `checkNow`, those that are checked in another way than before are checked at once.
   */
  write(
    tx: Transaction,
    actor: Actor,
    planned: readonly PlannedChange[],
    checkNow: boolean,
  ): Promise<MonitorDocument[]>;
  /** See `References.requireUnused`. */
  requireUnused(tx: Transaction, actor: Actor, ids: readonly string[], detach: boolean): Promise<boolean>;
  /** Ends the references to monitors whose deletions are about to be written. See `endReferences`. */
  endReferences(
    tx: Transaction,
    actor: Actor,
    deletions: readonly PlannedChange[],
    detach: boolean,
  ): Promise<EndedReferences>;
  /** Holds room of the plan for deleted monitors that will be created again. Throws 402 when there is too little. */
  holdRoom(tx: Transaction, actor: Actor, deleted: number): Promise<void>;
  /** Notes for how many of them room must still be held; 0 once all of them exist. */
  keepRoom(tx: Transaction, workspaceId: string, deleted: number): Promise<void>;
  /** Creates deleted monitors again, with their ids. */
  createAgain(tx: Transaction, actor: Actor, deleted: readonly RevivedMonitor[]): Promise<MonitorDocument[]>;
}

/** A deleted monitor as it is created again. */
export interface RevivedMonitor {
  image: MonitorDocument;
  /** Channels that it had, and that do not exist any more. The image does not name them. */
  removedChannels: readonly string[];
}

export { believedCheckedAt, isStale, VOTE_VALID_MS_MIN, voteValidMs } from './live-result.js';
export type { MonitorDecision, MonitorImage, MonitorOperation, PlannedChange, ShownChanges } from './many/decision.js';
export { settingsChanges } from './settings/changes.js';
export { masked, secretsOf, shownSettings, unmasked } from './settings/masks.js';
export { planRefusal } from './settings/plan-limits.js';
export { CreateMonitor, UpdateMonitor } from './settings/schema.js';
export { type CheckedSettings, HTTP_DEFAULTS, type MonitorSettings, type ShownSettings } from './settings/settings.js';
export { isHttps, targetHost } from './settings/target.js';
export { daysRemaining } from './view.js';

/** Returns the `subject` of a monitor's incidents. */
export function monitorSubject(monitorId: string): string {
  return `monitor:${monitorId}`;
}
export type { WatchedMonitor } from './watched/store.js';
export type { MonitorTarget, TargetReads } from './watched/targets-store.js';
