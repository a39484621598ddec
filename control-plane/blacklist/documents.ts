import type { CheckFigures, ListAnswer, ListResult, NotQueried, TargetType } from './results.js';

export const FREQUENCIES = ['hourly', 'daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A listing of the target, confirmed by two consecutive checks while the list passed its own tests. */
export interface Listing extends ListAnswer {
  /** The id of the list. Its zone is stored without any key, and its answer is that of the latest check that saw it. */
  provider: string;
  provider_name: string;
  zone: string;
  /** The listed addresses of a domain. */
  addresses: string[];
  listed_since_ms: number;
  /** The latest check with this listing; later checks may have had no answer. */
  seen_at_ms: number;
  /** The two checks that confirmed the listing. */
  evidence: ListingEvidence;
}

/** Two checks, and the test of the list along with the second one. */
export interface ListingEvidence {
  first: { at_ms: number; codes: string[]; reason: string | null };
  confirmed: { at_ms: number; codes: string[]; reason: string | null };
  /** Whether the list passed its test along with the second check; false if the test gave no result. */
  tested: boolean;
}

export interface CheckSummary extends CheckFigures {
  check_id: string;
  checked_at_ms: number;
}

/** One document of `blacklist_monitors`. */
export interface BlacklistMonitorDocument {
  _id: string;
  workspace_id: string;
  /** See `Target`. */
  target: string;
  type: TargetType;
  frequency: Frequency;
  /** When the next check is due. */
  next_at_ms: number;
  /** The confirmed listings. A list that does not answer or fails its tests changes nothing here. */
  listings: Listing[];
  /** The latest check; null before the first one. */
  last: CheckSummary | null;
  results: ListResult[];
  not_asked: NotQueried[];
  /** Counts checks: if two control planes check the monitor at the same time, only one of them saves its result. */
  checks: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by users, for `ETag`. */
  version: number;
}

/**
 * - `listed`, `delisted`: two consecutive checks agree.
 * - `dropped`: the list is no longer in the catalogue, or can no longer be queried for this target.
 */
export type ListingChangeKind = 'listed' | 'delisted' | 'dropped';

export interface ListingChange extends ListAnswer {
  kind: ListingChangeKind;
  provider: string;
  provider_name: string;
}

/** One document of `blacklist_checks`: the results of one check of a monitor, and the changes they caused. */
export interface CheckDocument extends CheckFigures {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  checked_at_ms: number;
  results: ListResult[];
  changes: ListingChange[];
  /** From the plan's retention of hourly values at the time of the check. */
  expires_at: Date;
}
