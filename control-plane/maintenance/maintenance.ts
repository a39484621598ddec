/** What a maintenance window can cover. */
export interface Coverable {
  workspaceId: string;
  /** `monitor`, `server`, `blacklist_monitor`. Nothing else is covered. */
  type: string;
  id: string;
  tags: readonly string[];
}

/** A maintenance window that covers something. */
export interface CoveringWindow {
  id: string;
  name: string;
  /** When it ends, as planned now. */
  until_ms: number;
}

/** A maintenance window with its next occurrences, in order; the first one may be under way. */
export interface PlannedMaintenance {
  id: string;
  occurrences: readonly { from_ms: number; to_ms: number }[];
  appliesTo(what: Omit<Coverable, 'workspaceId'>): boolean;
}

/** Knows the maintenance that is planned, from memory. */
export interface MaintenancePlan {
  /** Returns the windows of the workspace that are not over, without those that cannot be computed. */
  planned(workspaceId: string, nowMs: number): PlannedMaintenance[];
}

/** A monitor with the tags that it has and had. */
export interface TaggedMonitor {
  _id: string;
  workspace_id: string;
  tags: readonly string[];
  /** Oldest first. */
  tags_past?: readonly { tags: readonly string[]; until_ms: number }[];
}

/** Knows which planned maintenance does not count in uptime, from memory, for as long as uptime can be computed again. */
export interface UptimeMaintenance {
  /**
   * Returns the times in [fromMs, toMs) that windows leave out of the uptime of a monitor, in order and without overlap. They
   * are those of the windows as they were at the time: a later change or deletion does not change them.
   */
  leftOut(monitor: TaggedMonitor, fromMs: number, toMs: number): readonly { from_ms: number; to_ms: number }[];
  /** Reads what other control planes have changed in the last seconds. */
  refresh(): Promise<void>;
}

/** Knows what maintenance windows cover, from memory. */
export interface Maintenance {
  /**
   * Returns the window that covers it at `atMs`; of several, the one that ends last. Returns null if none does, and also if
   * that cannot be computed: a needless notification is better than a missing one.
   */
  covering(what: Coverable, atMs: number): CoveringWindow | null;
  /** Reads what other control planes have changed in the last seconds. */
  refresh(): Promise<void>;
}
