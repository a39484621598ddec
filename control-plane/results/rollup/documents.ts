import type { UptimeSums } from '../uptime/sums.js';
import type { PackedResults, PackedSlot } from './packed-slots.js';

/** The monitor that history belongs to. */
export interface HistoryOwner {
  workspaceId: string;
  monitorId: string;
}

/**
 * One document of `result_minutes` or `result_hours`: the minutes of an hour, or the hours of a day. `slots` is keyed
 * by the number of the slot within the document.
 */
export interface PackedDocument {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  start_ms: number;
  /** Absent while the document has no slot. */
  slots?: Record<string, PackedSlot>;
  /** Minutes only: the results that covered their locations when the hour began, to roll the hour up again. */
  opening?: PackedResults;
  /** Of the lease under which it was written. */
  fence: number;
  expires_at: Date;
}

/** One document of `rollup_heads`. `_id` is the monitor. */
export interface HeadDocument {
  _id: string;
  workspace_id: string;
  through_ms: number;
  horizon_ms: number;
  recent: PackedResults;
  sums: UptimeSums | null;
  pauses_ms: number[];
  refreshed_ms: number;
  fence: number;
  expires_at: Date;
}
