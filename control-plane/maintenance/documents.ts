/** From `from_ms`, inclusive, to `to_ms`, exclusive; milliseconds since the Unix epoch. */
export interface Span {
  from_ms: number;
  to_ms: number;
}

/** When a window repeats. */
export interface Recurrence {
  /** Five fields. They name times on the clock of the time zone. */
  cron: string;
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

/** One document of `maintenance_changes`: counts the changes of a workspace's windows, for the caches of control planes. */
export interface WindowChangesDocument {
  /** The workspace. */
  _id: string;
  count: number;
  at: Date;
}
