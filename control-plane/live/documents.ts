import type { LiveEvent } from './event.js';

/** One entry of the timeline or the audit log, with what it means for open streams. */
export interface LoggedEntry {
  /** The id of the entry: `tle_…`, `evt_…`. */
  key: string;
  workspace_id: string;
  event: LiveEvent | null;
  ends_access: boolean;
}

/** One document of `live_log`: entries that one control plane found committed, in the order of all control planes. */
export interface LogDocument {
  /** Counts the documents without a gap. Appending the next number is the lock between control planes. */
  _id: number;
  /** For the index that removes old documents. */
  at: Date;
  /** All entries that were committed before this time are in the log up to this document. */
  covered_ms: number;
  entries: LoggedEntry[];
}
