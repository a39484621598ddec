import type { CheckErrorCode } from '../../proto/check-result.js';
import { idOfKey } from '../storage/ids.js';

/**
 * One document of `results`. `_id` is `<monitor>/<slot, 13 digits>/<location>/<attempt>`: a result that is sent again
 * is a duplicate, and a range of ids is the history of a monitor in order of time, without a second index.
 */
export interface ResultDocument {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  location: string;
  slot_ms: number;
  attempt: number;
  final: boolean;
  /** schedule, confirm, manual, resume, recovery. */
  reason: string;
  checked_at_ms: number;
  received_at: Date;
  /** How long this result counts for its location: the interval at the time of the check. */
  covers_ms: number;
  up: boolean;
  response_time_ms: number;
  timings: ResultTimings;
  http_status: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  address: string | null;
  /** When TTL removes it, by the plan of the workspace at the time of writing. */
  expires_at: Date;
}

/** Durations of the phases of a check; null for a phase that the check did not have or did not reach. */
export interface ResultTimings {
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  ttfb_ms: number | null;
  transfer_ms: number | null;
}

const SLOT_DIGITS = 13;

/** Returns the id of a result as the API shows it, from its `_id`. */
export function shownResultId(id: string): string {
  return idOfKey('res', Number(id.split('/')[1] ?? 0), id);
}

/** Returns the `_id` of a result. */
export function resultId(monitorId: string, slotMs: number, location: string, attempt: number): string {
  return `${monitorId}/${String(slotMs).padStart(SLOT_DIGITS, '0')}/${location}/${attempt}`;
}
