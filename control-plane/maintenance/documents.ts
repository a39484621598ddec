/** From `from_ms`, inclusive, to `to_ms`, exclusive; milliseconds since the Unix epoch. */
export interface Span {
  from_ms: number;
  to_ms: number;
}

/** When a window repeats. */
export interface Recurrence {
  /** Five fields. They name times on the clock of the time zone. null for a rule. */
  cron: string | null;
  /** A recurrence rule of RFC 5545 whose DTSTART is the start of the window. Absent or null for a cron expression. */
  rrule?: string | null;
  /** IANA name. */
  time_zone: string;
  duration_minutes: number;
}

/** When a window applies. */
export interface Schedule {
  /** Of a window that repeats: no occurrence begins before. */
  starts_at_ms: number;
  /** Of a window that repeats: no occurrence begins at this time or later; null: it repeats without end. */
  ends_at_ms: number | null;
  /** null for a window that happens once. */
  recurrence: Recurrence | null;
}

/** What a window applies to: everything, or what one of the lists selects. */
export interface Targets {
  everything: boolean;
  monitor_ids: string[];
  server_ids: string[];
  tags: string[];
}

export interface WindowSettings extends Schedule, Targets {
  name: string;
  /** false: its time is left out of the uptime of monitors. Absent in windows of an earlier version: it counts. */
  counts_in_uptime?: boolean;
}

/** A schedule with what people changed of one occurrence. */
export interface ChangedSchedule extends Schedule {
  /** Time that was added to an occurrence, which it includes. */
  extension: Span | null;
  /** The rest of an occurrence that was ended early. */
  cut: Span | null;
}

/** One document of `maintenance_windows`. */
export interface WindowDocument extends WindowSettings, ChangedSchedule {
  _id: string;
  workspace_id: string;
  /** From this time on it covers nothing; null without such a time. */
  over_at_ms: number | null;
  created_by: string;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes, for `ETag`. */
  version: number;
}

/**
 * One document of `maintenance_past`: a window whose time is left out of uptime, as it was until it was changed or deleted.
 * `_id` is the window and its version, or begins with `compact/` if it stands for several.
 */
export interface PastWindowDocument extends ChangedSchedule, Targets {
  _id: string;
  workspace_id: string;
  /** When it got these settings. */
  from_ms: number;
  /** When it was changed or deleted. */
  until_ms: number;
  /** Of one that stands for several versions: the times that these left out, in order. Its schedule then covers nothing. */
  spans?: Span[];
  expires_at: Date;
}

/** One document of `maintenance_changes`: counts the changes of a workspace's windows, for the caches of control planes. */
export interface WindowChangesDocument {
  /** The workspace. */
  _id: string;
  count: number;
  at: Date;
}
