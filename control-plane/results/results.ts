import type { MonitorDocument } from '../monitors/documents.js';
import type { ResultDocument } from './documents.js';

/** A time during which a location was quarantined, as far as uptime is concerned. `to_ms` is null while it lasts. */
export interface QuarantineSpan {
  from_ms: number;
  to_ms: number | null;
}

/**
 * By location, in order of time. Results of a location do not count during a span, and a result from before a span
 * counts only until the span begins. The location counts again with its first check after the span. Uptime treats the
 * time between as not observed by this location; the other locations decide.
 */
export type QuarantineSpans = ReadonlyMap<string, readonly QuarantineSpan[]>;

/** Reads when locations were quarantined, as far back as raw results are kept. Implemented by the verdicts slice. */
export interface QuarantineHistory {
  spans(): Promise<QuarantineSpans>;
}

/** Reads stored results, for the verdicts slice. */
export interface ResultReader {
  /** Streams every attempt of one monitor with a slot in [fromMs, toMs), in order of slot. */
  readRange(workspaceId: string, monitorId: string, fromMs: number, toMs: number): AsyncIterable<ResultDocument>;
}

/** What the checks of one hour found of a monitor. Without a successful check, `responseUs` is 0. */
export interface MonitorHour {
  startMs: number;
  observedMs: number;
  upMs: number;
  /** What was observed, and does not count because of planned maintenance. */
  leftOutMs: number;
  /** Successful and failed checks of all locations, and the sum of the response times of the successful ones. */
  good: number;
  failed: number;
  responseUs: number;
}

/** The fields of a monitor that reading its history needs. */
export type MonitorOfHistory = Pick<
  MonitorDocument,
  '_id' | 'workspace_id' | 'tags' | 'tags_past' | 'locations' | 'confirmations' | 'paused_at_ms' | 'interval_seconds'
>;

/** Returns the hours of a monitor that begin in [fromMs, toMs), in order. The current one ends at `toMs`. */
export type MonitorHours = (monitor: MonitorOfHistory, fromMs: number, toMs: number) => Promise<MonitorHour[]>;

export { minorityOf, requiredDownVotes } from './uptime/quorum.js';
